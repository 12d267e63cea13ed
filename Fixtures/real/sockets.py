"""A service whose changes come over WebSockets, which a test may kill while it sends, and start again.

Where it listens, `POST /do` takes one of these, as JSON, and answers when it is done:

- `{"store": {"id": 1, …}}` and `{"remove": 1}`, as another client would;
- `{"flood": {"id": 1, …}, "count": 1000}`, which stores so many, with ids from that of the first one on;
- `"kill"`, by a signal that leaves it no time, and `"start"`, on the same port;
- `"empty"`, of its cars and of what it could send again.

The service itself is `websocket_server.py`, a process of its own, and its port is the answer to each.
"""

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time

import launching

cars, log = {}, []
lock = threading.Lock()
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
server = None


def begin():
    global server
    folder = os.path.dirname(os.path.abspath(__file__))
    server = subprocess.Popen(
        [sys.executable, os.path.join(folder, "websocket_server.py"), str(port)], stdin=subprocess.PIPE, text=True)
    say({"cars": cars, "log": log})
    for _ in range(400):
        if server.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise OSError("The service did not start.")


def kill():
    global server
    if server is not None:
        server.kill()
        server.wait()
        server = None


def say(line):
    if server is not None:
        server.stdin.write(json.dumps(line) + "\n")
        server.stdin.flush()


def change(kind, model):
    """Keeps a change, and has the service send it, if it runs."""
    said = {"seq": len(log) + 1, "kind": kind, "model": model}
    log.append(said)
    if kind == "stored":
        cars[str(model["id"])] = model
    else:
        cars.pop(str(model["id"]), None)
    say(said)


def do(wish):
    if wish == "kill":
        kill()
    elif wish == "start":
        begin()
    elif wish == "empty":
        kill()
        cars.clear()
        log.clear()
        begin()
    elif "flood" in wish:
        first = wish["flood"]
        for number in range(wish["count"]):
            change("stored", first | {"id": first["id"] + number})
    elif "store" in wish:
        change("stored", wish["store"])
    else:
        change("removed", {"id": wish["remove"]} | cars.get(str(wish["remove"]), {}))


class Control(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        wish = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with lock:
            do(wish)
        body = str(port).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def end():
    kill()
    os._exit(0)


control = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Control)
launching.end_with_input(end)
begin()
launching.announce(control.server_address[1])
control.serve_forever()
