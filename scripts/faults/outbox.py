expression(
    "A store that never left and its removal send nothing", "EntryMerge.init",
    "case (.store, .remove): «.cancel»", ".replace(.remove)", "OutboxTests")
statement(
    "Further edits of an entry keep what the first one was made on", "WriteQueueing.queue",
    "last.model = model", "last.model = model; last.base = before", "OutboxTests")
expression(
    "An entry has one idempotency key over all attempts", "ModelChannel.attempt",
    "withValue(«entry.id»)", "EntryID.make()", "OutboxTests|OutboxSharingTests")
expression(
    "The outbox sends nothing that was discarded or edited since it was claimed", "ModelChannel.present",
    "head.id == entry.id", "true", "OutboxDependencyTests")
expression(
    "Writes on an instance that has got its id go before those that refer to it", "ModelChannel.next",
    "outcome.key", "nil as String?", "OutboxDependencyTests")
expression(
    "An entry that may have arrived keeps its place when two ids become one",
    "OutboxTransaction.sendLastWhatIsKept",
    "kept.allSatisfy({ $0.entry?.wasAttempted == false })", "true", "OutboxRenamingTests")
expression(
    "An entry that only waits for a circle is not parked with it", "ModelChannel.release",
    "isInCircle(«own»)", "reference", "OutboxDependencyTests")
expression(
    "An entry is sent though what it waits for ends just as it is looked at", "OutboxMachine.take",
    "channels[channel].freed.contains(reference)", "false", "OutboxScanTests")
expression(
    "Entries are sent though many before them wait for others", "OutboxMachine.note",
    "lastBlocked ?? .min", "(lastBlocked == nil ? .min : scan.last)", "OutboxScanTests")
expression(
    "A new entry is sent though a sent one had its position", "OutboxMachine.isKnown",
    "channel.ended[item.position] == item.id", "channel.ended[item.position] != nil", "OutboxMachineTests")
expression(
    "A lease counts from its renewal", "ClaimLook.takeLease",
    "min(rest, lease)", "lease", "OutboxBadInputTests")
expression(
    "A process keeps its lease while it sends", "OutboxMachine.releases",
    "channels[$0].isClaiming || isBusy($0)", "false", "OutboxMachineLeaseTests")
expression(
    "A process claims nothing while it gives its lease back", "OutboxMachine.nextClaim",
    "!releasing.contains(state.store)", "true", "OutboxMachineLeaseTests")
expression(
    "Requests that fail together lengthen the pause once", "ServicePace.leave",
    "request.round == round", "true", "ServicePaceTests")
expression(
    "A connection that comes back shortens no Retry-After", "ServicePace.room",
    "max(opening, refusedUntil)", "opening", "ServicePaceTests")
expression(
    "A service silences the outbox for a limited time only", "ServicePace.fail",
    "min(max(retryAfter ?? .zero, .zero), Self.longestRetryAfter)", "max(retryAfter ?? .zero, .zero)",
    "ServicePaceTests")
expression(
    "An answer is filled up where unsent writes take models from it", "UnsentOverlay.shown",
    "isUnsent.count { $0 }", "0", "OutboxOverlayTests")
expression(
    "A fetch is never saved over what is unsent", "SQLiteRepository.attempt",
    "write.sparingUnsent(in: part)", "write", "OutboxTrialTests")
statement(
    "An entry that was changed waits for what it refers to now", "SQLiteTransaction.replace",
    "try outbox.deleteReferences(of: queue.queue, entry.position)", "", "OutboxTrialTests")
statement(
    "The outbox is told of each commit that changes its entries", "TransactionScope.tell",
    "if hasChangedQueue { database.queueObservers.tell() }", "", "SQLiteOutboxTests")
expression(
    "Both of two models whose ids look alike are kept and sent", "WriteQueueing.perform",
    "models.lastOfEach(by: transaction.instance)",
    "models.lastOfEach(by: { try transaction.key(of: $0) })", "LikeIDsTests")
expression(
    "References to ids that look alike are two", "Reference.==",
    "left.key.hasSameBytes(as: right.key)", "left.key == right.key", "LikeIDsTests")
