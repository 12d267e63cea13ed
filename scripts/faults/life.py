PRESENCE = "Sources/Evocation/Presence/AppPresence.swift"
POLLING = "Sources/Evocation/Caching/Machine/CachePolling.swift"
ROWS = "Sources/Evocation/Caching/Machine/CacheEntry+Rows.swift"
PAGING = "Sources/Evocation/Caching/Machine/CacheEntry+Paging.swift"
PAGES = "Sources/Evocation/Caching/Ledger/PageRecord.swift"
DRAFTS = "Sources/EvocationSQLite/Lists/ListDraftTable.swift"
PREFETCH = "Sources/Evocation/Calls/Evocation+Prefetch.swift"

statement(
    "nothing is validated when the app becomes active", PRESENCE,
    "if isBack, outbox.isOnline { outbox.validateObserved() }", "_ = isBack",
    "CallsTests.AppPresenceTests")
expression(
    "an app in the background is polled for", PRESENCE,
    "var isAway: Bool { «state.withLock { $0.isActive } == false» || !outbox.isOnline }", "false",
    "CallsTests.AppPresenceTests")
expression(
    "an app without a connection is polled for", PRESENCE,
    "$0.isActive } == false || «!outbox.isOnline» }", "false",
    "CallsTests.AppPresenceTests")
expression(
    "the pause after failures grows without an end", POLLING,
    "let factor = «failures.count > 3 ? Self.longestPause : Double(1 << failures.count)»",
    "Double(1 << min(failures.count, 62))",
    "CachingTests.CachingPollingMachineTests")
expression(
    "a failure does not make the pause longer", POLLING,
    "last.adding(«interval.multiplied(by: factor)»)", "interval",
    "CachingTests.CachingPollingMachineTests")
expression(
    "a row asks again for a page that failed", ROWS,
    "direction, continueWhenError: «false», isInsideLoad: false)", "true",
    "PagingTests.RowPagingTests")
expression(
    "a list that replaced another in another process looks like it", PAGES,
    "PageRecord(next: next, previous: previous, generation: «.random(in: .min ... .max)»)", "nil",
    "FilesTests.TwoProcessTests")
expression(
    "a page is added to a list that another process has replaced since", PAGING,
    "guard «pages.goesOn(direction, like: page.list)» else", "true",
    "FilesTests.TwoProcessTests")
expression(
    "two processes build one draft", DRAFTS,
    "let held = try self.draft(of: page.list), «draft.pages.follows(held.pages)» else", "true",
    "ListsTests.SharedDraftTests")
statement(
    "what cannot be fetched ahead without a connection is asked for", PREFETCH,
    "if proxy.environment.isOffline { return refusal(EvocationError.offline(model: proxy.model)) }",
    "", "CallsTests.PrefetchTests")
