expression(
    "A subscription ends with the last observer", "LiveLink.update", "isPossible && state.isUsed && !state.hasEnded",
    "isPossible && !state.hasEnded", "LiveUpdatesTests")
expression(
    "A mark is not saved while something is missing", "LiveConnection.mark", "guard «state.isGapOpen» else",
    "false", "LiveGapTests")
expression(
    "What a service removed is not brought back by a fetch that began before", "WriteLog.noteSent",
    "written.note(«removed: removed»)", "removed: []", "LiveUpdatesTests")
expression(
    "A message that is older than what the store has changes nothing", "VersionOrder.isOlder", "left < right",
    "false", "LiveUpdatesTests")
expression(
    "Of the changes of a model the last one is saved", "LiveChanges.add", "changes[index] = «change»",
    "changes[index]", "LiveUpdatesTests")
expression(
    "A user who has signed out gets nothing more", "LiveLink.save",
    "proxy.environment.signOuts.number == connection.signOuts", "true", "LiveUpdatesTests")
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
