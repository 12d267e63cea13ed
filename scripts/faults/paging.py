expression(
    "A page that arrives for an old list is dropped", "CacheMachine.saving",
    "loads[position].run(number)", "loads[position].run", "CachingNumberTests")
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
    "state.withLock { $0.lists[tag] = before[tag] }", "_ = tag", "ListRefreshTests")
statement(
    "A list in a file knows where a page that it dropped is loaded from", "PageTable.add",
    "record?.lead(isNext ? .previous : .next, to: try requirements(of: list, dropped))", "", "SQLiteListPagesTests")
statement(
    "A page that is added to a list in a file takes its ids out of the others", "ModelTable.add",
    "if let others { try lists.takeOut(others, of: page.list) }", "", "SQLiteListTests")
statement(
    "A model that is removed does not come back to a list in a file", "ModelTable.removeAll",
    "try unlist(changes.removed, connection)", "", "SQLiteListTests")
expression(
    "A list in a file that is replaced leaves what other lists hold", "PageTable.surplus",
    "\" AND \\(key) IN (\\(ids) list = ?) AND \\(key) NOT IN (\\(ids) model = ? AND list <> ?)\"",
    "\" AND \\(key) IN (\\(ids) list = ?) AND ? <> ?\"", "SQLiteListTests")
statement(
    "What an app's SQL removes leaves the lists in the file", "Connection.keepingLists",
    "for (table, key) in try listedTables() where try mayLackRows(table, key) { try PageTable.takeOutMissing(ofTable: table, key: key, connection: self) }", "", "ListSQLTests|SQLiteListTests")
expression(
    "SQL that removes no model does not look through lists", "Connection.mayLackRows",
    "migrating == nil", "false", "ListRemovalTests")
expression(
    "What SQL removes to make room for others leaves the lists", "Connection.mayLackRows",
    "appWrites?.mayReplace == true", "false", "ListSQLTests")
statement(
    "A page finds the lists without the models that were removed before", "ModelTable.perform",
    "try PageTable.settle(connection)", "", "ListRemovalTests")
expression(
    "A file that is only read shows no model in a list that was removed", "PageTable.part",
    "try hasRemovals", "false", "ListRemovalTests")
statement(
    "A list ends with an error where its pages lead in a wide circle", "CycleDetector.advance",
    "limit = max(1, limit).addingClamped(max(1, limit))", "", "CycleDetectorTests")
expression(
    "A row does not ask again for a page that failed", "CacheEntry.begin",
    "continuesWhenError: «false»", "true", "RowPagingTests")
expression(
    "A refresh of all pages notices what the app writes between its pages",
    "ProxyPagingCacheDataSource.fetchAllPages", "[], «mark», unsaid: UnsaidKeys(",
    "try proxy.log.mark()", "WrittenMeanwhileTests")
statement(
    "A refresh of all pages shows the old list until its last page is there", "ModelTable.perform",
    "try pages.add(page)", "try pages.add(page)\ntry lists.run(\"DELETE FROM evocation_pages\", [])",
    "SharedListTests|ListKillTests")
expression(
    "A refresh of all pages brings the versions of its models", "StoreWrite.keepNotes",
    "page.knownVersions", "[]", "DirectWriteVersionTests")
expression(
    "A page leaves the version of a model that was written during its fetch",
    "OutboxTransaction.keep", "kept.contains(instance)", "false", "DirectWriteVersionTests")
expression(
    "A short page does not end a list whose total says more", "PageEnd.isLastByPosition",
    "isEmptyOrSaid ?? isTotalReached ?? (!isFull && !mayBeCut)", "!isFull", "ListContinuationTests")
expression(
    "A list continues as the format says, with nothing said twice",
    "ProxyPagingCacheDataSource.paging",
    "remote?.role((any PagedRepository<Model>).self)?.paging ?? .offset", ".offset", "HTTPListPagingTests")
