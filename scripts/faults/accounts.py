CALL = "Sources/Evocation/Routing/Call.swift"
SIGN_OUT = "Sources/Evocation/Accounts/SignOut.swift"
EMPTYING = "Sources/Evocation/Accounts/Emptying.swift"
TABLES = "Sources/EvocationSQLite/Accounts/EmptiedTables.swift"
RECOVERY = "Sources/EvocationSQLite/Accounts/SignOutRecovery.swift"
STORE = "Sources/EvocationSQLite/Repository/SQLiteDatabase+Store.swift"
STATEMENTS = "Sources/EvocationSQLite/Connections/ConnectionStatements.swift"

expression(
    "a read that began before a sign-out gives what was there", CALL,
    "if operation.isRead, «proxy.environment.signOuts.number != signOuts»", "false",
    "CallsTests.SignOutTests")
expression(
    "what a read fetched before a sign-out is saved after it",
    "Sources/Evocation/Routing/Call+Synchronize.swift",
    "if «mark.isSignedOut» { throw", "false", "CallsTests.SignOutTests")
expression(
    "a refresh from before a sign-out is saved after it",
    "Sources/Evocation/Caching/Proxy/ProxyCacheDataSource+Saving.swift",
    "if «fetched.mark.isSignedOut» { throw", "false", "CallsTests.SignOutCacheTests")
expression(
    "a sign-out that unsent writes block empties all the same", SIGN_OUT,
    "if «unsent == .block» {", "false", "OutboxTests.SignOutOutboxTests")
expression(
    "a sign-out inside a write waits for itself", SIGN_OUT,
    "for line in lines where «WriteScope.isInside(line)»", "false", "CallsTests.SignOutTests")
statement(
    "observers of caches are not told of a sign-out", EMPTYING,
    "«for cache in signOut.caches(of: proxies) { cache.forgetAtOnce() }»", "",
    "CallsTests.SignOutCacheTests")
statement(
    "several files are emptied without that any remembers", EMPTYING,
    "«try await part.store.prepare(emptying)»", "", "FilesTests.SQLiteSignOutTests")
statement(
    "lists outlive a sign-out", TABLES,
    "«for table in Self.lists { try delete(table, in: known) }»", "",
    "FilesTests.SQLiteSignOutTests")
statement(
    "the keys of discarded writes outlive a sign-out", TABLES,
    "«for table in tables { try deleteQueue(table.lowercased(), in: known) }»", "",
    "FilesTests.SQLiteSignOutTests")
expression(
    "a plan may name the library's own tables", TABLES,
    "where «!table.lowercased().hasPrefix(\"evocation_\")»", "true",
    "FilesTests.SignOutPlanTests")
expression(
    "a sign-out that was not decided empties a file", RECOVERY,
    "let isDecided = «try isDecided(row.id, by: path(first))»", "true",
    "FilesTests.SignOutKillTests")
expression(
    "a sign-out that somebody gave up empties all the same", STORE,
    "if isPrepared, isFirst, «try table.state(of: emptying.id) != .marked»", "false",
    "FilesTests.SQLiteSignOutTests")
expression(
    "an answer from before a sign-out is remembered after it",
    "Sources/EvocationHTTP/Sending/ETagCache.swift",
    "guard «key.forgettings == state.forgettings» else", "true", "HTTPTests.ETagCacheTests")
expression(
    "a key is taken for set that SQLite ignores", STATEMENTS,
    "let isKnown = «encrypts || names.contains(name.lowercased())»", "true",
    "FilesTests.ConnectionStatementsTests")
statement(
    "a backup is written without the key", "Sources/EvocationSQLite/Maintenance/PageCopy.swift",
    "«try connection.firstStatements.run(on: target, \"Writing the backup\", file: file.name)»", "",
    "FilesTests.ConnectionStatementsTests")
