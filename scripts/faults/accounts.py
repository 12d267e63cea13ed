expression(
    "A read that began before a sign-out gives nothing of that account", "Execution.end",
    "if call.operation.isRead, «call.isSignedOut»", "false", "SignOutTests")
expression(
    "A read that began before a sign-out saves nothing after it", "Call.saveFetched",
    "mark.isSignedOut", "false", "SignOutTests")
expression(
    "A sign-out that unsent writes block empties nothing", "SignOut.hold",
    "unsent == .block", "false", "SignOutOutboxTests")
statement(
    "A sign-out of several files empties all of them or none", "Emptying.mark",
    "try await parts[index].store.mark(emptying)", "", "SQLiteSignOutTests")
statement(
    "A sign-out that was cut short is finished in stores that lack its mark", "SignOutRecovery.finish",
    "try store.finish(signOut)", "", "SignOutKillTests")
expression(
    "A file is emptied once for a sign-out, and keeps what the next user stores", "SignOutTable.finish",
    "isDone ? own : []", "[]", "SignOutKillTests")
statement(
    "A mark empties no two stores of one model", "SignOutRecovery.finish", "left.remove(part.model)", "",
    "SignOutKillTests")
expression(
    "Marks that are taken back in part empty all stores or none", "Emptying.unmark",
    "zip(parts, emptyings).reversed()", "Array(zip(parts, emptyings))", "EmptyingTests")
expression(
    "A sign-out outlasts the answers that were under way", "ETagCache.remember",
    "key.forgettings == state.forgettings", "true", "ETagCacheTests")
