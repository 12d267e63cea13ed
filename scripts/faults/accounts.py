expression(
    "A read that began before a sign-out gives nothing of that account", "Call.execute",
    "if operation.isRead, «isSignedOut» { return signedOut } if !operation", "false", "SignOutTests")
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
    "A sign-out that was cut short before it was decided empties no file", "SignOutRecovery.finish",
    "try isDecided(row.id, by: path(first))", "true", "SignOutKillTests")
expression(
    "A sign-out outlasts the answers that were under way", "ETagCache.remember",
    "key.forgettings == state.forgettings", "true", "ETagCacheTests")
