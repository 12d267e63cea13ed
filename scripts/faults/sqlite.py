statement(
    "A write that throws leaves nothing behind", "Connection.transaction",
    "rollback()", "", "SQLiteDatabaseTests")
statement(
    "A write that is cancelled before it commits leaves nothing behind", "Connection.transaction",
    "try checkCancellation()", "", "CommitTests")
statement(
    "A cancellation never denies what was committed", "Connection.committing",
    "try uninterrupted { try commits.committing(body) }", "try commits.committing(body)", "CommitTests")
statement(
    "An answer is of the version that it says", "Connection.versionedSnapshot",
    "_ = try first(…)", "", "CommitClockTests")
statement(
    "A suspended database keeps no state that it read", "LogMover.suspend",
    "letGo(keeping)", "", "KeepingTests")
expression(
    "Reads without a pause let another process empty the log", "LogMover.pause",
    "Self.gap", "DispatchTimeInterval.nanoseconds(0)", "KeepingTests")
statement(
    "No state is kept while another process writes too", "Connection.committing",
    "if let mover, hasForeignCommit() { mover.recordForeignCommit() }", "", "KeepingTests")
expression(
    "Our own commits count as nobody else's", "Connection.hasForeignCommit",
    "$0 &+ 1", "$0", "KeepingTests")
statement(
    "A watch is told that the log was written", "ChangeWatch.recordReport",
    "state.pace.wrote()", "", "ChangeWatchTests")
statement(
    "A watch asks for the next report", "ChangeWatch.look",
    "state.reports?.askForNext()", "", "ChangeWatchTests")
statement(
    "A watch becomes quiet after a while", "WatchPace.looked",
    "left = max(0, left - 1)", "", "WatchPaceTests")
expression(
    "The first of a range are found without reading the rest", "SQLSelection.query",
    "try firstOfRange(criteria)", "SQLQuery?.none", "IndexUseTests")
expression(
    "Large rows are in a tree of their own", "TablePlan.isInKeyTree",
    "columns[position].kind.scalar?.greatestSize", "Optional(columns[position].kind.scalar?.greatestSize ?? 0)",
    "SQLTests")
statement(
    "A log that is moved is kept by no state that was read", "LogMover.alone",
    "letGo(keeping)", "", "SharingTests")
expression(
    "A removal by ids with gaps removes nothing in the gaps", "TablePlan.rows",
    "to.subtractingReportingOverflow(from) == (Int64(ids.count - 1), false)",
    "to.subtractingReportingOverflow(from).partialValue >= Int64(ids.count - 1)", "BatchTests")
expression(
    "A mirror compares each model with the row of its own id", "ModelTable.difference",
    "outcome.hasKey", "true", "DifferentialTests")
expression(
    "A mirror removes nothing that it is to keep", "ModelTable.difference",
    "!kept.contains(id(held))", "true", "DifferentialTests")
expression(
    "A row that cannot be decoded stays if a mirror is to keep it", "UnreadableRows.findPositions",
    "in «kept»", "[Model]()", "UnreadableRowTests")
expression(
    "A row that cannot be decoded is removed by its key", "ModelTable.removeRows",
    "key.values", "key.values.map { _ in SQLValue.null }", "UnreadableRowTests")
expression(
    "Rows behind one that cannot be decoded get their defaults", "ModelTable.fill",
    "isWhole = false return «true»", "false", "FillingTests")
expression(
    "A column that is gone is told, and does not read as its name", "Connection.refuseNamesForText",
    "(handle, «0»)", "1", "MissingColumnTests")
expression(
    "An optional that becomes required is told if a row lacks it", "TableDefinition.isFull",
    "column.isRequired || column.hasDefault", "column.hasDefault", "FillingTests")
expression(
    "A repository of a file that is up to date waits for no other process", "ModelTable.make",
    "first.isEmpty", "first.isEmpty && first.isNew", "LockedOpeningTests")
expression(
    "A descending page after a cursor begins in the index", "SQLSelection.ranges",
    "SQLQuery(\"\\(sql) \\(sign)= ?\", [value])", "SQLQuery.always", "IndexUseTests")
expression(
    "A negation does not meet a column that is called true", "SQLQuery.negation",
    "«\" IS NOT 1\"»", "\" IS NOT TRUE\"", "SQLTests")
expression(
    "A query behind a cursor at null finds nothing at null again", "SQLSelection.ranges",
    "SQLQuery(\"\\(sql) IS NOT NULL\")", "SQLQuery.always", "SQLTests")
expression(
    "A query for what is not equal finds rows without a value, as in memory", "SQLPredicate.compare",
    "expression.isNullable ? \"IS NOT\" : \"<>\"", "\"<>\"", "SQLTests")
expression(
    "A query for a prefix finds no text that only comes behind it", "SQLPredicate.hasPrefix",
    "SQLQuery(\"\\(value) < ?\", [.textBytes(end)])", "SQLQuery(\"\\(value) <= ?\", [.textBytes(end)])",
    "SQLTests")
expression(
    "A name with a quote in it stays one name in SQL", "String.doubling",
    "utf8.contains(UInt8(ascii: quote))", "false", "SQLTests")
expression(
    "A database refuses a file whose migrations are a newer app's", "MigrationPlan.init",
    "position >= names.count || names[position] != known",
    "position < names.count && names[position] != known", "MigrationPlanTests")
expression(
    "A migration runs once", "MigrationPlan.init",
    "appliedCount = «applied.count»", "0", "MigrationTests")
statement(
    "A migration leaves foreign keys enforced", "Connection.withoutForeignKeys",
    "try? execute(\"PRAGMA foreign_keys = 1\", action)", "", "MigrationTests")
statement(
    "A list has the new ids of models whose ids changed", "Rekeying.run",
    "try changeLists()", "", "RekeyingTests")
statement(
    "Unsent writes name models by their new ids", "Rekeying.changeEntries",
    "try changeKeys(column, of: name, queue: queue)", "", "RekeyingTests")
expression(
    "Columns with a foreign key have the new ids of models whose ids changed", "Rekeying.places",
    "named + declared", "named", "RekeyingTests")
statement(
    "A backup replaces no file that appeared meanwhile", "BackupFile.publish",
    "try check()", "", "BackupTests")
expression(
    "A backup of an encrypted database reads it with its key", "Connection.onWritable",
    "configuration: «configuration»", "SQLiteDatabase.Configuration()", "ConnectionStatementsTests")
statement(
    "A file that is refused stays as it is, and so does its log", "Connection.close",
    "sqlite3_interrupt(handle)", "", "UntouchedTests")
expression(
    "A read that the disk failed is not called damage", "SQLiteError.failure",
    "SystemFailure.isOfDisk(number) ? .disk(number) : nil", "nil", "SystemFailureTests")
expression(
    "A repository that is made within a write is refused", "SQLiteDatabase.blocking",
    "!writerThread.isPresent", "true", "BusyCallerTests")
expression(
    "A repository that is made by an observer of others' commits is refused", "ChangeWatch.look",
    "connection.running { compare(…) }", "compare(connection)", "BusyCallerTests")
statement(
    "A connection comes back where its operation ended", "QueuedJob.begin",
    "giveBack()", "", "BusyCallerTests")
expression(
    "The log stays short where nothing else moves it", "Connection.beginLogAnewIfLong",
    "isOnQueue", "false", "LogMoverTests")
expression(
    "A call whose commit would move a long log leaves its caller's thread", "SQLiteDatabase.now",
    "connection.hasLongestLog", "false", "LogMoverTests")
statement(
    "A write of one model leaves it to another thread to move a long log",
    "Connection.beginLogAnewIfLong", "mover.begin()", "{ () -> Void in _ = moveLog() }()", "LogMoverTests")
statement(
    "A checkpoint does not fail because the log is moved beside it", "Connection.checkpoint",
    "try check(mover?.alone(move) ?? move(), action)", "try check(move(), action)",
    "VacuumTests")
expression(
    "The first read opens its connection away from the caller's thread", "SQLiteDatabase.now",
    "pool.takeIdle()", "try pool.takeBlocking()", "LogMoverTests")
statement(
    "What is full empties the drive's cache too", "Connection.followSynchronous",
    "try execute(\"PRAGMA fullfsync = 1\", Self.opening)", "", "LogMoverTests")
statement(
    "A sign-out empties the drive's cache", "Connection.durably",
    "try execute(\"PRAGMA fullfsync = 1\", action)", "", "LogMoverTests")
statement(
    "What others commit is noticed by looking regularly", "ChangeWatch.start",
    "timer.setEventHandler { … }", "", "ChangeWatchTests")
expression(
    "A file is opened beside SQLite only before its first connection", "OpenFiles.claim",
    "count == 0", "true", "FileLocksTests")
statement(
    "A suspended database interrupts what runs", "Connection.checkCancellation",
    "if isSuspended { throw SQLiteError.suspended }", "", "SuspendingTests")
expression(
    "Suspending is over when everything came back", "ConnectionPoolState.endedNow",
    "count == resting.count", "true", "ConnectionPoolStateTests|SuspendingTests")
expression(
    "The first call of an app that is active finds the database resumed", "SQLiteDatabase.resumeIfActive",
    "suspension.isOver", "false", "SuspendingTests")
expression(
    "A suspended database leaves no stream its lock", "ConnectionPoolState.suspend",
    "Effect(refused: waiters, released: release(«lent»), ended: endedNow())", "[]",
    "ConnectionPoolStateTests|SuspendingTests")
expression(
    "A mirror that waits for rows to go is written after they went", "ModelTable.finish",
    "try removeAll(«surplus», connection)", "[]", "UniqueValueTests")
statement(
    "Models that change places get values in between that nobody has", "ModelTable.freeUniqueValues",
    "for model in models { _ = try writer.write(model) }", "_ = writer", "UniqueValueTests")
expression(
    "A row waits for a unique value, and not for anything else", "Connection.canGoOn",
    "error.resultCode == SQLITE_CONSTRAINT | 8 << 8", "false", "UniqueValueTests|UniqueListTests")
expression(
    "A column whose collation is another type's is refused", "TypeFault.init",
    "if «there.fullType != expected»",
    "there.type.uppercased() != column.plainType", "TypeChangeTests")
expression(
    "A column that was made for another type is refused", "TypeFault.init",
    "kind != column.storedKind", "false", "TypeChangeTests")
expression(
    "A migration may change what a column holds", "ColumnKinds.forget",
    "names.contains { sql.contains($0) }", "false", "TypeChangeTests")
expression(
    "A generated column wants no value", "FoundColumn.unfillableFault",
    "isRequired && «!isGenerated» && !hasDefault", "true", "TypeChangeTests")
expression(
    "Observers are told of a migration before one that fails", "SQLiteDatabase.migrate",
    "!names.isEmpty", "false", "MigrationTests")
expression(
    "A table that was renamed has each index once", "IndexDefinition.apply",
    "former.name.hasSuffix(keys) && former.sql.hasSuffix(body)", "false", "TypeChangeTests")
expression(
    "Two processes may begin a file at the same moment", "Connection.beginLog",
    "error.code == .busy && start.duration(to: .now) < configuration.busyTimeout", "false",
    "BeginningTests")
expression(
    "A file that cannot have a log is refused", "Connection.beginLog",
    "resolvedPath == nil || mode == .text(\"wal\")", "true", "BeginningTests")
statement(
    "The log of a large transaction is cut back", "Connection.beginLog",
    "try execute(\"PRAGMA journal_size_limit = \\(Self.keptLogSize)\", Self.opening)", "", "VacuumTests")
statement(
    "A file shrinks when it is vacuumed", "SQLiteDatabase.vacuum",
    "try connection.execute(\"VACUUM\", action)", "", "VacuumTests")
expression(
    "So many streams are read at a time", "ConnectionPoolState.take",
    "count < capacity", "true", "ConnectionPoolStateTests|StreamTests")
expression(
    "A query that failed is not observed any more", "ObservedQuery.Iterator.next",
    "!observations.isEmpty", "true", "ObservedQueryTests")
expression(
    "A query is asked again only after commits on its models", "TableRegistry.names",
    "$0.value.modelType == model", "true", "ObservedQueryTests")
expression(
    "A query misses no commit between its first read and the observation", "ObservedQuery.Iterator.next",
    "answers.database.commits.current != seen.version", "false", "ObservedQueryTests")
expression(
    "What keys and triggers change is notified", "Connection.recordChanges",
    "total - countedChanges != changes", "false", "SideChangeTests")
expression(
    "SQL of the app is looked at, also if the library has prepared it", "Connection.statement",
    "known.admission.rawValue >= app.rawValue", "true", "ConnectionSettingTests")
expression(
    "A call on one model goes straight to local only where the rule asks nothing else",
    "Call.straight", "rule.isOfLocalAlone", "true", "OutboxKeptAnswerTests")
statement(
    "The oldest reads leave the file", "SQLiteFetchLedger.erase",
    "for tag in tags {…}", "", "RuleAgeTests")
expression(
    "A value without a column is refused, and not dropped", "CodableMapping.write",
    "!encoder.model.unplaced.isEmpty", "false", "UnlearnedKeyTests")
expression(
    "A text in JSON that begins with a combining mark is read whole", "JSONScalar.text",
    "String(Substring(inner))", "String(json.dropFirst().dropLast())", "CombiningMarkTests")
expression(
    "A row that SQL replaces leaves no words behind", "FullTextIndex.addition",
    r'"DELETE FROM \(name.quoted) WHERE rowid = \(number)"', '"SELECT 1"', "FullTextTableTests")
expression(
    "The best matches come first", "SQLSelection.ranked",
    '["evocation_rank"] + plan.key.map { plan.columns[$0].name.quoted }',
    'plan.key.map { plan.columns[$0].name.quoted }', "FullTextTests")
statement(
    "Work in the background of an app that never becomes active is told of its end",
    "SQLiteDatabase.resume", "suspendWhenTimeIsOver()", "", "SuspendingTests")
expression(
    "Time of the system that is over is not kept", "Suspension.askForTime",
    "activity.isActive == nil", "true", "SuspendingTests")
expression(
    "A table with another collation is refused", "FoundColumn.fullType",
    'collation.uppercased() != "BINARY"', 'collation.lowercased() == "evocation_decimal"', "SchemaGridTests")
statement(
    "A table with a column that SQLite computes is refused", "TableDefinition.faults",
    'faults.append("\\(column.name.quoted) is generated, and a model writes it")', "", "SchemaGridTests")
