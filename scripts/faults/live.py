expression(
    "A subscription ends with the last observer", "LiveLink.update",
    "isUsed && !state.hasEnded", "!state.hasEnded", "LiveUpdatesTests")
expression(
    "A stay without observers begins no subscription", "LiveLink.stays", "!isObserved, «state.run != nil», state.stay",
    "true", "LiveSignOutTests")
expression(
    "A mark is not saved while something is missing", "LiveGaps.mark",
    "state.number == state.filled", "true", "LiveGapTests")
expression(
    "What a service removed is not brought back by a fetch that began before", "WriteLog.recordSent",
    "written.record(removed: «removed»)", "[]", "LiveUpdatesTests")
expression(
    "A message that is older than what the store has changes nothing", "VersionOrder.isOlder", "left < right",
    "false", "LiveUpdatesTests")
expression(
    "Of the changes of a model the last one is saved", "LiveChanges.add", "changes[index] = «change»",
    "changes[index]", "LiveUpdatesTests")
expression(
    "What was missed is fetched by the rule for find", "Strategy.Rule.fetching", "rule.synchronize = «.upsert»",
    ".mirror", "LiveRuleTests")
expression(
    "A rule that never asks the service fetches nothing that was missed", "Strategy.Rule.fetching",
    "fallback == .remote", "true", "LiveRuleTests")
statement(
    "Streams end before a sign-out empties anything", "Emptying.run", "await live?.suspend()", "",
    "LiveSignOutTests")
statement(
    "A type that is registered again is followed at its new service", "Environment.announce",
    "demand.follower?.update(model)", "", "LiveRegistrationTests")
expression(
    "Another registration begins from no mark", "LiveRun.mark",
    "$0.registration === target.registration", "true", "LiveRegistrationTests")
expression(
    "A mark is sent to the service that it is of", "LiveRun.mark", "record.source == target.source", "true",
    "LiveAccountTests")
expression(
    "No stream is opened with the credential of a user who has signed out", "LiveConnection.waitForCredential",
    "while «credentials.hasFormer»", "false", "LiveAccountTests")
expression(
    "Another credential opens a stream again", "LiveConnection.compare", "!state.isClosed && own != sent", "false",
    "LiveAccountTests")
expression(
    "A stream stays where each request has a credential of its own", "LiveConnection.compare",
    "try await self.client.credential(of: request) == sent", "true", "LiveAccountTests")
expression(
    "A source does not read what a request of the same route streams", "LiveFollower.join", "live.source == nil",
    "true", "LiveSourceTests")
expression(
    "A subscription that does not end, ends the connection", "LiveConnection.ask",
    "subscribe != nil || live.confirmsTopics", "false", "LiveSourceTests")
expression(
    "A model is connected when its topic is confirmed", "LiveMachine.handle", "form.isConfirmed", "false",
    "LiveMachineTests")
expression(
    "A model type that is refused delays no other", "LiveEnd.isRefusal",
    "error.failureKind != .transient && error.failureScope == .write", "false", "LivePaceTests")
expression(
    "A flood does not fill the memory", "LiveBatch.add", "state.changes.count >= limit", "false", "LiveBatchTests")
expression(
    "A cache that is kept up to date is not polled", "CacheMachine.timeToNextPoll",
    "!live.keepsYoung(stored)", "true",
    "LiveGapTests")
expression(
    "Catching up returns by its deadline", "Evocation.run", "ended.value(within: «left», by:", ".longest",
    "CatchUpTests")
expression(
    "The first synchronization keeps its date", "FetchStamp.record", "$0.firstFetchedAt ?? $0.fetchedAt",
    "nil", "CatchUpTests")
expression(
    "A cache that was fetched before changes were missed is not live", "CacheLive.isCurrent",
    "record.fetchedAt >= since.date", "true", "LiveCurrentTests")
expression(
    "Whoever observes what was fetched before changes were missed fetches it", "CacheLive.isBehind",
    "record.fetchedAt < since.date", "false", "LiveCurrentTests")
expression(
    "The date at which changes were last missed outlives a restart", "LiveRun.stamp",
    "binding.live.gap ?? proxy.environment.date()", "proxy.environment.date()", "LiveCurrentTests")
expression(
    "A list that lacks a model that has arrived is not live", "CacheLive.isCurrent", "lack == nil", "true",
    "LiveCurrentTests")
expression(
    "A list is not fetched for models that it does not have to contain", "ProxyPagingCacheDataSource.lacks",
    "(try? predicate.matches(access.fields(model))) ?? true", "true", "LiveCurrentTests")
expression(
    "A list grows old while models arrive", "CacheLive.keepsYoung", "stored.record?.pages == nil", "true",
    "LiveCurrentTests")
expression(
    "Devices that lost their connections together do not fetch together", "LiveRun.pause",
    "longest.multiplied(by: proxy.environment.chance())", ".zero", "LiveCurrentTests")
expression(
    "What was missed is fetched no earlier than the service asks", "LiveRun.fetchMissed",
    "asked.map { min($0, .hours(24)) }", "nil", "LiveCurrentTests")
expression(
    "Events that do not decode are not fetched for each time", "LiveGaps.miss", "max(now, rounds.next)", "now",
    "LiveDamageTests")
expression(
    "A model that does not decode is fetched by its id", "LiveReader.add", "ids ?? []", "[]", "LiveDamageTests")
expression(
    "A model that is stored after its removal is there", "LiveElements.store", "!removed.isDisjoint(with: texts)",
    "false", "LiveDamageTests")
expression(
    "An older version in a batch replaces no newer one", "LiveElements.store", "isOlder == true", "false",
    "LiveDamageTests")
expression(
    "An older version that arrives later replaces no newer one", "LiveChanges.stored", "isOlder == true", "false",
    "LiveBatchTests")
expression(
    "A model that the store refuses does not keep the others out", "LiveRun.isRefusal",
    "error.failureKind != .transient && error.failureScope == .write", "false", "LiveStatusTests")
expression(
    "A stream that ends in order has not failed", "LivePace.leave", "if «end.isOrderly»", "false", "LiveStatusTests")
expression(
    "Two formats with one route read each for itself", "LiveStream.deliver",
    "state.formats[number]?.reading == reading", "true", "LiveStreamTests")
