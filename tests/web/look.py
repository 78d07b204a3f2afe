#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""look.py RUN UID PICTURES COMMAND... - the steps of check-web in a browser

Reads the name of a step from the standard input, prints "ok" or "not ok" and
figures ("bar NAME VALUE") for it, then "done".  RUN has predictd's socket,
spredict and spredict-web, which runs as the user UID, as the browser does.
COMMAND runs another one beside slurmctld.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time
import urllib.parse

from browser import Browser

PICTURES = {"light": (1280, False), "dark": (1280, True),
            "narrow": (360, False), "narrow-dark": (360, True),
            "wide": (1920, False)}
TOP = pathlib.Path(__file__).parents[2]
NODES_MAX = 2000
STATIC_MAX = 100_000
REFRESH_MAX = 200_000
PAINT_RATIO_MAX = 2
TRIES = 5

# All numbers of the page, by the row or list that they stand in.
NUMBERS = """return [...document.querySelectorAll('main [data-of]')].map(e => ({
    name: e.dataset.of, text: e.textContent,
    value: e.dataset.value || e.getAttribute('value'),
    job: (e.closest('tr') || e).querySelector('td')?.childNodes[0]?.textContent
}))"""


def span_text(seconds):
    """Return a span as spredict's tables have it (duration_format_brief())."""
    def half_up(x):
        return int(x + 0.5)

    if seconds < 9.95:
        return f"{seconds:.1f}s"
    if seconds < 59.5:
        return f"{half_up(seconds)}s"
    if half_up(seconds) < 3600:
        return "%dm%02d" % divmod(half_up(seconds), 60)
    if half_up(seconds / 60) < 1440:
        return "%dh%02d" % divmod(half_up(seconds / 60), 60)
    return "%dd %dh" % divmod(half_up(seconds / 3600), 24)


class Look:
    """The browser, spredict web, and what has been found."""

    def __init__(self, run, uid, pictures, inside):
        self.run, self.uid, self.inside = run, uid, inside
        self.pictures = pathlib.Path(pictures)
        self.url = ""
        self.web = self.origin = None
        self.start_web()
        self.token_url = self.url
        self.browser = Browser(uid)
        self.wrong = self.compared = self.nodes = 0

    def as_user(self, *command, uid=None):
        """Return a command line as the user."""
        uid = self.uid if uid is None else uid
        return ["setpriv", f"--reuid={uid}", f"--regid={uid}",
                "--clear-groups", *command]

    def start_web(self):
        """Start spredict web, and read the address that it prints."""
        self.web = subprocess.Popen(
            self.as_user(f"{self.run}/spredict-web",
                         f"--url=unix:{self.run}/predictd.sock"),
            stdout=subprocess.PIPE, text=True)
        self.url = self.web.stdout.readline().split()[1]
        self.origin = self.url.split("/#")[0]

    def curl(self, path, *arguments, uid=None):
        """Return the status of a request to spredict web, and the body."""
        done = subprocess.run(
            self.as_user("curl", "-s", "-w", "\n%{http_code}",
                         self.origin + path, *arguments, uid=uid),
            capture_output=True, text=True, check=False)
        body, _, code = done.stdout.rpartition("\n")
        return code, body

    def api(self, path):
        """Return a reply of predictd to the user."""
        done = subprocess.run(
            self.as_user("curl", "-sS", "--unix-socket",
                         f"{self.run}/predictd.sock", "http://localhost/" + path),
            capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def command(self, *arguments):
        """Return what spredict prints as JSON to the user."""
        done = subprocess.run(
            [*self.inside, *self.as_user(f"{self.run}/spredict", "--json",
                                         *arguments)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False)
        return json.loads(done.stdout)

    def verdict(self, name, good, why=""):
        """Print a check."""
        print(f"ok web_{name}" if good else f"not ok web_{name} - {why}",
              flush=True)

    def bar(self, name, value, most):
        """Print a figure, and check it."""
        print(f"bar web_{name} {value}")
        self.verdict(name, value <= most, f"{value}, at most {most}")

    def text(self):
        """Return what is to be read on the page."""
        return self.browser.run("return document.body.innerText")

    def says(self, name, *words):
        """Check that the page comes to say all of these."""
        try:
            self.browser.until("return arguments[0].every("
                               "w => document.body.innerText.includes(w))",
                               list(words))
            self.verdict(name, True)
        except RuntimeError as error:
            self.verdict(name, False, str(error).replace("\n", " ")[:400])

    def show(self, view):
        """Turn to a view and wait for its elements."""
        self.browser.run(
            "state.turn++; performance.clearMarks('shown'); state.reply = null;"
            "state.tag = ''; if (location.hash === arguments[0]) turn_to();"
            "else location.hash = arguments[0]", view)
        self.browser.until(
            "return performance.getEntriesByName('shown').length > 0")

    def picture(self, name, *kinds):
        """Take screenshots, and see that nothing stands out at the side."""
        for kind in kinds or ("light",):
            width, dark = PICTURES[kind]
            self.browser.size(width, dark=dark)
            self.browser.picture(self.pictures / f"{name}-{kind}.png")
            wide = self.browser.run(
                "return document.documentElement.scrollWidth")
            if wide > width:
                self.verdict(f"{name}_{kind}", False, f"{wide} pixels wide")
        self.browser.size(1280)
        self.nodes = max(self.nodes, self.browser.run(
            "return document.querySelectorAll('*').length"))

    # --- Steps ----------------------------------------------------------------

    def refusals(self):
        """Refuse whoever is not this user's browser."""
        token = "X-Predict-Token: " + self.url.split("=")[1]
        sell = ("/session", "-X", "POST", "-H", token)
        cases = [
            ("other_user", self.curl(*sell, uid=65534)[0], "000"),
            ("root", self.curl(*sell, uid=0)[0], "000"),
            ("foreign_host",
             self.curl(*sell, "-H", "Host: example.org")[0], "403"),
            ("foreign_origin",
             self.curl(*sell, "-H", "Origin: http://example.org")[0], "403"),
            ("no_key", self.curl("/v1/queue")[0], "401"),
        ]
        for name, got, wanted in cases:
            self.verdict("refused_" + name, got == wanted, got)
        self.browser.size(1280)
        self.browser.open(self.origin + "/")
        self.says("status_401", "spredict web")
        self.picture("401", "light", "narrow")

    def empty(self):
        """Buy the session, and see a cluster without jobs and history."""
        b = self.browser
        b.devtools("Page.addScriptToEvaluateOnNewDocument",
                   source="addEventListener('DOMContentLoaded', () => "
                          "window.first = document.body.innerText)")
        b.open("about:blank")
        b.open(self.url)
        self.says("empty", "No jobs; yours appear here after sbatch.",
                  "No history yet")
        self.verdict("loading", "Loading" in b.run("return window.first"),
                     "nothing said at first")
        where = b.run("return location.href")
        self.verdict("token_gone", "token" not in where, where)
        token = "X-Predict-Token: " + self.url.split("=")[1]
        code = self.curl("/session", "-X", "POST", "-H", token)[0]
        self.verdict("refused_second_use", code == "401", code)
        self.picture("empty", "light", "dark", "narrow")
        self.show("#/good")
        self.says("no_history", "No history yet")
        self.picture("no-history")

    def paint_s(self):
        """Return the median time until the queue is on the screen."""
        times = []
        for _ in range(TRIES):
            self.browser.open("about:blank")
            self.browser.open(self.origin + "/#/queue")
            times.append(self.browser.until(
                "return performance.getEntriesByName('shown').length && "
                "performance.getEntriesByName('shown')[0].startTime"))
        return statistics.median(times)

    def few(self):
        """See ten jobs, and how long it takes."""
        self.show("#/")
        self.says("few", "My waiting jobs")
        self.picture("few", "light", "narrow-dark")
        self.ten_ms = self.paint_s()

    def compare(self, numbers, values, texts=True):
        """Count numbers of the page that are not those of a reply."""
        for number in numbers:
            name, shown = number["name"], number["value"]
            wanted = values(number)
            if wanted is None:
                continue
            self.compared += 1
            good = shown is not None and abs(float(shown) - wanted) <= 1e-6
            if texts and good and name in ("median_s", "quantile_s",
                                           "elapsed_s", "runtime_s", "mean_s",
                                           "predicted_mean_s"):
                good = number["text"].lstrip("~") == span_text(wanted)
            if not good:
                self.wrong += 1
                print(f"# {number} is not {wanted}", flush=True)

    def numbers(self):
        """Compare the numbers of 50 jobs with spredict's and the API's."""
        api = self.api("v1/queue?limit=500")
        jobs = {str(j["id"]): j for j in api["jobs"]}
        told = {j["job_id"]: j for j in self.command("queue")["jobs"]}
        self.verdict("fifty", len(jobs) == 50, len(jobs))
        example = json.loads((TOP / "predictor/http/routes/openapi.json")
                             .read_text(encoding="utf-8"))["paths"][
            "/v1/queue"]["get"]["responses"]["200"]["content"][
                "application/json"]["example"]
        waiting = [j for j in api["jobs"] if j["state"] == "PD"][0]
        self.verdict("openapi_example", example.keys() == api.keys() and
                     example["jobs"][0].keys() == waiting.keys(),
                     f"{sorted(api)} {sorted(waiting)}")

        def of_queue(number):
            job = jobs.get(number["job"])
            name = number["name"]
            if not job or number["value"] is None:
                return None
            if name.startswith("end") and name != "end_s":
                part = name.replace("end", "remaining")
                return api["read_at_s"] + job[part]
            if name == "end_s":
                return (job["start_s"] + job["median_s"]
                        if job["state"] == "PD"
                        else api["read_at_s"] + job["remaining_s"])
            return job.get(name)

        def of_command(number):
            job = told.get(number["job"])
            if (not job or number["value"] is None
                    or number["name"] not in ("median_s", "quantile_s")):
                return None
            return job[number["name"]]

        for view in ("#/", "#/queue", "#/queue?sort=start",
                     "#/queue?user=self", "#/queue?state=PD"):
            self.show(view)
            numbers = self.browser.run(NUMBERS)
            self.compare(numbers, of_queue)
            self.compare(numbers, of_command)
            names = [n["text"] for n in numbers if n["name"] == "name"]
            self.verdict("names" + view, all(
                name in [j["name"] for j in jobs.values()]
                for name in names) and names, names)
        image = self.browser.run("return document.images.length")
        self.show("#/queue?search=%3Cimg")
        self.says("name_is_text", "<img src=x onerror=alert(1)>")
        self.verdict("no_image", image == 1, image)
        self.others()

    def others(self):
        """Compare the numbers of the other views."""
        good = {a["group"]: a for a in
                self.api("v1/accuracy?by=application")["accuracy"]
                if a["stage"] == "submission"}
        report = {g["group"]: g for g in self.command("report")["report"]}
        nodes = {n["node"]: n for n in self.api("v1/nodes")["nodes"]}

        for view, rows in (("#/good", good), ("#/runs", report)):
            self.show(view)
            self.compare(self.browser.run(NUMBERS), lambda n, rows=rows: (
                rows.get(n["job"]) or {}).get(n["name"]))
        self.dots(good)
        self.show("#/nodes")
        shown = self.browser.run("""return [...document.querySelectorAll(
            '.nodes li b')].map(e => e.textContent)""")
        self.verdict("nodes", sorted(shown) == sorted(nodes), shown)
        ended = self.browser.run("""return fetch('v1/report?by=application', {
            headers: {'X-Predict-Key': state.key}}).then(r => r.status)""")
        self.verdict("key", ended == 200, ended)

    def dots(self, good):
        """Compare the dots of the picture with a reply."""
        self.show("#/good")
        dots = self.browser.run("""return [...document.querySelectorAll(
            'main circle')].map(c => [c.textContent,
            +c.getAttribute('cx'), 300 - c.getAttribute('cy')])""")
        wanted = {f"{name}: predicted {span_text(a['predicted_mean_s'])}, "
                  f"took {span_text(a['mean_s'])}": a["mean_s"] /
                  a["predicted_mean_s"] for name, a in good.items()
                  if a["predicted"]}
        self.verdict("dots", {d[0] for d in dots} == set(wanted) and len(dots) == 2,
                     f"{dots} {wanted}")
        ticks = self.browser.run("""return [...document.querySelectorAll(
            'main .tick')].map(e => e.textContent)""")
        self.verdict("dots_axes", ticks.count("1 s") == 2 and
                     ticks.count("1 min") == 2, ticks)
        wrong = [(words, x, y) for words, x, y in dots if abs(y - x) > 0.2
                 and (y > x) != (wanted[words] > 1)]
        self.verdict("dots_places", not wrong, wrong)

    def views(self):
        """Take pictures of every view, and open a job."""
        self.show("#/queue?sort=start")
        self.picture("queue", *PICTURES)
        self.show("#/")
        self.picture("jobs", *PICTURES)
        job = self.browser.run(
            "return document.querySelector('main a[id^=job-]').hash")
        self.browser.run("document.querySelector('main a[id^=job-]').click()")
        self.says("job", "Run time", "Expected")
        self.picture("job", "light", "dark", "narrow")
        number = job.split("/")[2]
        told = self.command("job", number)
        shown = self.browser.run(NUMBERS)
        p = (not told.get("job") and told.get("waiting_prediction")
             or told.get("prediction") or {})
        self.compare([n for n in shown[:3] if n["name"] == "median_s"],
                     lambda n: p.get("median_s"))
        for name, view in (("nodes", "#/nodes"), ("links", "#/links"),
                           ("good", "#/good"), ("runs", "#/runs")):
            self.show(view)
            self.picture(name, "light", "dark", "narrow")
        self.show("#/nodes")
        self.browser.run("document.querySelector('.nodes a').click()")
        self.says("node", "Forecast")
        self.picture("node", "light", "dark")
        self.keyboard()
        self.hands()
        size = sum((TOP / "predictor/web" / name).stat().st_size for name in
                   ("index.html", "style.css", "predict.js", "icon.svg"))
        self.bar("static_bytes", size, STATIC_MAX)
        largest = max(len(json.dumps(self.api(path))) for path in (
            "v1/queue?limit=50", "v1/nodes?limit=120", "v1/links?limit=400",
            "v1/accuracy?by=application&limit=100", "v1/report?limit=50"))
        self.bar("refresh_bytes", largest, REFRESH_MAX)

    def keyboard(self):
        """Reach the views by the keyboard alone, with a visible focus."""
        b = self.browser
        b.run("document.activeElement.blur(); window.scrollTo(0, 0)")
        reached = set()
        for _ in range(12):
            b.call("POST", "/actions", {"actions": [{
                "type": "key", "id": "keys", "actions": [
                    {"type": "keyDown", "value": "\ue004"},
                    {"type": "keyUp", "value": "\ue004"}]}]})
            reached.add(b.run(
                "const e = document.activeElement; return (e.hash || e.id) +"
                " getComputedStyle(e).outlineStyle"))
        self.verdict("keyboard", {"#/queuesolid", "#/runssolid"} <= reached,
                     reached)

    def hands(self):
        """See that a refresh leaves the user's hands alone, and goes on."""
        b = self.browser
        self.show("#/queue")
        b.run("const e = document.getElementById('search'); e.focus();"
              "e.value = 'half a w'; e.setSelectionRange(4, 4)")
        self.show("#/queue")
        kept = b.run("const e = document.activeElement;"
                     "return [e.id, e.value, e.selectionStart]")
        self.verdict("typing_stays", kept == ["search", "half a w", 4], kept)
        b.run("document.querySelector('.skip').click()")
        kept = b.run("return [document.activeElement.id, location.hash]")
        self.verdict("skip_link", kept == ["main", "#/queue"], kept)
        b.run("location.hash = '#token=no_token'")
        b.until("return location.hash === '#/'")
        self.says("token_of_open_page", "My waiting jobs")
        for name, broken, words in (
                ("not_json", "<html>", "predictd does not answer"),
                ("not_a_queue", "{}", "cannot show what predictd replied")):
            b.run("window.fetched = fetch; window.fetch = async () =>"
                  "new Response(arguments[0]); state.tag = ''; turn_to()",
                  broken)
            self.says(name, words)
            self.verdict(name + "_goes_on",
                         b.until("return state.timer > 0"))
            b.run("window.fetch = window.fetched; turn_to()")
            b.until("return !document.getElementById('banner').textContent")
        b.run("window.fetch = () => new Promise(() => 0);"
              "location.hash = '#/nodes'")
        self.says("loading_view", "Loading")
        self.picture("loading")
        b.run("window.fetch = window.fetched")
        self.show("#/queue")
        b.read_logs()
        b.errors = [e for e in b.errors if "TypeError" not in e]

    def many(self):
        """See that too many requests are waited out."""
        self.show("#/queue")
        # One after the other: whoever connects much faster is not answered.
        self.browser.until("""return (async () => {
            const headers = {'X-Predict-Key': state.key};
            while ((await fetch('v1/queue', {headers})).status !== 429)
                ;
            turn_to();
            await new Promise(done => setTimeout(done, 500));
            return /too many requests.*Trying again/.test(
                document.getElementById('banner').textContent);
            })()""")
        self.verdict("status_429", True)
        self.picture("429")
        self.browser.until(
            "return !document.getElementById('banner').textContent")
        self.verdict("after_429", True)

    def gone(self):
        """See that predictd is away."""
        self.browser.run("turn_to()")
        self.says("gone", "does not answer", "Trying again in")
        self.picture("gone")

    def back(self):
        """See that it is back."""
        self.browser.until(
            "return !document.getElementById('banner').textContent")
        self.verdict("back", True)
        self.web.terminate()
        self.web.wait()
        self.browser.run("turn_to()")
        self.says("web_gone", "predictd does not answer")
        self.browser.read_logs() # chromium itself says that it cannot connect
        self.browser.errors = [e for e in self.browser.errors if not any(
            w in e for w in ("ERR_CONNECTION", "status of 4", "status of 503"))]
        self.start_web()
        self.browser.open("about:blank")
        self.browser.open(self.url)
        self.browser.until(
            "return performance.getEntriesByName('shown').length > 0")

    def unread(self):
        """See that the queue has not been read: status 503."""
        self.browser.run("state.reply = null; state.path = ''; turn_to()")
        self.says("status_503", "the queue has not been read", "Trying again")
        self.picture("503")

    def private(self):
        """See what PrivateData hides."""
        self.show("#/queue")
        self.says("private", "PrivateData")
        users = self.browser.run("""return [...document.querySelectorAll(
            'tbody tr')].map(r => r.cells[1].textContent)""")
        self.verdict("private_users", set(users) == {"bin"}, set(users))
        self.picture("private")
        self.browser.run("location.hash = '#/nodes'")
        self.says("status_403", "You may not see this")
        self.picture("403")

    def crowd(self):
        """See ten thousand jobs."""
        many_ms = self.paint_s()
        self.says("crowd", "The broad part")
        self.picture("crowd", "light", "narrow")
        self.show("#/")
        self.picture("crowd-jobs")
        ratio = many_ms / self.ten_ms
        print(f"# first paint: {self.ten_ms:.0f} ms, {many_ms:.0f} ms")
        self.bar("first_paint_ratio", round(ratio, 2), PAINT_RATIO_MAX)

    def old(self):
        """See that the queue is said to be old after three minutes."""
        self.show("#/queue")
        end = time.monotonic() + 300
        while (time.monotonic() < end and
               "predictd cannot read it" not in self.text()):
            time.sleep(1)
        self.says("old", "The queue was read", "predictd cannot read it")
        self.picture("old", "light", "dark")

    def end(self):
        """Judge the console and the requests."""
        b = self.browser
        b.read_logs()
        errors = [e for e in b.errors if not any(w in e for w in (
            "status of 4", "status of 503", "ERR_CONNECTION"))]
        for error in errors:
            print("#", error)
        away = {urllib.parse.urlsplit(u).netloc for u in b.urls
                if u.startswith(("http:", "https:", "ws:", "wss:"))} - {
                    urllib.parse.urlsplit(o).netloc
                    for o in (self.origin, self.token_url)}
        self.verdict("origin", not away, away)
        self.bar("console_errors", len(errors), 0)
        self.bar("requests_away", len(away), 0)
        self.bar("dom_nodes", self.nodes, NODES_MAX)
        print(f"bar web_numbers {self.compared}")
        self.bar("wrong_numbers", self.wrong, 0)
        b.close()
        self.web.terminate()


def main():
    """Do the steps that come in."""
    look = Look(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
    try:
        for line in sys.stdin:
            step = line.strip()
            try:
                getattr(look, step)()
            except Exception as error:  # the other steps go on
                look.verdict(step, False, repr(error)[:600])
            print("done", flush=True)
    finally:
        look.web.terminate()
        look.browser.driver.terminate()


if __name__ == "__main__":
    os.environ.setdefault("TZ", "UTC")
    main()
