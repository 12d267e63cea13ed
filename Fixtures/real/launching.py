"""What the launchers of real services have in common: a port that is free, and an end.

A launcher prints one line, `listening on http://127.0.0.1:PORT`, and ends with its input, so that it never
outlives whoever started it.
"""

import os
import signal
import socket
import sys
import tempfile
import threading


def folder():
    """A folder of its own, which is removed at the end of the process."""
    made = tempfile.TemporaryDirectory(prefix="real-service-")
    return made


def free_socket():
    """A socket that listens on a free port of loopback alone."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)
    return listening


def announce(port):
    print(f"listening on http://127.0.0.1:{port}", flush=True)


def end_with_input(then):
    """Calls `then` once the input ends, or the process is asked to end."""

    def wait():
        while sys.stdin.buffer.read(4096):
            pass
        then()

    threading.Thread(target=wait, daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: then())


def serve(application, then=lambda: None, prepare=lambda address: None):
    """Serves a WSGI application until the input ends; `prepare` is called first, with its address."""
    import waitress

    listening = free_socket()

    def end():
        then()
        os._exit(0)

    def begin():
        port = listening.getsockname()[1]
        try:
            prepare(f"http://127.0.0.1:{port}")
        except Exception as error:
            print(error, file=sys.stderr, flush=True)
            end()
        announce(port)

    end_with_input(end)
    threading.Thread(target=begin, daemon=True).start()
    waitress.serve(application, sockets=[listening], threads=8, _quiet=True)
