QUEUE = "Sources/Evocation/Logging/LogQueue.swift"
TEXT = "Sources/Evocation/Logging/LoggedError.swift"
ENTRY = "Sources/Evocation/Logging/Evocation.Log.Call+Record.swift"
LOG = "Sources/Evocation/Logging/Evocation.Log.swift"
REPLAY = "Sources/EvocationTesting/Recording/TraceReplay.swift"
RECORDER = "Sources/EvocationTesting/Recording/TraceRecorder.swift"

expression(
    "a log that is not written keeps every entry", QUEUE,
    "guard «state.waiting.count < Self.capacity» else", "true",
    "CallsTests.LogTests")
expression(
    "values of criteria are logged unasked", TEXT,
    "if «showsValues» { return criteria.tag }", "true",
    "CallsTests.LogTests")
expression(
    "an error's text is logged unasked", ENTRY,
    "guard case .failed = outcome, «!showsValues» else", "false",
    "CallsTests.LogTests")
expression(
    "what a log's closure calls is logged", LOG,
    "if «LogQueue.isWriting» { return }\n      for sink in sinks {\n        sink.queue.add", "false",
    "CallsTests.LogTests")
expression(
    "a log is given what its levels leave out", LOG,
    "sinks.filter { «$0.levels.contains(level)» }", "true",
    "CallsTests.LogTests")
expression(
    "a replay answers another question than the recorded one", REPLAY,
    "repository: call.repository, given: «call.given»)", "JSONValue.null",
    "TestingTests.TraceReplayTests")
expression(
    "a recording without values has the texts of traces", RECORDER,
    "let trace = «includesValues» ? trace", "true",
    "TestingTests.TraceReplayTests")
