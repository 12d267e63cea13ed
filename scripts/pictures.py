"""The pictures of the documentation, as boxes, lines and texts; scripts/draw writes them."""

from drawing import Picture


def architecture():
    """From a view to the two stores, with the outbox between them, and the modules."""
    p = Picture(
        "architecture", (760, 452), "Evocation between your app, its local store and its server",
        "Your app observes models, caches and lists, and calls Evocation. A strategy decides for each "
        "kind of call which to ask first: the local store or the server. "
        "Changes of the local store show in what is observed. Writes that the server does not have "
        "yet wait in the outbox, which sends them.")
    p.box(250, 12, 260, 56, "Your app", "views and code")
    p.box(20, 148, 290, 76, "ObservedModels, caches, lists", "what a screen shows, and its age",
          tone="app", module="Evocation")
    p.box(430, 148, 310, 76, "Calls, with a strategy", "where to read or write first",
          tone="app", module="Evocation")
    p.box(20, 332, 220, 76, "Local store", "SQLiteRepository", tone="local",
          module="EvocationSQLite")
    p.box(320, 332, 130, 76, "Outbox", "unsent writes", tone="outbox", module="Evocation")
    p.box(530, 332, 210, 76, "Server", "HTTPRepository", tone="remote",
          module="EvocationHTTP")
    p.arrow((165, 148), (165, 40), (250, 40))
    p.text(175, 112, "states", 13, "quiet", "start")
    p.arrow((510, 40), (585, 40), (585, 148))
    p.text(575, 112, "find, store, update, remove", 13, "quiet", "end")
    p.arrow((310, 186), (430, 186))
    p.text(370, 176, "fetches", 13, "quiet")
    p.arrow((70, 332), (70, 224))
    p.text(80, 283, "changes", 13, "quiet", "start")
    p.arrow((490, 224), (490, 272), (190, 272), (190, 332), both=True)
    p.text(330, 262, "reads and writes", 13, "quiet")
    p.arrow((650, 224), (650, 332), both=True)
    p.text(640, 283, "reads and writes", 13, "quiet", "end")
    p.arrow((240, 370), (320, 370), color="outbox")
    p.text(280, 360, "entries", 13, "quiet")
    p.arrow((450, 370), (530, 370), color="outbox")
    p.text(490, 360, "sends", 13, "quiet")
    p.text(380, 440, "In your tests, EvocationTesting takes the place of the server and of the clock.",
           13, "quiet")
    return p


def entry_life():
    """The states of an entry of the outbox, and what leads from one to the next."""
    p = Picture(
        "entry-life", (760, 586), "The life of an entry of the outbox",
        "A write of your app is a pending entry. At its turn the outbox sends it. If the server "
        "executes it, the entry is gone. Without an answer, or after 429 or 503, it waits and is sent "
        "again. If the server's model has changed, your resolver decides: mine or merged make it "
        "pending again, theirs gives it up, and park parks it. After 403 or any other refusal it is "
        "parked, until your app retries, resends or discards it.")
    p.box(10, 160, 100, 56, "A write", "of your app")
    p.box(170, 160, 130, 56, "Pending", "kept in the file", tone="outbox")
    p.box(410, 160, 130, 56, "Sending", "one per model", tone="app")
    p.box(630, 160, 120, 56, "Sent", "entry deleted", tone="local")
    p.box(410, 16, 130, 56, "Waiting", "for a pause", tone="outbox")
    p.box(410, 300, 130, 56, "Parked", "for your app", tone="bad")
    p.box(630, 300, 120, 56, "Conflict", "your resolver", tone="bad")
    p.box(410, 430, 130, 56, "Given up", "not sent again")
    from_sending(p)
    back_and_out(p)
    p.text(380, 556, "Nothing is sent while the device is offline, after a refused credential (401), or while",
           13, "quiet")
    p.text(380, 575, "your app has paused the outbox. Your app can discard an entry in any state.", 13, "quiet")
    return p


def from_sending(p):
    """What leads an entry to its attempt, and what the attempt leads to."""
    p.arrow((110, 188), (170, 188))
    p.arrow((300, 188), (410, 188))
    p.text(355, 178, "its turn, online", 13, "quiet")
    p.arrow((540, 188), (630, 188))
    p.text(585, 178, "executed", 13, "quiet")
    p.arrow((445, 160), (445, 72))
    p.text(436, 110, "no answer, 429, 503", 13, "quiet", "end")
    p.arrow((505, 72), (505, 160))
    p.text(514, 110, "the pause ends", 13, "quiet", "start")
    p.text(235, 130, "later writes on the", 13, "quiet")
    p.text(235, 148, "model merge into it", 13, "quiet")
    p.arrow((440, 216), (440, 300))
    p.text(431, 252, "403, any other refusal", 13, "quiet", "end")
    p.arrow((510, 216), (510, 258), (690, 258), (690, 300))
    p.text(524, 250, "409, 412, the model has changed", 13, "quiet", "start")
    p.arrow((630, 328), (540, 328))
    p.text(585, 318, "park", 13, "quiet")
    p.text(585, 346, "no resolver", 13, "quiet")


def back_and_out(p):
    """What leads an entry back to the queue, and out of it."""
    p.arrow((410, 328), (270, 328), (270, 216))
    p.text(338, 318, "retry, resend", 13, "quiet")
    p.arrow((475, 356), (475, 430))
    p.text(466, 398, "discard", 13, "quiet", "end")
    p.arrow((665, 356), (665, 458), (540, 458))
    p.text(604, 448, "theirs", 13, "quiet")
    p.arrow((720, 356), (720, 524), (200, 524), (200, 216))
    p.text(475, 514, "mine, merged", 13, "quiet")


def freshness():
    """The ages of a cache, with what is shown and fetched in each."""
    p = Picture(
        "freshness", (760, 306), "What a cache shows and fetches at each age",
        "Never fetched: nothing is shown, and an observed cache is fetched. Fresh, up to maxAge: the "
        "content is shown, and nothing is fetched. Stale, up to maxUsableAge: the content is shown "
        "while an observed cache is fetched again. Expired, beyond maxUsableAge: nothing is shown, and "
        "an observed cache is fetched.")
    starts, w = (112, 273, 434, 595), 161
    cells = (
        ("Never fetched", "plain", "nothing", "a fetch begins", "waits for the fetch"),
        ("Fresh", "local", "the content", "nothing", "returns the content"),
        ("Stale", "outbox", "the content", "a fetch begins", "waits for the fetch"),
        ("Expired", "bad", "nothing", "a fetch begins", "waits for the fetch"),
    )
    rows = (("on screen", 152), ("observed", 190), ("value()", 228))
    for x, (name, tone, *texts) in zip(starts, cells):
        p.rect(x, 76, w, 34, tone, radius=0)
        p.text(x + w / 2, 98, name, 15, bold=True)
        for (_, y), text in zip(rows, texts):
            p.text(x + w / 2, y, text, 13)
    for name, y in rows:
        p.text(100, y, name, 13, "quiet", "end", mono=name.endswith(")"))
    for y in (166, 204):
        p.line((24, y), (756, y), color="grid")
    for x, name, is_code in zip(starts[1:], ("fetched", "maxAge", "maxUsableAge"), (False, True, True)):
        p.line((x, 40), (x, 240), color="line", dash=True)
        p.text(x, 32, name, 13, "ink", mono=is_code)
    p.arrow((112, 60), (756, 60))
    p.text(100, 64, "time", 13, "quiet", "end")
    p.text(380, 270, "A fetch that fails takes nothing away: the content stays on screen until it expires, and",
           13, "quiet")
    p.text(380, 289, "value() returns it. Without maxAge a cache stays fresh, until invalidate() makes it stale.",
           13, "quiet")
    return p


def offline_write():
    """One write under `.offlineFirst`, from the call to the server, with where a crash may come."""
    p = Picture(
        "offline-write", (760, 640), "A write while the device is offline, and later its way to the server",
        "Your app calls storeOne. Evocation saves the model and its entry in the local store, in one "
        "transaction, and the call returns. The entry waits while the device is offline. When the "
        "connection returns, the outbox takes the entry and sends it with an idempotency key. The "
        "server answers. The outbox saves the answer and deletes the entry, in one transaction. A crash "
        "before the first transaction saves nothing, a crash after it loses nothing, and a crash "
        "during the request repeats it with the same key.")
    lanes = (("Your app", "plain", 70), ("Evocation", "app", 225), ("Local store", "local", 380),
             ("Outbox", "outbox", 535), ("Server", "remote", 690))
    app, evocation, local, outbox, server = (x for *_, x in lanes)
    # Where a number or a band interrupts a lane.
    breaks = {evocation: ((117, 139), (180, 202)), outbox: ((383, 405),)}
    for name, tone, x in lanes:
        p.box(x - 62, 10, 124, 34, name, tone=tone)
        top = 44
        for begin, end in sorted((*breaks.get(x, ()), (216, 296))):
            p.line((x, top), (x, begin), dash=True, color="grid")
            top = end
        p.line((x, top), (x, 540), dash=True, color="grid")
    for y, text in ((216, "The device is offline: the entry waits, and reads include the change."),
                    (262, "The connection returns, a second later or after ten starts of your app.")):
        p.rect(8, y, 744, 34, "plain", dash=True)
        p.text(380, y + 22, text, 13)
    for y in (102, 442):
        p.rect(local - 5, y, 10, 52, "local", radius=2, is_solid=True)
    p.text(local + 14, 133, "one transaction", 13, "local", "start")
    p.text(local - 14, 464, "one transaction", 13, "local", "end")
    p.text(local - 14, 482, "deletes the entry", 13, "local", "end")
    messages(p, app, evocation, local, outbox, server)
    p.mark(evocation, 128, "1")
    p.mark(evocation, 191, "2")
    p.mark(outbox, 394, "3")
    for y, name, text in (
            (566, "1", "A crash before the commit saves neither, and the call has not returned."),
            (594, "2", "A crash after it loses neither. The entry is sent after the next start."),
            (622, "3", "A crash before the answer is saved repeats the request, with the same key.")):
        p.mark(92, y, name)
        p.text(112, y + 5, text, 13, "ink", "start")
    return p


def messages(p, app, evocation, local, outbox, server):
    """What the parts of an offline write send each other, from top to bottom."""
    code = ("storeOne(note)", "result.isPending")
    for y, start, end, text, is_answer in (
            (80, app, evocation, "storeOne(note)", False),
            (110, evocation, local - 5, "model and entry", False),
            (146, local - 5, evocation, "saved", True),
            (172, evocation, app, "result.isPending", True),
            (330, outbox, local, "takes the entry", False),
            (366, outbox, server, "request and key", False),
            (422, server, outbox, "201 and model", True),
            (450, outbox, local + 5, "the answer", False),
            (486, local + 5, outbox, "saved", True),
            (520, outbox, app, "", True)):
        p.arrow((start, y), (end, y), dash=is_answer)
        p.text((start + end) / 2, y - 8, text, 13, mono=text in code)
    p.text((app + evocation) / 2, 512, "delivered", 13)


PICTURES = (architecture, entry_life, freshness, offline_write)
