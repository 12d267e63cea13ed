ANSWER = "Sources/Evocation/Observing/ObservedAnswer.swift"
DEMAND = "Sources/Evocation/Observing/ObserverDemand.swift"
HUB = "Sources/Evocation/Observing/ObservationHub.swift"

expression(
    "changes are worked into a page as if it were the whole", ANSWER,
    "criteria.limit == nil && criteria.offset == 0 && criteria.cursor == nil",
    "criteria.offset == 0 && criteria.cursor == nil",
    "EvocationTests.ObserveTests")
expression(
    "a model that no longer matches stays in what is observed", ANSWER,
    "case (nil, _?), (_?, nil): «hasChanged = true»", "hasChanged = before == nil",
    "EvocationTests.Observ")
expression(
    "an observer of a prefix is asked about that text alone", DEMAND,
    "case .hasPrefix(let key, let prefix):\n      "
    "[.range(key, .text(prefix), «prefix.afterAllWithPrefix.map { .text($0) }»)]",
    ".text(prefix)",
    "EvocationTests.Observer")
statement(
    "an observer of one of several is found by the first condition's key alone", DEMAND,
    "guard let demands else { «return nil» }", "continue",
    "EvocationTests.Observer")
statement(
    "the mailbox of a slow reader drops letters and says nothing",
    "Sources/Evocation/Observing/Mailbox.swift",
    "state.hasLost = true", "",
    "EvocationTests.Observ")
statement(
    "the last observer that leaves leaves the repository taken for observed", HUB,
    "defer { «if state.observers.isEmpty { state.source = nil }» }", "",
    "EvocationTests.ObservationEndTests")
expression(
    "an answer is taken with the changes that it holds already",
    "Sources/Evocation/Observing/Observer.swift",
    "return arrived[«held»...]", "0",
    "EvocationTests.ObservationEndTests")
