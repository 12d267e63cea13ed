"""Kinto with PostgreSQL as its store, as its documentation sets it up, and everybody allowed to do everything.

    kinto_service.py [--memory]

With `--memory` its store is the one in memory, which its own quick start runs.
"""

import os
import pwd
import shutil
import subprocess
import sys
import time
import warnings

import launching

warnings.filterwarnings("ignore")

in_memory = "--memory" in sys.argv
place = launching.folder()
cluster, sockets = os.path.join(place.name, "cluster"), os.path.join(place.name, "s")
os.mkdir(sockets)


def programs():
    """The folder of PostgreSQL's programs, of which Debian puts the newest into no PATH."""
    found = "/usr/lib/postgresql"
    for version in sorted(os.listdir(found), key=float, reverse=True) if os.path.isdir(found) else []:
        if os.path.exists(os.path.join(found, version, "bin", "postgres")):
            return os.path.join(found, version, "bin")
    path = shutil.which("postgres")
    if path is None:
        sys.exit("PostgreSQL is not installed; on Debian its package is postgresql.")
    return os.path.dirname(path)


def start_postgres():
    bin = programs()
    options = {}
    if os.getuid() == 0:
        # PostgreSQL does not run as root.
        user = pwd.getpwnam("postgres" if any(u.pw_name == "postgres" for u in pwd.getpwall()) else "nobody")
        for folder in (place.name, sockets):
            os.chown(folder, user.pw_uid, user.pw_gid)
        options = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    subprocess.run(
        [os.path.join(bin, "initdb"), "-D", cluster, "-U", "kinto", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
         "--no-sync"],
        check=True, stdout=subprocess.DEVNULL, cwd=place.name, **options)
    server = subprocess.Popen(
        [os.path.join(bin, "postgres"), "-D", cluster, "-k", sockets, "-c", "listen_addresses=",
         "-c", "fsync=off", "-c", "timezone=UTC", "-c", "max_connections=40"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=place.name, **options)
    for _ in range(200):
        if os.path.exists(os.path.join(sockets, ".s.PGSQL.5432")):
            break
        if server.poll() is not None:
            sys.exit("PostgreSQL did not start.")
        time.sleep(0.05)
    return server


server = None if in_memory else start_postgres()


def end():
    if server:
        server.terminate()
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
    place.cleanup()


import kinto  # noqa: E402

backend = "memory" if in_memory else "postgresql"
url = "" if in_memory else f"postgresql+psycopg2://kinto@/postgres?host={sockets}"
settings = {
    "kinto.storage_backend": f"kinto.core.storage.{backend}",
    "kinto.storage_url": url,
    "kinto.permission_backend": f"kinto.core.permission.{backend}",
    "kinto.permission_url": url,
    "kinto.cache_backend": "kinto.core.cache.memory",
    "kinto.userid_hmac_secret": "only for tests",
    "kinto.bucket_create_principals": "system.Everyone",
    "kinto.bucket_write_principals": "system.Everyone",
    "kinto.paginate_by": "100",
    "kinto.storage_max_fetch_size": "1000",
}
for attempt in range(100):
    try:
        application = kinto.main({}, **settings)
        application.registry.storage.initialize_schema()
        application.registry.permission.initialize_schema()
        break
    except Exception:
        # PostgreSQL has its socket before it takes connections.
        if attempt == 99:
            end()
            raise
        time.sleep(0.1)


def prepare(address):
    import json
    import urllib.request

    for path in ["/v1/buckets/main", "/v1/buckets/main/collections/cars"]:
        request = urllib.request.Request(
            address + path, json.dumps({"permissions": {"write": ["system.Everyone"]}}).encode(), method="PUT",
            headers={"Content-Type": "application/json"})
        urllib.request.urlopen(request).read()


launching.serve(application, end, prepare)
