# SPDX-License-Identifier: GPL-2.0-or-later
"""Hand out calls of Python functions to the processes of an MPI program.

    from predict_farm import Executor

    def energy(n): ...

    with Executor() as executor:
        if executor is not None:                  # rank 0
            for e in executor.map(energy, range(1000)):
                print(e)

Run it by `mpirun -np 9 python3 script.py` for eight workers.  The executor is
one of concurrent.futures: submit(), map(), shutdown(), and futures with which
wait() and as_completed() work.  At all other ranks the block is passed over,
and left when rank 0 has left it.

What is submitted while an iteration runs is handed out in the next one: submit
much at once.  Functions, arguments and results are pickled.

PREDICT_FARM_LIBRARY names the library, if the loader does not find it.
"""

import concurrent.futures
import ctypes
import os
import pickle
import threading

__all__ = ["Executor"]

PACK = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int,
                        ctypes.c_void_p, ctypes.c_size_t)
WORK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p,
                        ctypes.c_size_t, ctypes.c_void_p)
COLLECT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int,
                           ctypes.c_void_p, ctypes.c_size_t)


class Program(ctypes.Structure):
    """struct predict_farm_program"""
    _fields_ = [("context", ctypes.c_void_p), ("pack", PACK),
                ("work", WORK), ("collect", COLLECT),
                ("weight", ctypes.POINTER(ctypes.c_double))]


class Options(ctypes.Structure):
    """struct predict_farm_options"""
    _fields_ = [("policy", ctypes.c_char_p), ("patience_s", ctypes.c_double),
                ("slowdown", ctypes.c_double), ("chunk_max", ctypes.c_int),
                ("rest", ctypes.c_int)]


class Report(ctypes.Structure):
    """struct predict_farm_report"""
    _fields_ = [(name, ctypes.c_int) for name in (
        "iterations", "tasks", "chunks", "workers", "workers_worth",
        "workers_silent", "again")] + [(name, ctypes.c_double) for name in (
            "time_s", "mu_s", "sigma_s", "mo_s", "k_s", "bytes", "alpha",
            "lm_s", "imbalance")]


def load(path=None):
    """The library; `path` if the environment does not name another one."""
    library = ctypes.CDLL(
        os.environ.get("PREDICT_FARM_LIBRARY", path or "libpredict_farm.so"),
        mode=ctypes.RTLD_GLOBAL)
    library.predict_farm_create_world.restype = ctypes.c_void_p
    library.predict_farm_create_world.argtypes = [ctypes.POINTER(Options)]
    for name in "rank", "stop", "destroy_world":
        getattr(library, "predict_farm_" + name).argtypes = [ctypes.c_void_p]
    library.predict_farm_run.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(Program), ctypes.c_int]
    library.predict_farm_report.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(Report)]
    library.predict_farm_result_write.argtypes = [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    return library


def _call(pickled):
    """The pickled (true, result) or (false, exception) of a pickled call."""
    try:
        function, arguments, keywords = pickle.loads(pickled)
        return pickle.dumps((True, function(*arguments, **keywords)))
    except BaseException as error:  # as concurrent.futures does
        try:
            return pickle.dumps((False, error))
        except Exception:  # it cannot be pickled
            return pickle.dumps((False, RuntimeError(repr(error))))


class _Master(concurrent.futures.Executor):
    """What rank 0 gets: a thread runs iterations of what was submitted."""

    def __init__(self, library, farm):
        self._library, self._farm = library, farm
        self._waiting, self._stopped = [], False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def submit(self, fn, /, *args, **kwargs):
        future = concurrent.futures.Future()
        call = pickle.dumps((fn, args, kwargs))
        with self._changed:
            if self._stopped:
                raise RuntimeError("cannot schedule new futures after shutdown")
            self._waiting.append((future, call))
            self._changed.notify()
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        # All of them at once, so that they are in one iteration.
        with self._changed:
            return super().map(fn, *iterables, timeout=timeout,
                               chunksize=chunksize)

    def shutdown(self, wait=True, *, cancel_futures=False):
        with self._changed:
            self._stopped = True
            if cancel_futures:
                for future, _ in self._waiting:
                    future.cancel()
            self._changed.notify()
        if wait:
            self._thread.join()

    def _serve(self):
        while True:
            with self._changed:
                while not self._waiting and not self._stopped:
                    self._changed.wait()
                tasks, self._waiting = self._waiting, []
            tasks = [task for task in tasks
                     if task[0].set_running_or_notify_cancel()]
            if tasks:
                self._run(tasks)
            elif self._stopped:
                return

    def _run(self, tasks):
        def pack(_, task, buffer, size):
            call = tasks[task][1]
            if len(call) <= size:
                ctypes.memmove(buffer, call, len(call))
            return len(call)

        def collect(_, task, result, size):
            future = tasks[task][0]
            try:
                good, value = pickle.loads(ctypes.string_at(result, size))
            except Exception as error:
                good, value = False, error
            if good:
                future.set_result(value)
            else:
                future.set_exception(value)

        program = Program(pack=PACK(pack), collect=COLLECT(collect))
        if self._library.predict_farm_run(self._farm, program, len(tasks)):
            for future, _ in tasks:
                if not future.done():
                    future.set_exception(
                        RuntimeError("no worker replies: the call is lost"))


class Executor:
    """A context: the executor at rank 0, None at the workers.

    policy, patience, slowdown: as in struct predict_farm_options."""

    def __init__(self, policy=None, patience=0, slowdown=0):
        self._library = load()
        options = Options(policy.encode() if policy else None, patience,
                          slowdown, 0, 1)
        self._farm = self._library.predict_farm_create_world(options)
        if not self._farm:
            raise RuntimeError("a farm needs two processes, and a policy that"
                               " exists")
        self._master = None

    def __enter__(self):
        if self._library.predict_farm_rank(self._farm) == 0:
            self._master = _Master(self._library, self._farm)
            return self._master

        def work(_, task, data, size, result):
            reply = _call(ctypes.string_at(data, size))
            self._library.predict_farm_result_write(result, reply, len(reply))

        program = Program(work=WORK(work))
        while self._library.predict_farm_run(self._farm, program, 0) == 0:
            pass
        return None

    def __exit__(self, kind, error, trace):
        if self._master:
            self._master.shutdown(cancel_futures=kind is not None)
            self._library.predict_farm_stop(self._farm)
        self._library.predict_farm_destroy_world(self._farm)
        return False
