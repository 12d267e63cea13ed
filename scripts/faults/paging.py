LIST = "Sources/Evocation/Lists/ListContents.swift"
SAVING = "Sources/Evocation/Lists/InMemoryListStore+Saving.swift"
MACHINE = "Sources/Evocation/Caching/Machine/CacheMachine+Paging.swift"
RECORD = "Sources/Evocation/Caching/Ledger/PageRecord.swift"

statement(
    "where a dropped page can be loaded again is forgotten", LIST,
    "record?.lead(direction.opposite, to: page.requirements)", "",
    "EvocationTests")
statement(
    "a page that comes back in front leads to itself", LIST,
    "if dropped.popLast() != nil, let next = dropped.last { record?.lead(.previous, to: next) }",
    "",
    "EvocationTests")
statement(
    "a list in memory is not taken back when the stamp fails", SAVING,
    "(state.lists[tag], state.drafts[tag]) = (before.0[tag], before.1[tag])", "_ = tag",
    "EvocationTests")
statement(
    "a model that moves to another page stands in both", LIST,
    "for id in ids { _ = remove(id) }", "",
    "EvocationTests")
expression(
    "one page too many is kept", LIST,
    "pages.count > max(1, limit)", "pages.count > limit + 1",
    "EvocationTests")
expression(
    "a window that ends where the list does lacks its last model", LIST,
    "min(range.upperBound, end) - start", "min(range.upperBound, end - 1) - start",
    "EvocationTests")
expression(
    "what other lists hold is removed with a list", SAVING,
    "!state.lists.values.contains { $0.contains(id) }", "true",
    "EvocationTests")
expression(
    "a page is loaded though the last one failed", MACHINE,
    "case .failed where «!continueWhenError»:", "false",
    "PagingTests.PagingTests")
expression(
    "a page that was asked for before the list was replaced is saved", MACHINE,
    "guard case .loading(«number», .fetching) = pages[direction] else { return false }",
    "pages.number(direction) ?? number",
    "CachingTests.CachingNumberTests")
expression(
    "pages that lead in a circle are followed for ever",
    "Sources/Evocation/Caching/Ledger/PageRecord.swift",
    "cursor == remembered", "false",
    "PagingTests.CycleDetectorTests")
statement(
    "pages that lead in a wide circle are followed for ever",
    "Sources/Evocation/Caching/Ledger/PageRecord.swift",
    "limit = max(1, limit).addingClamped(max(1, limit))", "",
    "PagingTests.CycleDetectorTests")
expression(
    "an error ends a list that was not told so", "Sources/Evocation/Caching/Proxy/ProxyPaging.swift",
    "endsWithNotFound: «endsWithNotFound», criteria", "true",
    "PagingTests.PagingEndTests")
expression(
    "a first page that is not found is an empty list",
    "Sources/Evocation/Caching/Proxy/ProxyPaging.swift",
    "«number != first»\n    else { return false }", "true",
    "PagingTests.PagingEndTests")
expression(
    "a service without links ends each list after a page",
    "Sources/Evocation/Caching/Proxy/ProxyPagingCacheDataSource+Fetching.swift",
    "if let key = «paging.missingKey(after: page, one, limit: 1, of: criteria)» {", "String?.none",
    "PagingTests.PagingEndTests")
expression(
    "a list of one full page is taken for one without links",
    "Sources/Evocation/Caching/Proxy/ProxyPagingCacheDataSource+Fetching.swift",
    "«try await proxy.fetch(asked.limit(1))»", "fetched",
    "PagingTests.PagingEndTests")
expression(
    "a list is taken for fresh that another local repository does not have",
    "Sources/Evocation/Caching/Machine/CacheEntry+Refreshing.swift",
    "if «wish != .always» { await forgetWhatIsLost", "wish == .whenMissing",
    "PagingTests.PagingEndTests")
