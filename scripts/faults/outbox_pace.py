PACE = "Sources/Evocation/Outbox/ServicePace.swift"
INTERVAL = "Sources/Evocation/Outbox/ServiceInterval.swift"

expression(
    "requests that fail together make the pause longer several times", PACE,
    "guard «request.round == round» else", "true",
    "EvocationTests.ServicePaceTests")
expression(
    "coming back overrides what the service asked for", PACE,
    "let opening = «max(opening, refusedUntil)»", "opening",
    "EvocationTests.ServicePaceTests")
expression(
    "a hostile Retry-After silences an app for ever", PACE,
    "let asked = «min(max(retryAfter ?? .zero, .zero), Self.longestRetryAfter)»",
    "max(retryAfter ?? .zero, .zero)",
    "EvocationTests.ServicePaceTests")
expression(
    "after an outage all send as fast as they can", INTERVAL,
    "atLeast(«pause.multiplied(by: Self.share)», at: now)", ".zero",
    "EvocationTests.ServiceIntervalTests")
