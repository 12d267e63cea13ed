expression(
    "A subscription ends with the last observer", "LiveLink.update",
    "isUsed && !state.hasEnded", "!state.hasEnded", "LiveUpdatesTests")
expression(
    "A stay without observers begins no subscription", "LiveLink.stays", "!isObserved, «state.run != nil», state.stay",
    "true", "LiveSignOutTests")
expression(
    "A mark is not saved while something is missing", "LiveRunState.mark", "guard «state.isGapOpen» else",
    "false", "LiveGapTests")
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
    "A cache that is kept up to date is not polled", "CacheMachine.timeToNextPoll", "!live.isCurrent(stored)", "true",
    "LiveGapTests")
expression(
    "Catching up returns by its deadline", "Evocation.run", "ended.value(within: «left», by:", ".longest",
    "CatchUpTests")
expression(
    "The first synchronization keeps its date", "FetchStamp.record", "$0.firstFetchedAt ?? $0.fetchedAt",
    "nil", "CatchUpTests")
