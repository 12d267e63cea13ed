"""A WebSocket for a program that has none: what arrives is on the output, and what is to be sent on the input.

    websocket_client.py URL [FIELDS]

`FIELDS` are the header fields, as JSON. Each line is JSON: `{"open": true}`, `{"status": 403}` or
`{"refused": true}` at first, then `{"text": "…"}`, `{"pong": 1}`, and `{"end": 1000}` at last; the input has `{"text": "…"}` and `{"ping": 1}`. It
takes a message from the connection when the one before is written, and ends with its input.
"""

import json
import os
import sys
import threading

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

output = threading.Lock()


def say(line):
    with output:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def pong(number, arrives):
    if arrives.wait(60):
        say({"pong": number})


fields = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
offered = [name.strip() for name in fields.pop("Sec-WebSocket-Protocol", "").split(",") if name]
try:
    connection = connect(
        sys.argv[1], additional_headers=fields, subprotocols=offered or None, max_size=1 << 22, max_queue=4,
        ping_interval=None)
except InvalidStatus as error:
    say({"status": error.response.status_code})
    sys.exit()
except Exception as error:
    say({"refused": True, "reason": repr(error)})
    sys.exit()


def read():
    for line in sys.stdin:
        wish = json.loads(line)
        try:
            if "text" in wish:
                connection.send(wish["text"])
            else:
                arrives = connection.ping()
                threading.Thread(target=pong, args=(wish["ping"], arrives), daemon=True).start()
        except ConnectionClosed:
            break
    os._exit(0)


say({"open": True})
threading.Thread(target=read, daemon=True).start()
try:
    for message in connection:
        say({"text": message})
    say({"end": connection.protocol.close_code or 1006})
except ConnectionClosed:
    say({"end": 1006})
