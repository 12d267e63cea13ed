RACE = "Sources/Evocation/Routing/Race.swift"
ROUTE = "Sources/Evocation/Routing/Route.swift"
ATTEMPT = "Sources/Evocation/Routing/Call+Attempt.swift"
QUEUE = "Sources/Evocation/Routing/WriteQueue.swift"
LINE = "Sources/Evocation/Routing/WriteLine.swift"
LOG = "Sources/Evocation/Routing/FetchLog.swift"

statement(
    "a cancelled caller waits for the race to end", RACE,
    "first.fulfil(.failure(CancellationError()))", "",
    "EvocationTests.TimingTests")
statement(
    "what lost the race goes on", RACE,
    "worker.cancel()", "",
    "EvocationTests.TimingTests")
expression(
    "a repository's error after a cancellation stays what it is", ATTEMPT,
    "throw «Task.isCancelled ? Cancellation.error() : error»", "error",
    "EvocationTests.FaultTests")
expression(
    "a cancelled call falls back", ROUTE,
    "if «outcome == .cancelled, asked != .synchronization» {", "false",
    "EvocationTests.RouteTests")
expression(
    "after a fallback the counterpart is synchronized", ROUTE,
    "guard outcome == .failure else { return «.end(Verdict(origin: fallback))» }",
    "outcome == .models ? .synchronize(rule.target) : .end(Verdict(origin: fallback))",
    "EvocationTests.RouteTests")
expression(
    "a write falls back on an empty answer", ROUTE,
    "(outcome == .empty && situation.action.isRead &&", "(outcome == .empty &&",
    "EvocationTests.RouteTests")
expression(
    "an upsert synchronizes an empty answer", ROUTE,
    "case .upsert: «outcome == .models»", "outcome == .models || outcome == .empty",
    "EvocationTests.RouteTests")
expression(
    "an answer of a cache that is too old is no reason to fetch", ROUTE,
    "revalidates: «!situation.isFresh»", "false",
    "EvocationTests.RouteTests")
expression(
    "what a read fetched is saved over a write that was made meanwhile", LINE,
    "guard «queue.mark == mark, mark.isQuiet» else", "mark.isQuiet",
    "EvocationTests")
expression(
    "who left the line before the turn keeps those behind waiting", QUEUE,
    "while «left.remove(head) != nil» { head += 1 }", "false",
    "EvocationTests.CallTests")
expression(
    "what was fetched just as long ago as it may be is old", LOG,
    "now - time <= maxAge", "now - time < maxAge",
    "EvocationTests")
expression(
    "more and more fetches are remembered", LOG,
    "times.count > Self.capacity", "false",
    "EvocationTests")
statement(
    "an answer is fetched anew behind it only once",
    "Sources/Evocation/Routing/Call+Synchronize.swift",
    "defer { «proxy.fetches.withLock { $0.endRevalidating(criteria) }» }", "",
    "EvocationTests.TimingTests")
