expression(
    "A call synchronizes nothing after a fallback", "Route.afterFallback",
    ".end(Verdict(origin: fallback))",
    "outcome == .models ? .synchronize(rule.target) : .end(Verdict(origin: fallback))", "RouteTests")
expression(
    "A write falls back on no empty answer", "Route.fallsBack",
    "situation.action.isRead", "true", "RouteTests")
expression(
    "A refusal does not fall back as what may pass does", "Route.Outcome.init",
    "? .failure : «.refusal»", ".failure", "RouteTests")
expression(
    "An upsert synchronizes no empty answer", "Route.synchronizes",
    "case .upsert: «outcome == .models»", "outcome == .models || outcome == .empty", "RouteTests")
expression(
    "A stale answer of local is followed by a fetch", "Route.afterCache",
    "!situation.isFresh", "false", "RouteTests")
expression(
    "A rule counts nothing fresh that was fetched into another local repository",
    "LocalBinding.holds", "replacedAt.map { record.fetchedAt > $0 } ?? true", "true",
    "OtherStoreTests")
expression(
    "A new local that is empty is not fresh", "LocalBinding.holds",
    "record.store.map { $0.hasSameBytes(as: recordedName) } ?? false", "true", "OtherStoreTests")
statement(
    "An observed cache goes over to the next account", "Environment.announce",
    "CacheRegistry.sendToAll(.registered, prefix: tagPrefix)", "", "OtherStoreTests")
statement(
    "What is fetched for one account is not saved for the next", "ProxyCacheDataSource.proxy",
    "guard isInPlace else { throw Cancellation.error() }", "", "OtherStoreTests")
expression(
    "What waits to be saved for one account is not saved for the next",
    "ProxyCacheDataSource.wiring", "wiring.binding.store == binding?.store", "true", "OtherStoreTests")
expression(
    "A write that is undone takes back what it added", "Call.rollBack",
    "new.isEmpty || operation.action.isRemoval", "true", "RollbackTests")
expression(
    "A retry waits for as long as the service asked", "Backoff.pause",
    "max(pause.multiplied(by: 1 - jitter * chance), asked ?? .zero)",
    "pause.multiplied(by: 1 - jitter * chance)", "StrategyTests|BackoffTests")
expression(
    "A retry waits within what is left of the timeout", "Call.retrying",
    "start.adding($0).subtracting(time.now())", "$0", "RetryAfterTests")
expression(
    "The default strategy removes from the remote first", "Strategy.init",
    "$0.isRead || $0.isRemoval ? remoteFirst : localFirst",
    "$0.isRead ? remoteFirst : localFirst", "StrategyTests")
expression(
    "A strategy refuses a rule whose fallback is its target", "Strategy.Rule.routingMisfit",
    "fallback == target", "false", "StrategyTests")
expression(
    "The explanation warns of a removal that may be done in one place alone",
    "Strategy.Explanation.writeFindings",
    "rule.fallback", "action.isRemoval ? nil : rule.fallback", "ExplanationTests")
expression(
    "A time that is longer than any ends no process", "Duration.adding",
    "(bounded + other.bounded).bounded", "self + other", "DurationBoundsTests")
statement(
    "A list that is empty is asked for once, and not at each read", "Execution.end",
    "await call.dateNothing(mark, stamp)", "", "DeletedAtServiceTests")
statement(
    "What the service deleted goes under the ready-made strategies", "Strategy.Rule.mirroringReads",
    "rule.synchronize = .mirror", "", "DeletedAtServiceTests")
expression(
    "A ready-made rule fits a write too", "Strategy.Rule.fitted",
    "action.isRead ? synchronize : .upsert", "synchronize", "ReadyMadeRuleTests")
expression(
    "A read whose fallback has nothing fails where nothing was fetched", "Route.afterFallback",
    "outcome == .unknown", "false", "UnknownAnswerTests")
expression(
    "An empty list that a fetch brought is an answer", "Call.wasFetched",
    "!$0.isCleared", "false", "UnknownAnswerTests")
expression(
    "What another service answered is not fresh", "Wiring.known",
    "registration.isForeign(record, of: tag)", "false", "WorldTableTests")
expression(
    "What another service answers late is not saved", "Call.isReplaced",
    "mark.isReplaced(in: wiring.binding.store)", "false", "WorldTableTests")
statement(
    "Observers go on with the repository that is registered now", "Proxy.follow",
    "if !isPresent { hub?.endReplaced() }", "", "WorldTableTests")
expression(
    "The second of two invalidations counts", "FetchStamp.wasInvalidated",
    "count > known?.invalidations ?? 0", "known?.isInvalidated != true", "FetchFactsTests")
expression(
    "An invalidation of what was never fetched counts", "FetchStamp.wasInvalidated",
    "CacheRegistry.of(ledger).wasInvalidated(tag, since: seen)", "false", "FetchFactsTests")
expression(
    "A fetch that does not mirror is not fresh for a rule that does", "FetchRecord.isStale",
    "coverage != .mirrored && mirroredAt == nil", "false", "FetchFactsTests")
expression(
    "A service that is a value stays the same while its model gets a store", "Wiring.copy",
    "remote == nil ? service : nil", "nil", "FetchFactsTests")
expression(
    "Another registration keeps what was declared", "Proxy.init",
    "OutboxLink(parts.declared, keeping: kept)", "OutboxLink(nil, keeping: kept)", "OfflinePageTests")
statement(
    "A read of some models removes none of the others", "Call.saving",
    "saving.synchronize = .upsert", "", "PartialAnswerTests")
expression(
    "Local never answers a read of some models that the service chooses", "Route.cacheMayAnswer",
    "!situation.isPart", "true", "PartialAnswerTests")
