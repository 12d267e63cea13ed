STEP = "Sources/Evocation/Results/Evocation.Trace.Step+Codable.swift"

expression(
    "a trace as JSON rounds its durations to whole seconds", STEP,
    "fields.encode(«duration.seconds», forKey: .duration)", "duration.seconds.rounded()",
    "ValuesTests.TraceTests")
