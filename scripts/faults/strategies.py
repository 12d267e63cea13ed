RETRY = "Sources/Evocation/Strategies/Strategy.Retry.swift"
MISFIT = "Sources/Evocation/Strategies/Strategy.Rule.swift"

expression(
    "a retry asks once more than its attempts", RETRY,
    "failures < attempts", "failures <= attempts",
    "CallsTests.TimingTests")
expression(
    "a pause is shorter than the service asked for", RETRY,
    "return «max(pause, (error as? any ClassifiedError)?.retryAfter ?? .zero)»", "pause",
    "CallsTests.TimingTests")
expression(
    "a retry's pauses grow from the second on", RETRY,
    "Double(failures - 1)", "Double(failures)",
    "CallsTests.TimingTests")
expression(
    "a rule mirrors with a local target", MISFIT,
    "case .mirror where «target == .local»", "false",
    "ValuesTests.StrategyTests")
expression(
    "a fallback that is the target is taken", MISFIT,
    "guard «fallback == target» else { return nil }", "false",
    "ValuesTests.StrategyTests")
expression(
    "by default a removal begins at local",
    "Sources/Evocation/Strategies/Strategy.swift",
    "$0.isRead || $0.isRemoval ? remoteFirst : localFirst", "$0.isRead ? remoteFirst : localFirst",
    "ValuesTests.StrategyTests")
expression(
    "a removal that nothing does later is not warned of",
    "Sources/Evocation/Routing/Strategy.Explanation+Warnings.swift",
    "if let fallback = «rule.fallback» {", "action.isRemoval ? nil : rule.fallback",
    "CallsTests.ExplanationTests")
expression(
    "a ready-made name means something else within Strategy(_:)",
    "Sources/Evocation/Strategies/Strategy.swift",
    "self = «strategy»", "Strategy(reads: strategy[.find], writes: strategy[.find])",
    "ValuesTests.StrategyTests")
expression(
    "an infinite multiplier is taken", MISFIT,
    "if «multiplier.isInfinite» {", "false",
    "ValuesTests.TimeExtremesTests")
expression(
    "a write past the outbox is not warned of",
    "Sources/Evocation/Routing/Strategy.Explanation+Warnings.swift",
    "guard «reachesRemote», !queued.isEmpty", "false",
    "CallsTests.ExplanationTests")
expression(
    "what local does not have is said to be sent",
    "Sources/Evocation/Routing/Strategy.Explanation+Description.swift",
    "if needsOutbox, origin == .local, «!isEmpty»", "true",
    "CallsTests.ExplanationTests")
expression(
    "a service keeps a rule waiting for an hour", RETRY,
    "if «wait > maximumDelay» {", "false",
    "CallsTests.RetryAfterTests")
expression(
    "a service keeps a rule waiting beyond its timeout", RETRY,
    "guard let left, let timeout, «wait >= left» else", "false",
    "CallsTests.RetryAfterTests")
expression(
    "a wait of a service is measured by the whole timeout",
    "Sources/Evocation/Routing/Call+Attempt.swift",
    "rule.timeout.map { «start.adding($0).subtracting(time.now())» }", "$0",
    "CallsTests.RetryAfterTests")
expression(
    "a refusal falls back as what may pass does",
    "Sources/Evocation/Routing/Call.swift",
    "FailureKind(error) == .transient ? .failure : «.refusal»", ".failure",
    "CallsTests.RouteTests")
expression(
    "a refusal is not explained",
    "Sources/Evocation/Routing/Strategy.Explanation+Rows.swift",
    "(«tellsRefusals» && role == .target", "false",
    "CallsTests.ExplanationTests")
