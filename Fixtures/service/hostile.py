"""How an answer reaches the wire: whole, or in one of the ways in which a service goes wrong."""

import functools
import math
import struct
import time
import zlib

FORMATS = {"gzip": 31, "deflate": 15}  # the window bits by which zlib names them
MEGABYTE = 1_000_000


def send(line, given):
    """Writes an answer as its fault wants it, and says before its last byte that it is finished."""
    bodiless = given.status in (204, 304) or line.command == "HEAD"
    for name, alter in ALTERED.items():
        if name in given.fault and not bodiless:
            given = alter(given, given.fault[name])
    way = next((way for name, way in WAYS.items() if name in given.fault), written)
    written(line, given) if bodiless and way in (chunked, endless) else way(line, given)


def head(line, given, framing, status_line=None):
    """The bytes before a body."""
    default = f"HTTP/1.1 {given.status} {line.phrase(given.status)}"
    fields = {"Date": line.date_time_string(), "Content-Type": "application/json", **framing}
    lines = [status_line or default]
    for name, value in {**fields, **given.headers}.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        lines += [f"{name}: {each}" for each in values]
    lines += given.fault.get("lines", [])
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


def length(given):
    return {} if given.status in (204, 304) else {"Content-Length": len(given.body)}


def whole(line, given):
    has_body = given.status not in (204, 304) and line.command != "HEAD"
    return head(line, given, length(given)), given.body if has_body else b""


def written(line, given):
    start, body = whole(line, given)
    line.finished()
    line.write(start + body)
    if "next" in given.fault:
        line.doom = given.fault["next"]
    ended(line, given, "after-answer")


def moment(given):
    return given.fault.get("hang_up") or given.fault.get("reset")


def ended(line, given, *moments):
    """Ends the connection if it is to end at such a moment."""
    if moment(given) in moments:
        line.finished()
        line.hang_up(with_reset="reset" in given.fault)


def cut(line, given):
    """Writes as much as there is before the connection ends."""
    start, body = whole(line, given)
    parts = {"mid-head": start[:len(start) // 2], "mid-answer": start + body[:len(body) // 2]}
    if moment(given) == "after-answer":
        return written(line, given)
    line.write(parts.get(moment(given), b""))
    ended(line, given, moment(given))


def pieces(body, size=1000):
    """A body as chunks, without the one that ends it."""
    parts = [body[at:at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)


def chunked(line, given):
    start = head(line, given, {"Transfer-Encoding": "chunked"})
    is_whole = given.fault["chunked"] == "whole"
    if is_whole:
        line.finished()
    line.write(start + pieces(given.body) + (b"0\r\n\r\n" if is_whole else b""))
    if not is_whole:
        line.rfile.read(1)  # the answer is over when the client has gone
        line.close_connection = True


def slow(line, given):
    """A head, or a body, in small pieces over some seconds."""
    start, body = whole(line, given)
    before, trickle, after = (b"", start, body)
    if given.fault["slow"] == "body":
        before, trickle, after = (start, body[:-1], body[-1:])
    seconds = given.fault.get("seconds", 1)
    size = max(1, math.ceil(len(trickle) / max(1, seconds * 100)))
    line.write(before)
    for at in range(0, len(trickle), size):
        time.sleep(seconds * size / len(trickle))
        line.write(trickle[at:at + size])
    line.finished()
    line.write(after)


def endless(line, given):
    """The answer, and then spaces for as long as the client takes them, 64 MB in a second at most.

    On Linux, Foundation does nothing else for what arrives faster than it is read, and does not even
    end the request. A client that is watched by ThreadSanitizer reads slower than this could write.
    """
    line.close_connection = True
    is_chunked = given.fault["endless"] == "chunked"
    framing = {"Transfer-Encoding": "chunked"} if is_chunked else {"Connection": "close"}
    line.write(head(line, given, framing) + (pieces(given.body) if is_chunked else given.body))
    more = pieces(b" " * 64_000, 64_000) if is_chunked else b" " * 64_000
    while True:
        line.write(more)
        time.sleep(0.001)


def broken(line, given):
    """What is no HTTP, or HTTP of a kind that no client should believe; then the end."""
    body, count = given.body, len(given.body)
    in_chunks = {"Transfer-Encoding": "chunked"}
    filler = {f"X-Filler-{number}": "x" * 1000 for number in range(1000)}

    def of_length(value):
        return head(line, given, {"Content-Length": value}) + body
    forms = {
        "status-line": lambda: head(line, given, length(given), "HTTP/1.1 OK 200") + body,
        "status-number": lambda: head(line, given, length(given), "HTTP/1.1 99999 Odd") + body,
        "no-http": lambda: b"SSH-2.0-OpenSSH_9.6p1\r\n",
        "huge-head": lambda: head(line, given, {**length(given), **filler}) + body,
        "huge-length": lambda: of_length(9223372036854775807),
        "negative-length": lambda: of_length(-1),
        "two-lengths": lambda: of_length([count, count + 7]),
        "trailers": lambda: head(line, given, in_chunks) + pieces(body)
        + b'0\r\nX-Checksum: 1\r\nETag: "trailer"\r\n\r\n',
        "chunk-size": lambda: head(line, given, in_chunks) + b"garbage\r\n" + body,
        "huge-chunk": lambda: head(line, given, in_chunks) + b"FFFFFFFFFFFFFFFF\r\n" + body,
    }
    form = forms[given.fault["broken"]]()
    line.finished()
    line.write(form)
    line.hang_up()


def squeezed(data, form):
    packer = zlib.compressobj(wbits=FORMATS[form])
    packed = b"".join(map(packer.compress, data))
    return packed + packer.flush()


@functools.lru_cache(maxsize=4)
def bomb(form, megabytes):
    """An array with nothing but spaces in it: one compressed piece, so many times."""
    packer, spaces = zlib.compressobj(wbits=-15), b" " * MEGABYTE
    start, piece = (packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)
                    for data in (b"[", spaces))
    body = start + piece * megabytes + packer.compress(b"]") + packer.flush()
    add = zlib.crc32 if form == "gzip" else zlib.adler32
    total = add(b"[")
    for _ in range(megabytes):
        total = add(spaces, total)
    total = add(b"]", total)
    if form == "gzip":
        size = (megabytes * MEGABYTE + 2) % 2**32
        return b"\x1f\x8b\x08" + bytes(7) + body + struct.pack("<II", total, size)
    return b"\x78\x9c" + body + struct.pack(">I", total)


def encoded(given, body, form):
    return given._replace(body=body).adding({"Content-Encoding": form})


ALTERED = {
    "truncated": lambda given, _: given._replace(body=given.body[:len(given.body) // 2]),
    "content_type": lambda given, kind: given.adding({"Content-Type": kind}),
    "compressed": lambda given, form: encoded(given, squeezed([given.body], form), form),
    "bomb": lambda given, form: encoded(
        given, bomb(form, given.fault.get("megabytes", 300)), form),
}
WAYS = {
    "hang_up": cut,
    "reset": cut,
    "chunked": chunked,
    "slow": slow,
    "endless": endless,
    "broken": broken,
}
BROKEN = ("status-line", "status-number", "no-http", "huge-head", "huge-length", "negative-length",
          "two-lengths", "trailers", "chunk-size", "huge-chunk")
MOMENTS = ("before-acting", "after-acting", "before-answer", "mid-head", "mid-answer",
           "after-answer")
