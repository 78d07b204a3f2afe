#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sample_swf.py [JOBS [SEED]] - print a job log of a machine that never was

In Standard Workload Format: users who run a few applications again and again,
ask for far more time than they need, give up at times, and wait for a machine
of 64 processors that serves them in their order.  Good enough to see that a
benchmark works; what it shows is worth nothing.
"""
import heapq
import math
import random
import sys

PROCESSORS = 64
USERS = 24


class Application:
    def __init__(self, dice, number):
        self.number = number
        self.usual = math.exp(dice.uniform(2.5, 10))
        self.spread = dice.uniform(0.05, 0.9)
        self.processors = 2 ** dice.randrange(0, 6)
        self.limit = 3600 * math.ceil(
            self.usual * dice.uniform(1.5, 12) / 3600)

    def run(self, dice):
        """Run time and status of one run, in SWF's numbers."""
        if dice.random() < 0.08:
            return dice.uniform(1, 30), 0
        seconds = self.usual * math.exp(dice.gauss(0, self.spread))
        if seconds > self.limit:
            return self.limit, 5
        return seconds, 1


def submissions(dice, count):
    """Sessions of one user with one application, at working hours."""
    numbers = iter(range(1, 10 ** 6))
    users = [[Application(dice, next(numbers))
              for _ in range(dice.randrange(1, 5))] for _ in range(USERS)]
    jobs = []
    while len(jobs) < count:
        user = min(int(dice.expovariate(0.2)), USERS - 1)
        application = dice.choice(users[user])
        moment = dice.uniform(0, count * 700)
        for _ in range(dice.randrange(1, 12)):
            if dice.random() < 0.5:
                moment += application.usual * dice.uniform(0.5, 2)
            jobs.append((int(moment), user + 1, application))
            moment += dice.uniform(0, 120)
    return sorted(jobs, key=lambda job: job[:2])[:count]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
    dice = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    running, free, now = [], PROCESSORS, 0
    print(f'; Version: 2.2\n; Computer: none\n; MaxJobs: {count}\n'
          f'; UnixStartTime: 1700000000\n; MaxProcs: {PROCESSORS}')
    jobs = submissions(dice, count)
    for number, (submitted, user, application) in enumerate(jobs, 1):
        now = max(now, submitted)
        while running and (running[0][0] <= now or
                           free < application.processors):
            end, processors = heapq.heappop(running)
            now, free = max(now, end), free + processors
        seconds, status = application.run(dice)
        seconds = max(1, int(seconds))
        heapq.heappush(running, (now + seconds, application.processors))
        free -= application.processors
        print(number, submitted, now - submitted, seconds,
              application.processors, -1, -1, application.processors,
              application.limit, -1, status, user, user % 4 + 1,
              application.number, 1, 1, -1, -1)


main()
