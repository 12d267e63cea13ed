SENDING = "Sources/Evocation/Outbox/ModelChannel+Sending.swift"
CLAIMING = "Sources/Evocation/Outbox/ModelChannel+Claiming.swift"
MACHINE = "Sources/Evocation/Outbox/OutboxMachine.swift"
OUTCOME = "Sources/Evocation/Queueing/EntryOutcome.swift"
OVERLAY = "Sources/Evocation/Queueing/UnsentOverlay.swift"

expression(
    "what was discarded or edited since it was claimed is sent", SENDING,
    "guard let head, «head.id == entry.id», !head.isParked", "true",
    "OutboxTests.OutboxDependencyTests")
expression(
    "a rename is not told to those that wait for the former id", SENDING,
    "if let key = «outcome.key» {", "nil as String?",
    "OutboxTests.OutboxDependencyTests")
expression(
    "a lease counts from its renewal, and not from what is left of it", CLAIMING,
    ".mine(«min(rest, lease)»)", "lease", "OutboxTests.OutboxBadInputTests")
expression(
    "an entry is parked for a circle that it only waits for", CLAIMING,
    "outbox.isInCircle(«own»)", "reference", "OutboxTests.OutboxDependencyTests")
expression(
    "a look that ended early begins again", MACHINE,
    "channels[channel].isMidScan = «!scan.isAtEnd»", "false",
    "OutboxTests.OutboxScanTests")
expression(
    "a look that is on its way passes over what is to be looked for anew", MACHINE,
    "if let scan = found.scan, «!channels[channel].startsOver» {", "true",
    "OutboxTests.OutboxScanTests")
expression(
    "each look at what waits makes it wait longer", MACHINE,
    "channels[channel].waiting[position] = «min(known, now.adding(wait))»", "now.adding(wait)",
    "OutboxTests.OutboxScanTests")
expression(
    "what ended while it was looked after is waited for", MACHINE,
    "if «channels[channel].freed.contains(reference)» {", "false",
    "OutboxTests.OutboxScanTests")
expression(
    "a closed queue keeps a flush waiting", MACHINE,
    "return «state.isClosed» || !state.hasWork", "false", "OutboxTests.OutboxScanTests")
expression(
    "a page is not filled up where unsent writes took models away", OVERLAY,
    "missing: «isUnsent.count { $0 }»", "0", "OutboxTests.OutboxOverlayTests")

expression(
    "a look in a queue that has become empty never ends", CLAIMING,
    "Found(scan: «only.isEmpty ? end : nil»)", "nil", "OutboxTests.OutboxClaimTests")
expression(
    "no lease is renewed for what runs without an entry", CLAIMING,
    "if «limit > 0», try transaction.isEmpty {", "true",
    "OutboxTests.OutboxClaimTests")
expression(
    "a lease is taken again for the rounding of its date", CLAIMING,
    "rest <= «lease.adding(.seconds(1))» {\n          return .mine", "lease",
    "OutboxTests.OutboxClaimTests")
expression(
    "a removal takes away the model that was kept under its other id", OUTCOME,
    "«(first.kind == .remove) != (second.kind == .remove)»", "false",
    "OutboxTests.OutboxRenamingTests")
expression(
    "what may have arrived is sent behind a removal that was made after it", OUTCOME,
    "guard «kept.allSatisfy({ $0.entry?.wasAttempted == false })» else", "true",
    "OutboxTests.OutboxRenamingTests")
expression(
    "a model that was removed before it got its id is shown under that", OUTCOME,
    "case .entry(let last)? where «last.kind == .remove»:", "false",
    "OutboxTests.OutboxRenamingTests")

CONFLICTS = "OutboxTests.OutboxConflictTests"
LEASES = "Sources/Evocation/Outbox/OutboxMachine+Leases.swift"
LOOKING = "Sources/Evocation/Outbox/OutboxMachine+Looking.swift"

expression(
    "a flush does not wait for what the app decides at once", MACHINE,
    "if «resolving.values.contains(where: { $0.adding(Self.patience) > now })» { return false }",
    "false", "OutboxTests.OutboxMachineTests")
expression(
    "nothing wakes a flush that waits for the app", LOOKING,
    "if «flushes > 0» { moments += resolving", "false", "OutboxTests.OutboxMachineTests")
expression(
    "a new entry is taken for the deleted one whose position it has", MACHINE,
    "«channel.ended[item.position] == item.id» ||", "channel.ended[item.position] != nil", "OutboxTests.OutboxMachineTests")
expression(
    "a new entry whose position is on its way is forgotten", MACHINE,
    "onItsWay(item).map { «$0.id != item.id» }", "false", "OutboxTests.OutboxMachineTests")
expression(
    "what many wait before hides what comes after them", MACHINE,
    "scan.isAtEnd ? «lastBlocked ?? .min» : scan.last", "(lastBlocked == nil ? .min : scan.last)",
    "OutboxTests.OutboxScanTests")
expression(
    "a lease is given back while something runs", LEASES,
    "!ofStore.contains(where: { «channels[$0].isClaiming || isBusy($0)» })", "false",
    "OutboxTests.OutboxMachineLeaseTests")
expression(
    "a lease is taken for one's own while it is being given back", LOOKING,
    "«!releasing.contains(state.store)»\n", "true", "OutboxTests.OutboxMachineLeaseTests")
expression(
    "a process that paused keeps its lease", LEASES,
    "guard «isPausedByApp» || held", "false", "OutboxTests.OutboxLeaseTests")
expression(
    "a pause that the store asks for never ends by itself", LEASES,
    "held.contains(channels[channel].store) && channels[channel].wantsScan && «!isPausedByApp»",
    "false", "OutboxTests.OutboxMachineLeaseTests")
expression(
    "a look that began before the sign-out ends it", MACHINE,
    "if «channels[channel].asksWhetherHeld» {", "true", "OutboxTests.OutboxMachineLeaseTests")
expression(
    "a store that is held is asked over and over for what runs", LEASES,
    "guard isBusy(channel), «!held.contains(store)»", "true",
    "OutboxTests.OutboxMachineLeaseTests")
expression(
    "the remote is asked by another key than it knows", SENDING,
    "let key = «(remote as? any SharedService)?.identifierKey ?? \"id\"»", "\"id\" as Criteria.Key",
    CONFLICTS)
expression(
    "a conflict about which the remote cannot be asked is asked about for ever", SENDING,
    "guard «FailureKind(error) != .permanent» else", "true", CONFLICTS)
expression(
    "asking again for what an answer lacks has no timeout", "Sources/Evocation/Routing/Call+Outbox.swift",
    "let patience = «timeout».map", "nil as Duration?", "OutboxTests.OutboxOverlayTests")
expression(
    "who observes is told nothing of model types that are registered later",
    "Sources/Evocation/Outbox/Outbox+Seeing.swift",
    "for channel in channels where «queues[ObjectIdentifier(channel)] == nil» {", "last == nil",
    "OutboxTests.OutboxLifeTests")
