PERFORM = "Sources/Evocation/Calls/Evocation+Perform.swift"
CALL = "Sources/Evocation/Routing/Call.swift"
UNDO = "Sources/Evocation/Routing/Call+Undo.swift"
ROUTE = "Sources/Evocation/Routing/Route.swift"
QUEUE = "Sources/Evocation/Writing/WriteQueue.swift"
DATES = "Sources/Evocation/Routing/FetchDates.swift"
KNOWN = "Sources/Evocation/Caching/Ledger/KnownFetches.swift"

expression(
    "a rule that does not fit its call is followed", CALL,
    "if let reason = «rule.misfit(for: operation.action)» {", "nil",
    "CallsTests.GivenRuleTests")
expression(
    "reads join those under another rule", CALL,
    "let isOwn = «isGiven && rule != wiring.strategy[operation.action]»", "false",
    "CallsTests.ReadJoinsTests")
expression(
    "a read joins others although its rule says not to", CALL,
    "guard «rule.joins», case .read", "true",
    "CallsTests.ReadJoinsTests")
expression(
    "a refused authorization undoes a write", CALL,
    "if «self == .refusal», metadata.error.map", "false",
    "CallsTests.RollbackTests")
expression(
    "what the remote refuses stays in local", ROUTE,
    "if outcome == .refusal, «rule.rollsBack», !situation", "false",
    "CallsTests.RollbackTests")
expression(
    "undoing leaves what was added", UNDO,
    "(«new.isEmpty || operation.action.isRemoval» ? []", "true",
    "CallsTests.RollbackTests")
expression(
    "writes on other instances wait for a slow one", CALL,
    "guard «rule.lanes == .instance», let ids", "false",
    "CallsTests.WriteLanesTests")
expression(
    "writes on one instance overtake each other", QUEUE,
    "«members[number]?.instances.allSatisfy { queues[$0]?.first == number } ?? true»", "true",
    "CallsTests.WriteLanesTests")
expression(
    "criteria are taken for fetched by a narrower fetch", DATES,
    "fetches.filter { «$0.conditions.isSubset(of: asked)» }", "true",
    "CallsTests.FetchDatesTests")
expression(
    "a page counts as a fetch of everything", DATES,
    "return «criteria.limit == nil || isOne»", "true",
    "CallsTests.FetchDatesTests")
expression(
    "a date from before the clock was set back is told", DATES,
    "guard «!record.isUndated», !record.isCleared", "true",
    "CallsTests.FetchDatesTests")
statement(
    "what was fetched is known only after a start", KNOWN,
    "state.records?[ByteText(tag)] = record", "",
    "CallsTests.FetchDatesTests")
expression(
    "what was fetched after the present date has an age", DATES,
    "«!DateGuard.isSetBack(answeredAt, from: record.fetchedAt)»", "true",
    "CallsTests.FetchDatesTests")
expression(
    "a value that is fetched while it is read is given the new date",
    "Sources/Evocation/Caching/Repository/CacheRepository+Reading.swift",
    "if «date == before» { return DatedValue", "true",
    "CallsTests.FetchDatesTests")
