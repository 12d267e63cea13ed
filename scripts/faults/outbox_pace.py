PACE = "Sources/Evocation/Outbox/ServicePace.swift"

expression(
    "requests that fail together make the pause longer several times", PACE,
    "guard «request.round == round» else", "true",
    "OutboxTests.ServicePaceTests")
expression(
    "coming back overrides what the service asked for", PACE,
    "let opening = «max(opening, refusedUntil)»", "opening",
    "OutboxTests.ServicePaceTests")
expression(
    "a hostile Retry-After silences an app for ever", PACE,
    "let asked = «min(max(retryAfter ?? .zero, .zero), Self.longestRetryAfter)»",
    "max(retryAfter ?? .zero, .zero)",
    "OutboxTests.ServicePaceTests")
expression(
    "after an outage all send as fast as they can", PACE,
    "caution = «pause.caution»", ".zero",
    "OutboxTests.ServicePaceOutageTests")
expression(
    "all whose pauses have become the longest come at its end", PACE,
    "let ofLongest = «earlier < longest ? min(jitter.multiplied(by: 2), most) : .zero»", "jitter",
    "OutboxTests.ServicePaceOutageTests")
expression(
    "what a user asks for is sent with the caution of a fleet", PACE,
    "Pause(length: pause.length, caution: «.zero»)", "pause.caution",
    "OutboxTests.ServicePaceOutageTests")
