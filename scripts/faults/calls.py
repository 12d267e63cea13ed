LANE = "Sources/Evocation/Routing/CallLane.swift"
LANES = "Sources/Evocation/Routing/LaneQueue.swift"
START = "Sources/Evocation/Routing/CallStart.swift"

expression(
    "a thread that stays in a job is not relieved", LANE,
    "guard «here == seen», stays >= patience", "false",
    "CallsTests.SlowCallTests")
expression(
    "what a relieved thread had not begun is forgotten", LANES,
    "waiting = «left(at: place) + waiting»", "waiting",
    "CallsTests.LaneQueueTests")
expression(
    "the calls of one model may keep any number of threads", LANES,
    "«held[item.owner, default: 0] < Self.mostHeld»", "true",
    "CallsTests.LaneQueueTests")
expression(
    "what waited for a thread of its model is forgotten", LANES,
    "waiting = «items + waiting»", "waiting",
    "CallsTests.LaneQueueTests")
expression(
    "a callback call starts among those that go on", START,
    "if «state.load(ordering: .relaxed) == .made» {", "false",
    "CallsTests.CallTests")
