TRANSACTION = "Sources/EvocationSQLite/Connections/Connection+Transaction.swift"
SELECTION = "Sources/EvocationSQLite/Queries/SQLSelection.swift"
COMPARISON = "Sources/EvocationSQLite/Queries/SQLPredicate+Comparison.swift"
TEXT = "Sources/EvocationSQLite/Queries/SQLPredicate+Text.swift"
POOL = "Sources/EvocationSQLite/Connections/ConnectionPoolState.swift"
BACKUP = "Sources/EvocationSQLite/Maintenance/BackupFile.swift"
LISTS = "Sources/EvocationSQLite/Lists/ListTables+Saving.swift"
PLAN = "Sources/EvocationSQLite/Migrations/MigrationPlan.swift"
APPLIED = "Sources/EvocationSQLite/Migrations/AppliedMigration.swift"
LEDGER = "Sources/EvocationSQLite/Ledger/FetchTable.swift"
REMOVER = "Sources/EvocationSQLite/Repository/BatchRemover.swift"

statement(
    "a cancellation interrupts COMMIT", TRANSACTION,
    "try uninterrupted { try commits.committing(body) }", "try commits.committing(body)",
    "StoreTests.CommitTests")
statement(
    "a model is encoded while its commit holds a lock",
    "Sources/EvocationSQLite/Repository/RowWriter.swift",
    "try encoder.bind(model, by: mapping, to: statement, in: connection)\n"
    "    try connection.committingAlone {\n"
    "      defer { statement.reset() }\n"
    "      _ = try connection.step(statement, \"Writing the table \\(table.quoted)\")\n"
    "    }",
    "try connection.committingAlone { _ = try step(model) }",
    "FilesTests.CommitClockTests")
statement(
    "a cancelled transaction is committed", TRANSACTION,
    "let value = try body(self)\n      «try checkCancellation()»\n      try checkTransaction()\n"
    "      try committing",
    "",
    "StoreTests.CommitTests")
statement(
    "a transaction that fails is not rolled back", TRANSACTION,
    "{ commits.advance() }\n      «rollback()»\n      throw error",
    "",
    "EvocationSQLiteTests")
statement(
    "a versioned snapshot begins with whatever is read first", TRANSACTION,
    "_ = try first(\"PRAGMA schema_version\")", "",
    "FilesTests.CommitClockTests")
expression(
    "a savepoint that fails takes back nothing", TRANSACTION,
    "if «!isOutsideTransaction» { rollbackSavepoint() }", "false",
    "StoreTests.SavepointTests")
expression(
    "an offset without a limit is left out", SELECTION,
    "criteria.limit != nil || criteria.offset > 0", "criteria.limit != nil",
    "EvocationSQLiteTests")
expression(
    "a cursor at null finds what is null again", SELECTION,
    "case (nil, false): return «SQLQuery(\"\\(sql) IS NOT NULL\")»", "SQLQuery.always",
    "EvocationSQLiteTests")
expression(
    "behind a cursor of a descending order nulls are missing", SELECTION,
    "return «term.expression.isNullable»\n        ?", "false",
    "EvocationSQLiteTests")
expression(
    "what is not equal leaves rows without a value out", COMPARISON,
    "expression.isNullable && (comparison == .notEqual) != negated", "false",
    "EvocationSQLiteTests")
expression(
    "less and at most are not turned round into each other", COMPARISON,
    "case .less: «.greaterOrEqual»\n    case .lessOrEqual: .greater",
    "Criteria.Comparison.greater",
    "EvocationSQLiteTests")
expression(
    "a prefix takes the text behind its range too", TEXT,
    "SQLQuery(\"\\(value) >= ?\", [.text(prefix)]), «SQLQuery(\"\\(value) < ?\", [.textBytes(end)])»",
    "SQLQuery(\"\\(value) <= ?\", [.textBytes(end)])",
    "EvocationSQLiteTests")
expression(
    "a name with a quote ends its quotes",
    "Sources/EvocationSQLite/Queries/SQLQuery.swift",
    "contains(quote)\n", "false",
    "EvocationSQLiteTests")
expression(
    "a connection is opened beyond the pool's capacity", POOL,
    "count < capacity", "count <= capacity",
    "FilesTests.ConnectionPoolStateTests")
expression(
    "who waited last for a connection is served first", POOL,
    "served: «waiters.removeFirst()»", "waiters.removeLast()",
    "FilesTests.ConnectionPoolStateTests")
statement(
    "a statement that was prepared is not kept",
    "Sources/EvocationSQLite/Statements/StatementCache.swift",
    "clock += 1\n    statement.lastUse = clock\n    «statements[sql] = statement»", "",
    "EvocationSQLiteTests")
statement(
    "a backup replaces a file that appeared meanwhile", BACKUP,
    "«try check()»\n    // `link` fails", "",
    "FilesTests.BackupTests")
expression(
    "a backup is written over the database itself", BACKUP,
    "Self.identity(path) == Self.identity(source)", "false",
    "FilesTests.BackupTests")
statement(
    "a backup that fails leaves its half behind",
    "Sources/EvocationSQLite/Maintenance/SQLiteDatabase+Backup.swift",
    "defer { «file.discard()» }", "",
    "FilesTests.BackupTests")
statement(
    "a page's count stays when an item moves to another", LISTS,
    "try connection.run(\n      \"UPDATE evocation_list_pages SET count = count - 1 WHERE list = ? "
    "AND page = ?\",\n      [list, page], Self.writing)",
    "",
    "EvocationSQLiteTests")
statement(
    "in a file, where a dropped page can be loaded again is forgotten", LISTS,
    "record?.lead(direction == .next ? .previous : .next, to: try asked(row, page))", "",
    "EvocationSQLiteTests")
expression(
    "a migration that was changed is taken", PLAN,
    "for (migration, known) in zip(migrations, applied) where «migration != known»", "false",
    "StoreTests.MigrationPlanTests")
expression(
    "migrations of a newer app are taken for none", PLAN,
    "where «position >= names.count\n      || names[position] != known.name»",
    "position < names.count && names[position] != known.name",
    "StoreTests.MigrationPlanTests")
statement(
    "foreign keys stay off after a migration",
    "Sources/EvocationSQLite/Migrations/SQLiteDatabase+Migrate.swift",
    "defer { «try? execute(\"PRAGMA foreign_keys = 1\", action)» }", "",
    "StoreTests.MigrationTests")
expression(
    "a tag's prefix takes the tag behind its range", LEDGER,
    "WHERE tag >= ? AND tag < ?\", [.text(prefix), «.textBytes(end)»]",
    ".textBytes(end + [0])",
    "ListsTests.SQLiteFetchLedgerTests")
expression(
    "a range of ids with gaps is removed as a whole", REMOVER,
    "to.subtractingReportingOverflow(from) == (Int64(ids.count - 1), false)",
    "to.subtractingReportingOverflow(from).partialValue >= Int64(ids.count - 1)",
    "StoreTests.BatchTests")
expression(
    "a held snapshot is read from after a commit",
    "Sources/EvocationSQLite/Connections/Connection.swift",
    "if «held != present» {\n      letGo()", "held == nil",
    "FilesTests.SharingTests")
statement(
    "snapshots that nobody reads are held while the log grows",
    "Sources/EvocationSQLite/Connections/Connection+Transaction.swift",
    "logPageCount = 0\n    «onWait?()»", "",
    "FilesTests.SharingTests")
statement(
    "a checkpoint waits for snapshots that nobody reads",
    "Sources/EvocationSQLite/Connections/Connection.swift",
    "Thread.sleep(forTimeInterval: tries < 10 ? 0.001 : 0.01)\n    «onWait?()»", "",
    "FilesTests.SharingTests")
expression(
    "two databases of one process have a file that is for one",
    "Sources/EvocationSQLite/Connections/OpenFiles.swift",
    "guard «use.owner == owner» else { return false }", "true",
    "FilesTests.SharingTests")
expression(
    "what other connections commit is not told",
    "Sources/EvocationSQLite/Watching/ChangeWatch.swift",
    "return «version == nil || state.version != version»", "false",
    "FilesTests.ChangeWatchTests")
statement(
    "a cancelled savepoint is kept", TRANSACTION,
    "let value = try body()\n      «try checkCancellation()»", "",
    "StoreTests.CommitTests")
statement(
    "the log of a file that is refused is moved into it",
    "Sources/EvocationSQLite/Connections/Connection.swift",
    "sqlite3_interrupt(handle)", "",
    "FilesTests.UntouchedTests")
expression(
    "a file that is refused gets an index of its log",
    "Sources/EvocationSQLite/Connections/Connection+Open.swift",
    "!FileManager.default.fileExists(atPath: path + \"-shm\")", "false",
    "FilesTests.UntouchedTests")
statement(
    "closing returns before the files are closed",
    "Sources/EvocationSQLite/Connections/ConnectionPool.swift",
    "queue.async { [state] in\n      «connection.close()»", "",
    "FilesTests.ClosingTests")
expression(
    "a page that was not read is damage to a check",
    "Sources/EvocationSQLite/Maintenance/SQLiteDatabase+Check.swift",
    "SystemFailure.isOfDisk(number)", "false",
    "FilesTests.SystemFailureTests")
expression(
    "a read that failed is damage",
    "Sources/EvocationSQLite/Errors/SQLiteError+Result.swift",
    "SystemFailure.isOfDisk(number) ? .disk(number) : nil", "nil",
    "FilesTests.SystemFailureTests")
expression(
    "a model that a trigger left out is there already",
    "Sources/EvocationSQLite/Repository/ModelTable+Bulk.swift",
    "guard «try finder.finds(model)» else", "true",
    "StoreTests.TriggerTests")
expression(
    "a fetch of any date is believed", LEDGER,
    "date >= .distantPast && date <= .distantFuture", "true",
    "ListsTests.OwnTablesTests")
expression(
    "a migration of any position is taken", APPLIED,
    "statement.value(at: 0) == .integer(Int64(applied.count + 1))", "true",
    "ListsTests.OwnTablesTests")
expression(
    "a file in which damage was found is written when it is closed",
    "Sources/EvocationSQLite/Connections/Connection.swift",
    "isDamaged.withLock({ $0 })", "false",
    "FilesTests.UntouchedTests")

COMPARED = "Sources/EvocationSQLite/Mapping/RowComparison.swift"
MIRROR = "Sources/EvocationSQLite/Repository/ModelTable+Mirror.swift"

expression(
    "a property that is left out is held by any row", COMPARED,
    "for column in isHeld.indices { «null(Int32(column))» }", "isHeld[column] = true",
    "StoreTests.MirroringTests")
expression(
    "texts of one length are the same", COMPARED,
    "memcmp(first, start, bytes.count) == 0", "true",
    "StoreTests.MirroringTests")
expression(
    "texts that begin alike are the same", COMPARED,
    "guard «bytes.count == Int(count)» else { return false }", "true",
    "StoreTests.MirroringTests")
expression(
    "a number is null where the row has zero", COMPARED,
    "sqlite3_column_type(row, column) == SQLITE_NULL",
    "sqlite3_column_type(row, column) == SQLITE_NULL || sqlite3_column_double(row, column) == 0",
    "StoreTests.MirroringTests")
expression(
    "a mirror leaves every row that it finds", MIRROR,
    "isHeld[next] = «outcome.hasRest»", "true",
    "StoreTests.MirroringTests")
expression(
    "a mirror takes the next row for that of the next model", MIRROR,
    "if «outcome.hasKey» {", "true",
    "StoreTests.DifferentialTests")
expression(
    "a mirror in another order leaves every row that it finds", MIRROR,
    "isHeld[index] = «try writer.compare(models[index], with: rows, key: plan.key).hasRest»", "true",
    "StoreTests.DifferentialTests")
expression(
    "a mirror removes what it is to keep", MIRROR,
    "} else if «!kept.contains(id)» {\n        surplus.append(held)", "true",
    "StoreTests.DifferentialTests")
statement(
    "the log of single writes grows without end", TRANSACTION,
    "try committing(body)\n    «beginLogAnewIfLong()»", "",
    "FilesTests.CommitClockTests")
ENTRIES = "Sources/EvocationSQLite/Repository/SQLiteTransaction+Entries.swift"
QUEUE_ROW = "Sources/EvocationSQLite/Outbox/QueueRow.swift"

expression(
    "an outbox of a newer version is opened",
    "Sources/EvocationSQLite/Connections/Connection+Format.swift",
    "format > Self.outboxFormat", "false",
    "SQLiteOutboxTests.OutboxFileTests")
expression(
    "what was fetched is written over unsent writes in a file",
    "Sources/EvocationSQLite/Repository/SQLiteRepository+Commit.swift",
    "write.sparingUnsent(in: part)", "write",
    "SQLiteOutboxTests.OutboxTrialTests")
expression(
    "an entry is read whose model has another id", QUEUE_ROW,
    "guard «text(at: 1) == key(model)» else", "true",
    "SQLiteOutboxTests.OutboxFileTests")
expression(
    "an entry with fewer than no attempts is read", QUEUE_ROW,
    "      «attempts >= 0»\n", "true",
    "SQLiteOutboxTests.OutboxFileTests")
statement(
    "a deleted entry is still found by what it referred to", ENTRIES,
    "try change(queue.delete, [.integer(position)])\n"
    "    «try outbox.deleteReferences(of: queue.queue, position)»", "",
    "SQLiteOutboxTests.OutboxFileTests")
statement(
    "an entry that was changed refers to what it referred to before", ENTRIES,
    "try outbox.deleteReferences(of: queue.queue, entry.position)", "",
    "SQLiteOutboxTests.OutboxTrialTests")
expression(
    "only some of many models with entries are found", ENTRIES,
    "known?.contains(key) ?? «hasEntries(key)»", "false",
    "SQLiteOutboxTests.SQLiteOutboxTests")
statement(
    "a commit that changed entries is told to nobody",
    "Sources/EvocationSQLite/Repository/TransactionScope.swift",
    "if hasChangedQueue { database.queueObservers.tell() }", "",
    "SQLiteOutboxTests.SQLiteOutboxTests")
statement(
    "a table of entries that was dropped is still counted on",
    "Sources/EvocationSQLite/Repository/TransactionScope.swift",
    "for part in parts { part.lookAgain() }", "",
    "SQLiteOutboxTests.OutboxFileTests")
expression(
    "all entries are read at each start", "Sources/EvocationSQLite/Outbox/QueueTable.swift",
    "NULL WHERE state IN (\\(«Self.parked»)) AND state =", "Self.parked + \", ''\"",
    "SQLiteOutboxTests.OutboxFileTests")

MOVED = "Sources/EvocationSQLite/Outbox/Connection+Queues.swift"

expression(
    "entries of a table that was made anew under its name go with the old one", MOVED,
    "«!tables.contains(where: { $0.lowercased() == queue })» else", "true",
    "SQLiteOutboxTests.QueueMigrationTests")
expression(
    "what waits for entries that were renamed waits for others", MOVED,
    "references[index].queue = «new»", "queue", "SQLiteOutboxTests.QueueMigrationTests")
expression(
    "entries take the place of others when their table is renamed", MOVED,
    "guard «!isTaken» else", "true",
    "SQLiteOutboxTests.QueueMigrationTests")
