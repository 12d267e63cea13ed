expression(
    "A cache whose fetch lies in the future is not fresh", "FetchRecord.age",
    "Duration(from: self.date(mirroring: mirroring), to: date)",
    "Duration(from: self.date(mirroring: mirroring), to: date) ?? .zero",
    "RestartTests")
expression(
    "A date before the greatest one was set back", "SeenDate.isSetBack",
    "$0.timeIntervalSince(date) > 1", "false", "SeenDateTests")
statement(
    "A date that is set back while the app runs is remembered", "CacheRegistry.recordDate",
    "try? await ledger.note(now.date)", "", "CachingDateTests")
expression(
    "A cache that was declared stale during a fetch is stale after it", "CacheMachine.saving",
    "isOutdated ? .stale : .fresh", ".fresh", "CachingInvalidatingTests")
expression(
    "A refresh that nobody waits for any more completes its save", "CacheMachine.giveUp",
    "run.isFetching", "true", "CachingNumberTests")
expression(
    "A cache shows no reading that another took the place of", "CacheMachine.read",
    "observation.number == number", "true", "CachingNumberTests")
expression(
    "A refresh shows as successful with what it saved, and not with what was there before",
    "CacheMachine.read", "version < saved", "false", "CachingVersionTests")
expression(
    "A limit evicts no cache that is in use", "CacheLimits.surplus",
    "!kept.contains(ByteText($0.tag))", "true", "EvictionTests")
expression(
    "Changes are saved only on the mark that they were asked for since", "FetchStamp.record",
    "held?.mark != since", "held?.mark != since && false", "ChangesTests")
expression(
    "A removal that the service lists is made only within the criteria", "FetchedChanges.write",
    "criteria.predicate.map { Criteria($0) && named } ?? named", "named", "ChangesTests")
expression(
    "An answer from before some changes does not take them back", "Proxy.save",
    "fetched.models", "[]", "ChangesTests")
statement(
    "The app validates what is observed when it becomes active", "AppPresence.take",
    "if isBack, sender.isOnline { sender.validateObserved() }", "", "AppPresenceTests")
expression(
    "An app in the background polls for nothing", "AppPresence.isAway",
    "state.withLock { $0.isActive } == false", "false", "AppPresenceTests")
expression(
    "Polling pauses for longer after each failure", "CachePolling.due",
    "backoff.pause(after: failures.count)", "interval", "CachingPollingMachineTests")
expression(
    "What was asked for earlier and comes later leaves newer models as they are", "Call.copy",
    "metadata.error == nil", "false", "OverlappingFetchesTests")
statement(
    "What was fetched is old only for fetches that began before it", "WriteMarks.record",
    "return spans[index - 1].add(landed)", "return spans[spans.count - 1].add(landed)",
    "WriteMarksTests")
expression(
    "A cache is as old as its question", "CacheEntry.save", "begun.date", "time.now.date",
    "OverlappingFetchesTests")
statement(
    "What is fetched after it was declared stale is fresh", "CacheRegistry.invalidate",
    "forgetFetches(prefix: prefix)", "", "RuleAgeTests")
statement(
    "A cache that nobody observes is asked for what others did to it", "CacheRepository.value",
    "await binding.entry.catchUp(binding.client)", "", "OthersTests")
statement(
    "A refresh asks for what others did to a cache", "CacheEntry.refresh",
    "await catchUp(source)", "", "OthersTests")
statement(
    "What writes a cache takes its turn", "CacheEntry.inTurn", "try await line.turn(ticket)", "",
    "CachingWritingTests")
statement(
    "Requirements that are set back meanwhile keep their binding", "CacheBinding.init",
    "self.number = number", "self.number = 0", "CacheClockTests")
expression(
    "A clock is asked before the repository is locked", "CacheRepository.take",
    "observers: state.observers, at: «now»)", "binding.entry.time.now", "CacheClockTests")
expression(
    "A clock is asked before the entry is locked", "CacheEntry.end",
    "handle(.left([waiter]), at: «now»)", "time.now", "PagingClockTests|CacheClockTests")
expression(
    "Nobody uses a record while it is not known whether the date was set back",
    "CacheRegistry.check", "let seen = await «seen()»",
    "{ () async -> SeenDate in dateChecks.withLock { $0.last = now }; return await self.seen() }()",
    "DateCheckTests")
expression(
    "A fetch that is recorded during the check sets no date back", "CacheRegistry.recordDate",
    "let now = «time.now»",
    "{ () -> CacheMoment in var now = time.now; now.date = seen.greatest ?? now.date; return now }()",
    "DateCheckTests")
expression(
    "The callbacks of a cache's observers come on the configured queue", "CacheRepository.observe",
    "on: «callbackQueue»", "nil", "ObservingQueueTests")
expression(
    "A cache that is deleted leaves the data of one whose tag looks alike", "CacheEntry.others",
    "!other.hasSameBytes(as: tag)", "other != tag", "TagBytesTests")
statement(
    "A cache that is cleared is not loading for ever", "CacheState.loadingState",
    "if case .noCache = state, tag != nil, !isReading, !isAwaited { content = emptyContent }", "",
    "CachingLoadingStateTests")
statement(
    "A cache that is about to be fetched is loading, and not empty", "CacheMachine.handle",
    "shown.isAwaited = true", "", "CachingMachineTests")
expression(
    "What is remembered of a private type's fetches is found after a restart", "stableName",
    "UInt(digits, radix: 16)", "UInt?.none", "StableNameTests")
statement(
    "A cache that is awaited is not evicted before it is read", "CacheRepository.value",
    "binding.entry.beginUse()", "", "AwaitedEvictionTests")
expression(
    "Content that could not be read is not empty", "CacheSnapshot.shown",
    "!isUnreadable || stored.isCleared", "true", "UnreadableContentTests")
expression(
    "A cache of some models shows them in the service's order", "ProxyCacheDataSource.page",
    "declared(requirements).isPart(of: Model.self)", "false", "PartialCacheTests")
