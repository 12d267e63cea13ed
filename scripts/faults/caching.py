EVICTION = "Sources/Evocation/Caching/Machine/CacheEntry+Evicting.swift"
POLICY = "Sources/Evocation/Caching/Machine/CacheClient.swift"
REFRESHING = "Sources/Evocation/Caching/Machine/CacheMachine+Refreshing.swift"
WRITING = "Sources/Evocation/Caching/Machine/CacheMachine+Writing.swift"
READING = "Sources/Evocation/Caching/Machine/CacheMachine+Reading.swift"
STORED = "Sources/Evocation/Caching/Machine/CacheStored.swift"

expression(
    "an age by a clock that went back counts as new", STORED,
    "let age = «Duration(from: record.fetchedAt, to: now.date)»",
    "Duration(from: record.fetchedAt, to: now.date) ?? .zero",
    "CachingTests.Caching")
expression(
    "the save of a fetch that another took the place of begins", REFRESHING,
    "guard let fetch = «refresh.fetch(number)», case .fetching(let isOutdated)", "refresh.fetch",
    "CachingTests.CachingNumberTests")
expression(
    "a cache that is declared stale again and again is never saved", REFRESHING,
    "fetch.isLastAttempt", "false",
    "CachingTests.CachingInvalidatingTests")
expression(
    "what was declared stale while it was fetched is saved as fresh", REFRESHING,
    "isOutdated ? .stale : .fresh", ".fresh",
    "CachingTests.CachingInvalidatingTests")
expression(
    "the newest cache goes first", EVICTION,
    "(left.2, left.0) < (right.2, right.0)", "(left.2, left.0) > (right.2, right.0)",
    "CachingTests.EvictionTests")
expression(
    "one cache more than the limit is kept", EVICTION,
    "count > $0", "count > $0 + 1",
    "CachingTests.EvictionTests")
expression(
    "a cache that is in use is evicted", EVICTION,
    "!kept.contains($0.key)", "true",
    "CachingTests.EvictionTests")
expression(
    "a cache just as old as it may be is stale", POLICY,
    "guard let age, «age <= maxAge» else", "age < maxAge",
    "CachingTests.Caching")
expression(
    "an invalidated cache is fresh", POLICY,
    "guard «!isInvalidated» else", "true",
    "CachingTests.Caching")
expression(
    "the error of an earlier refresh stays after a success", REFRESHING,
    "guard let fetch = refresh.fetch else { return [] }\n    refresh = .idle(«nil»)",
    "refresh.failure", "CachingTests.Caching",
    equivalent="a fetch that runs has forgotten the error already")
expression(
    "a fetch goes on when its last caller has left", REFRESHING,
    "guard let fetch = refresh.fetch, fetch.isFetching, «fetch.waiters.isEmpty»,", "false",
    "CachingTests.Caching")
expression(
    "a refresh that nobody needs any more breaks off its save", REFRESHING,
    "guard let fetch = refresh.fetch, «fetch.isFetching», fetch.waiters", "true",
    "CachingTests.CachingNumberTests")
statement(
    "a cache that was cleared is still known to the ledger's memory", WRITING,
    "self.stored = stored", "",
    "CachingTests.Caching")
expression(
    "a reading that was superseded is shown", READING,
    "guard let observation = reading.observation, «observation.number == number» else", "true",
    "CachingTests.CachingNumberTests")
expression(
    "a state from before a save is shown as its success", READING,
    "if let version, «version < saved»", "false",
    "CachingTests.CachingVersionTests")
statement(
    "a first value of unknown version stands for a save that came before", READING,
    "if version == nil, isFirst { return readAgain(.ownSave, at: now) }", "",
    "CachingTests.CachingVersionTests")
expression(
    "a state that came before its save was told is waited for",
    "Sources/Evocation/Caching/Machine/CacheReading.swift",
    "if «shown >= saved» { arrival", "false",
    "CachingTests.CachingVersionTests")
statement(
    "an invalidation while a fetch runs is forgotten when it ends", WRITING,
    "if isFetching { refresh.change { $0.phase = .fetching(isOutdated: true) } }", "",
    "CachingTests.Cach")
expression(
    "an error tells the tag of a cache, which may be a user's",
    "Sources/Evocation/Caching/States/CacheName.swift",
    "description = «\"cache\"»", "tag",
    "CachingTests.CacheSentenceTests")
expression(
    "changes are saved on a store that they are not the changes of",
    "Sources/Evocation/Caching/Ledger/FetchStamp.swift",
    "if let since, «held?.mark != since» { throw", "held?.mark != since && false",
    "ListsTests.ChangesTests")
expression(
    "a mark in a ledger is believed of another store in memory",
    "Sources/Evocation/Routing/Proxy.swift",
    "return marks.withLock { $0[ByteText(tag)] } == mark ? mark : «nil»", "mark",
    "ListsTests.ChangesTests")
expression(
    "the mark moves on although the app has kept a model",
    "Sources/Evocation/Routing/ChangesRequest.swift",
    "record.mark = «isInPart ? since : mark»", "mark",
    "ListsTests.ChangesTests")
expression(
    "what left some criteria is removed from all",
    "Sources/Evocation/Routing/ChangesRequest.swift",
    "let gone = «criteria.predicate.map { Criteria($0) && named } ?? named»", "named",
    "ListsTests.ChangesTests")
expression(
    "an older answer takes back what changed",
    "Sources/Evocation/Routing/ChangesRequest.swift",
    "_ = written.note(«fetched.models») { .answered($0) }", "[]",
    "ListsTests.ChangesTests")
statement(
    "a model's new table keeps the marks of the old one",
    "Sources/EvocationSQLite/Schema/TableDefinition.swift",
    "if found.isEmpty || !added.isEmpty { try noteChange() }", "_ = noteChange",
    "ListsTests.ChangesFileTests")
statement(
    "a migration keeps the marks of what it changes",
    "Sources/EvocationSQLite/Migrations/SQLiteDatabase+Migrate.swift",
    "try FetchTable(connection).forgetMarks()", "",
    "ListsTests.ChangesFileTests")
expression(
    "a find's mark does not keep its models from the clearing of a cache",
    "Sources/Evocation/Caching/Machine/CacheEntry+Writing.swift",
    "(record.source == kind || «record.mark != nil»)", "false",
    "ListsTests.ChangesFindTests")
expression(
    "what the service removed is still the base of an unsent write",
    "Sources/Evocation/Queueing/StoreWrite+Sparing.swift",
    "case .comparison(\"id\", .equal, _), .isIn(\"id\", _): «true»", "false",
    "ListsTests.ChangesTests")
statement(
    "a value that came before the save it belongs to is forgotten", READING,
    "reading.withhold(body)", "",
    "CachingTests.CachingVersionTests")
expression(
    "what else happens as a check is due takes its place",
    "Sources/Evocation/Caching/Machine/CacheEntry.swift",
    "guard «!Self.isCheckDue(state, at: now)» else { return }", "true",
    "CachingTests.CachingWakingTests")
