ANSWER = "Sources/Evocation/Observing/ObservedAnswer.swift"
INDEX = "Sources/Evocation/Observing/ObserverIndex.swift"
OBSERVER = "Sources/Evocation/Observing/Observer.swift"
HUB = "Sources/Evocation/Observing/ObservationHub.swift"

expression(
    "changes are worked into a page as if it were the whole", ANSWER,
    "criteria.limit == nil && criteria.offset == 0 && criteria.cursor == nil",
    "criteria.offset == 0 && criteria.cursor == nil",
    "CallsTests.ObserveTests")
expression(
    "a model that no longer matches is not told as gone", ANSWER,
    "guard let old, let new else { return «old == nil && new == nil» }", "new == nil",
    "CallsTests.Observ")
expression(
    "a model that moves in the order stays where it was", ANSWER,
    "if let place = step.before, «place != step.after?.place»", "step.after == nil",
    "CallsTests.Observ")
expression(
    "an observer of two conditions is looked up by neither value of the other", INDEX,
    "case .all: parts.compactMap(\\.self).min { «$0.count < $1.count» }", "$0.count > $1.count",
    "CallsTests.Observer")
statement(
    "an observer of one of several is found by the first condition's key alone", INDEX,
    "guard let values else { «return nil» }", "continue",
    "CallsTests.Observer")
statement(
    "the buffer of a slow reader drops events and says nothing",
    "Sources/Evocation/Internal/EventBuffer.swift",
    "state.hasLost = true", "",
    "CallsTests.Observ")
statement(
    "the last observer that leaves leaves the repository taken for observed", HUB,
    "defer { «state.source = nil» }", "",
    "CallsTests.ObservationEndTests")
expression(
    "an answer is taken with the changes that it holds already", OBSERVER,
    "guard «changed > version» else { return nil }", "true",
    "CallsTests.ObservationEndTests")
statement(
    "changes are worked into an answer of which nobody knows what it holds", OBSERVER,
    "guard let version, let changed = change.version else {\n      «asksAgain = true»", "",
    "CallsTests.VersionTests")
expression(
    "a repository that counts its commits backwards is believed", HUB,
    "guard «version <= last» else { return change }", "false",
    "CallsTests.VersionTests")
