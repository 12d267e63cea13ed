RACE = "Sources/Evocation/Internal/Race.swift"
ROUTE = "Sources/Evocation/Routing/Route.swift"
ATTEMPT = "Sources/Evocation/Routing/Call+Attempt.swift"
QUEUE = "Sources/Evocation/Writing/WriteQueue.swift"
WRITTEN = "Sources/Evocation/Writing/WrittenModels.swift"
MARKS = "Sources/Evocation/Writing/WriteMarks.swift"
SYNCHRONIZE = "Sources/Evocation/Routing/Call+Synchronize.swift"
CALL = "Sources/Evocation/Routing/Call.swift"
RECORD = "Sources/Evocation/Results/CallRecord.swift"
JOINS = "Sources/Evocation/Routing/ReadJoins.swift"
LOG = "Sources/Evocation/Routing/CriteriaFreshness.swift"

statement(
    "a cancelled caller waits for the race to end", RACE,
    "first.fulfil(.failure(CancellationError()))", "",
    "CallsTests.TimingTests")
statement(
    "what lost the race goes on", RACE,
    "«worker.cancel()»\n    timer.cancel()", "",
    "CallsTests.TimingTests")
expression(
    "a repository's error after a cancellation stays what it is", ATTEMPT,
    "throw «Task.isCancelled ? Cancellation.error() : error»", "error",
    "CallsTests.FaultTests")
expression(
    "a cancelled call falls back", ROUTE,
    "if «outcome == .cancelled», asked != .synchronization, asked", "false",
    "CallsTests.RouteCancellationTests")
expression(
    "after a fallback the counterpart is synchronized", ROUTE,
    "guard outcome.isFailure else { return «.end(Verdict(origin: fallback))» }",
    "outcome == .models ? .synchronize(rule.target) : .end(Verdict(origin: fallback))",
    "CallsTests.RouteTests")
expression(
    "a write falls back on an empty answer", ROUTE,
    "outcome.isFailure || outcome == .empty && «situation.action.isRead»", "true",
    "CallsTests.RouteTests")
expression(
    "an upsert synchronizes an empty answer", ROUTE,
    "case .upsert: «outcome == .models»", "outcome == .models || outcome == .empty",
    "CallsTests.RouteTests")
expression(
    "an answer of a cache that is too old is no reason to fetch", ROUTE,
    "revalidates: «!situation.isFresh»", "false",
    "CallsTests.RouteTests")
expression(
    "what was fetched is saved over what the app wrote meanwhile", WRITTEN,
    "let fate = «fates[id]»", "Fate?.none",
    "ListsTests.WrittenMeanwhileTests")
expression(
    "what the remote alone wrote is left as local has it", WRITTEN,
    "models.append(«newer»)", "model",
    "ListsTests.WrittenMeanwhileTests")
statement(
    "nobody is told what a write has written", "Sources/Evocation/Routing/Call.swift",
    "if !operation.isRead { noteWritten(record.metadata, remote: remote, local: local) }", "",
    "ListsTests.WrittenMeanwhileTests")
expression(
    "what was written since a mark goes with a later one", MARKS,
    "return «index == 0» ?", "true",
    "CallsTests.WriteMarksTests")
expression(
    "a read waits for the writes that are on their way", SYNCHRONIZE,
    "guard «isBehindWrite» else", "false",
    "ListsTests.WrittenMeanwhileCriteriaTests")
expression(
    "a page has room for what was dropped from it", "Sources/Evocation/Writing/FetchedModels.swift",
    "guard «dropped > 0», let limit", "false",
    "ListsTests.WrittenMeanwhileCriteriaTests")
expression(
    "who left the line before the turn keeps those behind waiting", QUEUE,
    "while «left.remove(head) != nil» { head += 1 }", "false",
    "CallsTests.CallTests")
expression(
    "what was fetched just as long ago as it may be is old", LOG,
    "age <= maxAge", "age < maxAge",
    "CallsTests.TimingTests")
expression(
    "more and more fetches are remembered", LOG,
    "records.count > Self.mostReads", "false",
    "ListsTests.RuleAgeTests")
expression(
    "what was fetched into the repository before counts for the new one", LOG,
    "wiring.place.replacedAt.map({ record.fetchedAt > $0 }) ?? true", "true",
    "CallsTests.TimingTests")
expression(
    "a read takes what was asked before a write", JOINS,
    "$0.writes == writes", "$0.writes <= writes",
    "CallsTests.ReadJoinsTests")
expression(
    "who waits for a read that is cancelled is cancelled with it", CALL,
    "joined.outcome.fulfil(«isNothing ? .nothing : .result(result)»)", ".result(result)",
    "CallsTests.ReadJoinsTests")
statement(
    "an answer is fetched anew behind it only once",
    SYNCHRONIZE,
    "«_ = proxy.joins.end(ticket)»", "",
    "CallsTests.TimingTests")
expression(
    "the trace forgets a repository's first part in a call", RECORD,
    "if steps != nil || «metadata[type] != nil»", "false",
    "ValuesTests.TraceTests")
expression(
    "the trace tells the fallback before the target", RECORD,
    "case .fallback: «2»", "0",
    "ValuesTests.TraceTests")
statement(
    "a fallback that is not registered is named nowhere", ROUTE,
    "missingFallback = fallback", "",
    "ValuesTests.TraceTests")
expression(
    "what counts models is synchronized", ROUTE,
    "guard «situation.givesModels» else { return false }", "true",
    "CallsTests.CountTests")
expression(
    "what is old is counted, and counting is to refresh it", ROUTE,
    "«rule.revalidates && situation.givesModels»", "rule.revalidates",
    "CallsTests.CountTests")
expression(
    "a mirror that failed half-way says nothing of what it did", SYNCHRONIZE,
    "isInSteps: «!isWhole && (isMirroring || rule.maxAge != nil)»", "false",
    "CallsTests.MirrorTests")
expression(
    "a mirror in one transaction is said to be half done", SYNCHRONIZE,
    "let isWhole = «type == .local && wiring.place.transactional != nil»", "false",
    "CallsTests.MirrorTests")
