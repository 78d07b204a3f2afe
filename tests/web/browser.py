# SPDX-License-Identifier: GPL-2.0-or-later
"""browser.py - a headless chromium, driven by chromedriver"""
import base64
import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

WAIT_S = 60


class Browser:
    """A chromium; its console and its requests are recorded."""

    def __init__(self, uid):
        self.profile = tempfile.TemporaryDirectory(prefix="chromium.")
        os.chown(self.profile.name, uid, uid)
        self.driver = subprocess.Popen(
            ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups",
             "chromedriver", "--port=0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, cwd=self.profile.name,
            env=dict(os.environ, HOME=self.profile.name))
        port = ""
        for line in self.driver.stdout:
            if "successfully on port" in line:
                port = line.rstrip(".\n").split()[-1]
                break
        self.base = f"http://127.0.0.1:{port}/session"
        self.session = ""
        self.errors, self.urls = [], []
        capabilities = {
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"args": [
                "--headless=new", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-sync",
                "--disable-component-update",
                f"--user-data-dir={self.profile.name}/profile"]},
        }
        self.session = "/" + self.call("POST", "", {
            "capabilities": {"alwaysMatch": capabilities}})["sessionId"]

    def call(self, method, path, body=None):
        """Send a command of WebDriver, and return its value."""
        request = urllib.request.Request(
            self.base + self.session + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=300) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:2000]) from None

    def run(self, script, *arguments):
        """Return the value of the body of a function in the page."""
        return self.call("POST", "/execute/sync",
                         {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        """Send a command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute",
                         {"cmd": command, "params": parameters})

    def open(self, url):
        """Load a page."""
        self.call("POST", "/url", {"url": url})

    def size(self, width, height=900, dark=False):
        """Set the size of the screen, and whether it is dark."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width,
                      height=height, deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setEmulatedMedia", features=[{
            "name": "prefers-color-scheme",
            "value": "dark" if dark else "light"}])

    def until(self, script, *arguments):
        """Wait until a script is true, and return its value."""
        end = time.monotonic() + WAIT_S
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise RuntimeError(f"never: {script} {arguments}; the page: "
                                   + self.run("return document.body.innerText"))
            time.sleep(0.1)

    def picture(self, path):
        """Take a screenshot."""
        pathlib.Path(path).write_bytes(
            base64.b64decode(self.call("GET", "/screenshot")))

    def read_logs(self):
        """Add what happened since to errors and urls."""
        for row in self.call("POST", "/se/log", {"type": "browser"}):
            if row["level"] in ("SEVERE", "WARNING"):
                self.errors.append(row["message"])
        for row in self.call("POST", "/se/log", {"type": "performance"}):
            event = json.loads(row["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                self.urls.append(event["params"]["request"]["url"])

    def close(self):
        """End it."""
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()
