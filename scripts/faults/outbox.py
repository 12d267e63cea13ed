expression(
    "A store that never left and its removal send nothing", "EntryMerge.init",
    "case (.store, .remove): «.cancel»", ".replace(.remove)", "OutboxTests")
statement(
    "Further edits of an entry keep what the first one was made on", "OutboxTransaction.merge",
    "(entry.kind, entry.model) = (kind, model)",
    "(entry.base, entry.kind, entry.model) = (entry.model, kind, model)", "OutboxTests")
expression(
    "An entry has one idempotency key over all attempts", "ModelChannel.withWriteContext",
    "withValue(«entry.id»)", "EntryID.make()", "OutboxTests|OutboxSharingTests")
expression(
    "An entry that may have arrived keeps its place when two ids become one",
    "OutboxTransaction.moveBack",
    "records.allSatisfy({ $0.entry?.wasAttempted == false })", "true", "OutboxRenamingTests")
expression(
    "What may have arrived under one id is sent before what was written under the other",
    "OutboxTransaction.order", "read.contains(where: { $0.entry?.mayHaveArrived == true })", "false", "OutboxRenamingTests")
expression(
    "What was written under an id goes with its removal",
    "OutboxTransaction.order", "!$0.wasAttempted && $0.unit == nil", "$0.kind == .remove",
    "OutboxRenamingTests")
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
    "A fetch is never saved over what is unsent", "SQLiteTransaction.perform",
    "write.sparingUnsent(in: self)", "write", "OutboxTrialTests")
expression(
    "Both of two models whose ids look alike are kept and sent", "WriteQueueing.perform",
    "models.lastOfEach(by: transaction.instance)",
    "models.lastOfEach(by: { try transaction.key(of: $0) })", "LikeIDsTests")
expression(
    "References to ids that look alike are two", "Reference.==",
    "left.key.hasSameBytes(as: right.key)", "left.key == right.key", "LikeIDsTests")
expression(
    "The entry behind one that has ended is taken while its end is being kept", "OutboxMachine.reserve",
    "running[instance]?.item == left", "false", "OutboxMachineTests")
expression(
    "An attempt whose end could not be kept ends all the same", "OutboxMachine.giveBack",
    "running[left.instance]?.item != left", "true", "OutboxMachineTests")
expression(
    "Entries of a service that is left alone hold up no other's", "OutboxMachine.reserve",
    "stores[store]?.services.values.contains(where: { hasRoom($0, at: now) }) == true", "false",
    "OutboxMachineTests")
expression(
    "A lease counts from its renewal", "EntryLook.takeLease", "min(rest, lease)", "lease",
    "OutboxBadInputTests")
expression(
    "A lease of another process lasts as long as that took it for", "EntryLook.takeLease",
    "min(present.length, Self.longestLease)", "lease", "OutboxResumeTests")
expression(
    "A process keeps its lease while it sends", "OutboxMachine.givesLeaseBack", "!isBusy(store)", "true",
    "OutboxMachineTests")
expression(
    "A process looks for nothing while it gives its lease back", "OutboxMachine.look",
    "state.lease != .returning", "true", "OutboxMachineTests")
expression(
    "A flush waits for a resolver that pauses the outbox", "OutboxMachine.isSettled",
    "guard «!isAnswerNear» else", "!isAnswerNear || !maySend", "OutboxMachineTests")
expression(
    "A flush waits for a lease that is being given back", "OutboxMachine.isSettled",
    "$0.lease == .returning && $0.reason > .none", "false", "OutboxResumeTests")
expression(
    "A removal waits for what was written to refer to the model", "EntryLook.predecessor",
    "row.kind != .remove", "true", "OutboxOrderTests")
statement(
    "An entry that was changed waits for what it refers to now", "SQLiteTransaction.replace",
    "try store.deleteReferences(of: entry.position)", "", "OutboxTrialTests")
statement(
    "The outbox is told of each commit that changes its entries", "EntryStore.tell",
    "if hasChanged { database.queueObservers.tell() }", "", "SQLiteOutboxTests")
expression(
    "A refresh does not move what an edit was made on", "OutboxTransaction.setSeen",
    "(head.seen, head.isSeenSince) = (seen, head.wasAttempted)",
    "(head.base, head.isSeenSince) = (seen, head.wasAttempted)", "OutboxBaseTests")
expression(
    "An edit is put on top of what the one before it became, property by property",
    "Rebasing.rebased", "mine[key] == before[key]", "false", "OutboxBaseTests")
expression(
    "A conflict is seen though the type's own equality looks at ids alone", "Outbox.Entry.isDone",
    "Rebasing.areSame(present, mine ?? model)",
    "(ModelAccess<Model>.make()?.areSame(present, model) ?? false)",
    "OutboxBaseTests")
expression(
    "Without a version the remote is asked before a change is sent", "Outbox.Entry.needsComparison",
    "changes && version == nil", "false", "OutboxBaseTests")
expression(
    "An answer that the service repeats puts nothing back", "OutboxTransaction.acknowledge",
    "isRepeated && «first.isSeenSince» &&", "false", "OutboxLateAnswerTests")
expression(
    "What is written to an id that the service replaced goes to the new one", "WriteQueueing.present",
    "try transaction.instance(of: renamed) == ByteText(renaming.key)", "false", "OutboxOldIDTests")
expression(
    "A write that is sent over what others wrote is another request", "Outbox.Entry.renew",
    "!keepsID", "false", "OutboxRefusalTests")
expression(
    "What says nothing of a write does not park it", "ModelChannel.end",
    "FailureScope(error)",
    "FailureKind(error) == .permanent || FailureKind(error) == .conflict ? FailureScope.write : .service",
    "OutboxNetworkTests")
expression(
    "What is saved takes its turn", "WriteSerializer.run", "try await turn(ticket)", "()",
    "WrittenMeanwhileTests")
expression(
    "What both sides changed is not taken from one of them unasked", "Outbox.Resolution.mergedByFields",
    "isTheirs || base == nil", "base == nil", "OutboxMergingTests")
expression(
    "A write that is discarded is told so", "Outbox.outcome",
    "case .gone: let isDiscarded = «deliveries.withLock { $0.isDiscarded(row.id) }»", "false",
    "OutboxDeliveryTests")
expression(
    "What a service said about a refused write stays with it", "ModelChannel.park",
    "entry.words = «failure.words»", "nil", "OutboxFailureTests")
expression(
    "What a service said is kept over a restart", "SQLiteTransaction.setState",
    "EntryRow.stored(«entry.words»)", "nil", "OutboxFailureFileTests")
expression(
    "A new model that is removed before it left is discarded", "WriteQueueing.queue",
    "note.recordWithdrawn?(last.id)", "()", "OutboxDeliveryTests")
expression(
    "None of what is written together is sent before all can be", "EntryLook.isFree",
    "row.position > unit ? [row] : try entries.rows(ofUnit: unit, limit: .max)", "[row]",
    "OutboxUnitTests")
expression(
    "What is written together goes one after another", "EntryLook.isFree",
    "first.position == row.position", "true",
    "OutboxFailingWriteTests")
expression(
    "A later write is not merged into what was written together", "OutboxTransaction.last",
    "entry.unit == nil", "true", "OutboxUnitTests")
expression(
    "What is written together is parked together", "OutboxTransaction.changeState",
    "found.isParked || found.state == .pending", "false", "OutboxUnitTests")
statement(
    "What is written together is discarded together", "OutboxEntries.rows",
    "rest += try rows(ofUnit: unit, limit: .max)", "", "OutboxUnitTests")
expression(
    "What is written together is written in the turn of all its models", "WriteUnit.keep",
    "lines(of: writes)", "[WriteSerializer]()", "OutboxUnitTests")
expression(
    "One that a service refuses the credential of has it left alone", "ModelChannel.send",
    "isSaid($0) && !isSaid($1)", "!isSaid($0) && isSaid($1)", "HTTPUnitTests")
expression(
    "What the service has answered of a refused request is so", "ModelChannel.send",
    "keeping.reversed()", "refusals.isEmpty ? keeping.reversed() : []", "HTTPUnitTests")
expression(
    "How a model stands is told without decoding its entry", "OutboxTransaction.syncStates",
    "id ?? record(at: row.position)?.entry?.model.id", "record(at: row.position)?.entry?.model.id",
    "UnreadableEntriesTests")
expression(
    "An attempt that the service is busy with is repeated under its own key", "ModelChannel.decide",
    "entry.isUnchanged(in: theirs)", "false", "OutboxRefusalTests")
statement(
    "A removal that was refused is sent again under another key", "OutboxTransaction.edit",
    "if found.isParked { found.renew(nil, keepsID: !found.wasAttempted) }", "", "OutboxRefusalTests")
expression(
    "A model that is kept under one of its ids is added again behind its removal",
    "OutboxTransaction.moveBack", "entry.kind == .update", "false", "OutboxRenamingTests")
expression(
    "A model that is kept under one of its ids is not removed first",
    "OutboxTransaction.order", "!removal.wasAttempted", "false", "OutboxOldIDTests")
expression(
    "What was written under a new id stays made on what was read under it",
    "OutboxTransaction.rename", "read.contains(where: { $0.id == head.id })", "false",
    "OutboxRenamingTests")
statement(
    "What the service was told of a model's references stays the base", "Rekeying.apply",
    "entry.model = model",
    "entry.model = model; entry.base = entry.base.map { changed($0, former, id: id) }",
    "OutboxDependencyTests")
expression(
    "A write that may have arrived is sent again as it was", "Rekeying.apply",
    "entry.mayHaveArrived", "false", "OutboxDependencyTests")
expression(
    "A model in place of a write refers to what was renamed by its present id", "Outbox.resend",
    "try transaction.following(model, note.following)", "model", "OutboxDependencyTests")
expression(
    "A removal waits for each write that may leave its model, whichever is first", "WriteQueueing.append",
    "try transaction.record(at: last.position)?.entry?.allReferences",
    "try transaction.record(at: last.position)?.entry?.references", "OutboxOrderTests")
statement(
    "What a parked conflict has shown is not undone by an earlier read", "ModelChannel.park",
    "recordSeen(theirs, of: sending.entry)", "", "OutboxLateAnswerTests")
statement(
    "What a resolved conflict has shown is not undone by an earlier read", "ModelChannel.resend",
    "recordSeen(theirs, of: entry)", "", "OutboxLateAnswerTests")
expression(
    "A removal leaves the place of the write that it replaces", "WriteQueueing.replace",
    "try mayMove && comesLast(entry)", "false", "OutboxDependencyTests")
expression(
    "A removal stays before that of what its model refers to", "WriteQueueing.comesLast",
    "$0.upperBound > entry.position", "false", "OutboxDependencyTests")
expression(
    "A write behind one that was given up refers to what the server has", "OutboxTransaction.rebase",
    "now.model.flatMap { references?($0) } ?? []", "[]", "OutboxDependencyTests")
expression(
    "What a write moves away from is known wherever the app said it", "Outbox.Entry.renew",
    "formerReferences + present", "formerReferences", "OutboxDependencyTests")
expression(
    "An edit of what is known to be gone is compared before it is sent", "Outbox.Entry.needsComparison",
    "kind == .update && base == nil && refreshed != nil", "false", "OutboxBaseTests")
expression(
    "A write is done where the service has added to it", "Outbox.Entry.isDone",
    "base.map { Rebasing.rebased(model, from: $0, onto: present) }", "Optional(model)",
    "OutboxBaseTests")
expression(
    "What was sent with a good credential that was renewed is sent again", "OutboxMachine.refuse",
    "renewals > state.taken || renewals == state.renewals", "true", "OutboxMachineTests")
expression(
    "A model that was read under its new id keeps its version", "OutboxTransaction.rename",
    "try version(of: new)", "nil", "OutboxRenamingTests")
expression(
    "A write that fails each time is no probe of the service while there is another",
    "OutboxMachine.postponed", "case .first: return «goesLater(row, service)»", "false",
    "OutboxMachineProbeTests|OutboxFailingWriteTests")
expression(
    "Of what failed, that goes first which failed least often", "EntryLook.failedLess",
    "(left.attempts, left.position) < (right.attempts, right.position)", "left.position < right.position",
    "OutboxFailingWriteTests")
expression(
    "A normal write waits for none of low urgency", "EntryLook.isFree", "!row.isUtility", "false",
    "OutboxPriorityTests")
expression(
    "Entries of low urgency have their turn while others keep coming", "OutboxMachine.beginTurn",
    "state.sinceTurn >= Self.mostBeforeTurn", "false",
    "OutboxMachinePriorityTests|OutboxPriorityTests")
expression(
    "An entry that was passed over is looked for once the other has ended", "OutboxMachine.finish",
    "min(passed, again)", "again", "OutboxMachineTests")
expression(
    "A search passes positions without entries at once", "EntryLook.pass",
    "first?.subtractingClamped(1)", "nil", "EntryLookTests")
expression(
    "A write that is merged into one of low urgency makes it urgent", "WriteQueueing.replace",
    "last.isUtility && note.priority == .normal", "false", "EntryMergingTests")
expression(
    "A conflict that names another model says nothing of this one", "ModelChannel.decide",
    "isSame(current, sending.entry.model)", "true", "OutboxOtherModelTests")
expression(
    "What a remote answers of another model is not taken for this one", "ModelChannel.fetch",
    "!isSame(found, entry.model)", "false", "OutboxOtherModelTests")
expression(
    "Each of two references to one type is followed", "OutboxLink.add",
    "$0.path as AnyKeyPath == link.path as AnyKeyPath", "true", "OutboxTwoReferencesTests")
expression(
    "A search skips the rest of a unit, whatever its size", "EntryLook.search",
    "last.unit == unit", "false", "OutboxUnitSizeTests")
statement(
    "Who waits for a discarded write hears so when its entry is gone", "Outbox.discard",
    "deliveries.withLock { $0.recordDiscarded(discarded.map(\\.id)) }", "", "OutboxGivenUpTests")
statement(
    "A sign-out says of each entry of a file that it is given up", "Emptying.run",
    "if unsent == .discard { await failures.collect { try await outbox.recordGivenUp(in: stores) } }", "",
    "OutboxGivenUpTests")
expression(
    "A flush with a deadline waits for the lease of another process", "OutboxMachine.hasWork",
    "nextLease(after: now) != nil", "false", "OutboxLeaseTests")
expression(
    "What is added again behind a removal is made on nothing", "OutboxTransaction.giveUp",
    "entry.modelAfter", "entry.model", "OutboxConflictTests")
expression(
    "An attempted write that a renaming does not change is followed by none", "Rekeying.follow",
    "!Rebasing.areSame(model, entry.model)", "true", "OutboxDependencyTests")
expression(
    "A lease is judged by the date in the transaction", "EntryLook.takeLease", "self.present()", "date",
    "OutboxBadInputTests")
expression(
    "Once unsent writes are discarded, none is set aside", "OutboxEntries.releaseIfEmpty",
    "try isHeld, try «isEmpty»", "false", "SignOutOutboxTests")
expression(
    "A removal is not sent for a model that has its id since", "OutboxTransaction.withdrawRemoval",
    "$0.position < position", "$0.position < .min", "OutboxOldIDTests")
expression(
    "No server is asked for what was not sent yet", "Criteria.followed",
    "known == .any([])", "false", "OutboxReadByOldIDTests")
expression(
    "An observer looks for another id once a model is gone", "Observer.mayBeRenamed",
    "hub.ids?.areIn(criteria) ?? false", "false", "OutboxReadByOldIDTests")
expression(
    "An id of zero is not followed", "OutboxEntries.followed",
    'instance.key == "0"', "false", "OutboxReadByOldIDTests")
expression(
    "An id with entries names the model that they are on", "Criteria.Predicate.followed",
    "first.kind == .store && first.parked == nil", "false", "OutboxReadByOldIDTests")
