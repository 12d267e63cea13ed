BOUNDS = "Sources/Evocation/Internal/BoundedArithmetic.swift"
DEADLINES = "Sources/Evocation/Internal/Deadlines.swift"

expression(
    "what is too long to sleep is handed to a clock that cannot count so far",
    "Sources/Evocation/Internal/TimeSource.swift",
    "guard «duration < .tooLongToSleep» else", "true",
    "ValuesTests.TimeExtremesTests")
expression(
    "what is no number of seconds ends the process", BOUNDS,
    "guard «!seconds.isNaN» else", "true",
    "ValuesTests.DurationBoundsTests")
expression(
    "the time to an earlier date is known", BOUNDS,
    "guard «seconds >= 0» else", "!seconds.isNaN",
    "ValuesTests.DurationBoundsTests")
expression(
    "a sum of durations ends the process", BOUNDS,
    "{ «(bounded + other.bounded).bounded» }", "self + other",
    "ValuesTests.DurationBoundsTests")
expression(
    "what is due first waits for what was there before", DEADLINES,
    "«sleeper.end <= end» { return nil }", "true",
    "ValuesTests.DeadlinesTests")
expression(
    "nobody waits for what comes after the first", DEADLINES,
    "guard «state.actions.isEmpty» else", "true",
    "ValuesTests.DeadlinesTests")
statement(
    "what comes later is waited for only once", DEADLINES,
    "if let next = state.actions.values.lazy.map(\.time).min() { _ = wait(until: next, &state) }", "",
    "ValuesTests.DeadlinesTests")
