expression(
    "A read that began before a sign-out gives nothing of that account", "Execution.end",
    "if operation.isRead, «call.isSignedOut»", "false", "SignOutTests")
expression(
    "A read that began before a sign-out saves nothing after it", "Call.land",
    "mark.isSignedOut", "false", "SignOutTests")
expression(
    "A sign-out that unsent writes block empties nothing", "SignOut.hold",
    "unsent == .block", "false", "SignOutOutboxTests")
statement(
    "A sign-out of several files empties all of them or none", "Emptying.prepare",
    "try await part.store.prepare(emptying)", "", "SQLiteSignOutTests")
expression(
    "A sign-out that was cut short is finished in files that had no note of it", "SignOutRecovery.finish",
    "intent.fellows ?? []", "[SignOutIntent.Fellow]()", "SignOutIntentTests")
expression(
    "A file is emptied once for a sign-out, and keeps what the next user stores", "SignOutTable.carryOut",
    "try !isDone(id)", "true", "SignOutIntentTests")
expression(
    "A file from elsewhere empties no other file", "SignOutRecovery.ask",
    "try SignOutTable(connection).has(id)", "true", "SignOutIntentTests")
expression(
    "A sign-out outlasts the answers that were under way", "ETagCache.remember",
    "key.forgettings == state.forgettings", "true", "ETagCacheTests")
