expression(
    "A page that arrives for an old list is dropped", "CacheMachine.canSavePage",
    "case .loading(«number», .fetching)", "pages.number(direction) ?? number", "CachingNumberTests")
expression(
    "A page of a list that another process replaced is not added to the new one", "PageRecord.ofNewList",
    ".random(in: .min ... .max)", "nil", "TwoProcessTests")
statement(
    "A list has an item once, where it was last seen", "ListContents.add",
    "for id in ids { _ = remove(id) }", "", "ListTrialTests")
expression(
    "A list that is replaced leaves what other lists hold", "InMemoryListStore.remove",
    "!state.lists.values.contains { $0.contains(id) }", "true", "ProxyPagingTests")
statement(
    "A page in memory is saved together with its stamp, or not at all", "InMemoryListStore.commit",
    "(state.lists[tag], state.drafts[tag]) = (before.0[tag], before.1[tag])", "_ = tag", "ListDraftTests")
statement(
    "A list in a file knows where a page that it dropped is loaded from", "ListTables.drop",
    "record?.lead(… try asked(row, page))", "", "SQLiteListDraftTests")
statement(
    "A list ends with an error where its pages lead in a wide circle", "CycleDetector.advance",
    "limit = max(1, limit).addingClamped(max(1, limit))", "", "CycleDetectorTests")
expression(
    "A row does not ask again for a page that failed", "CacheEntry.begin",
    "continueWhenError: «false»", "true", "RowPagingTests")
expression(
    "A refresh that was interrupted begins anew where the app has written since",
    "ProxyPagingCacheDataSource.draft", "try proxy.log.writeCount != begun", "false",
    "ListDraftTests|WrittenMeanwhileListTests")
statement(
    "Each write counts, also where nobody fetches", "WriteLog.note",
    "count.wrappingAdd(1, ordering: .relaxed)", "", "ListDraftTests")
