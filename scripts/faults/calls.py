statement(
    "Callback calls start in the order in which they were made", "LaneState.next",
    "waiting.reverse()", "", "CallTests")
statement(
    "A write whose caller has left holds up none behind it", "Call.write",
    "proxy.line.leave(ticket)", "", "CallTests")
statement(
    "A write inside a write on the same model is an error, never a standstill",
    "WriteScope.run",
    "return try await ofTask.binding(scope, body)", "return try await body()",
    "CallTests")
expression(
    "A sign-out steps back where a write waits for a line that it has", "WriteSerializer.turn",
    "isNested: «!Self.around.isEmpty»", "false", "SignOutTests")
expression(
    "Changes of the outbox on one instance are made in their order", "Place.conflicts",
    "!instances.isDisjoint(with: others)", "false", "WriteQueueTests")
expression(
    "A cancelled call ends with CancellationError, whatever the repository throws", "Call.answer",
    "Task.isCancelled ? Cancellation.error() : error", "error", "FaultTests")
expression(
    "A cancelled call never falls back", "Route.advance",
    "outcome == .cancelled", "false", "RouteCancellationTests")
statement(
    "A reader of events keeps its place while it waits", "Events.next",
    "defer { withExtendedLifetime(observation) {} }", "observation.cancel()", "ObservationHubTests")
statement(
    "A timeout cancels what lost the race", "Race.run",
    "«worker.cancel()» timer.cancel()", "", "TimingTests")
expression(
    "A read joins no request from before a write", "Asking.isYoung",
    "self.writes == writes", "self.writes <= writes", "ReadJoinsTests")
statement(
    "A read that begins after a write has ended has the write in it", "Call.write",
    "proxy.joins.recordWrite()", "", "ReadJoinsApartTests")
expression(
    "A read joins none that began before a sign-out", "Asking.isYoung",
    "readStart.session === other.session", "true", "SignOutReadTests")
expression(
    "A read joins none that has asked for very long", "Asking.isYoung",
    "other.time.subtracting(readStart.time) < ReadJoins.longestWait", "true",
    "ReadJoinsLeavingTests")
expression(
    "A read inside a read does not wait for itself", "ReadJoins.begin",
    "other.ticket > readStart.outer", "true", "ReadJoinsApartTests")
expression(
    "A read waits for none of lower priority", "ReadJoins.begin",
    "other.readStart.priority >= readStart.priority", "true", "ReadJoinsApartTests")
expression(
    "Reads under two join keys are two requests", "Call.join",
    "proxy.environment.joinKey?()", "nil", "ReadJoinsApartTests")
statement(
    "Whoever joined a read that is cancelled asks at once", "Call.lead",
    "joins.leave(ticket)", "", "ReadJoinsLeavingTests")
expression(
    "A read waits for an equal one no longer than its rule's timeout", "Call.take",
    "within: «left»", "nil", "ReadJoinsLeavingTests")
expression(
    "The limit of a read that joined counts from its call, whoever led", "Call.take",
    "let call = «waitingSince == nil ? Call(self, waitingSince: since) : self»", "self",
    "ReadJoinsLimitTests")
statement(
    "The trace of a read that joined says so", "Call.take",
    "result.record.addJoined(rule.target)", "", "ReadJoinsApartTests")
expression(
    "A read that is cancelled while it is saved ends with CancellationError", "Route.advance",
    "situation.action.isRead", "false", "ReadJoinsLeavingTests")
expression(
    "What is asked behind an answer keeps nothing away after a write", "ReadJoins.beginAlone",
    "$0.isYoung(for: readStart, writes)", "true", "ReadJoinsApartTests")
expression(
    "A read's answer that comes after the timeout is kept", "Race.run",
    "if «isLate», let keep", "false", "LateAnswerTests")
expression(
    "A read whose fallback has nothing waits for the late answer", "Call.settle",
    "if «isEmpty», let timeout", "false", "LateAnswerTests")
expression(
    "A caller who cancels while the answer is late cancels the service", "Call.settle",
    "verdict.error != .cancelled", "true", "LateAnswerTests")
expression(
    "A read joins none that is under another rule", "Call.join",
    "isGiven && rule != wiring.strategy[operation.action]", "false", "ReadJoinsTests")
expression(
    "A caller who cancels a joined read cancels nobody else's", "Call.give",
    "isNothing ? .nothing : .result(result)", ".result(result)", "ReadJoinsLeavingTests")
expression(
    "A read saves nothing over what the app wrote meanwhile", "WrittenModels.applied",
    "lastStates[id]", "LastState?.none", "WrittenMeanwhileTests")
expression(
    "The later of two fetches of a single model says its date", "Operation.fetchedCriteria",
    "scope == criteria", "true", "FetchDatesTests")
statement(
    "The trace names a fallback that is missing", "Route.afterTarget",
    "missingFallback = fallback", "", "TraceTests")
expression(
    "The log has no error's text unless it is to show values", "Evocation.Trace.Step.logged",
    "!showsValues", "false", "LogTests")
expression(
    "A fetch brings a model whose update local did not carry out", "Call.recordWritten",
    "!isCopied, «!operation.action.isUpdate»", "true", "UnwrittenMeanwhileTests")
expression(
    "A write that was taken back keeps nothing out of a fetch", "Evocation.Metadata.hasWritten",
    "(error == nil) != (role == .rollback)", "error == nil", "UnwrittenMeanwhileTests")
statement(
    "A repository and a clock are asked before the proxy is locked", "Proxy.replace",
    "return rewire { $0.with(local: local, binding) }",
    "return rewire { $0.with(local: local, LocalBinding(local)) }", "RewiringTests")
expression(
    "A refused write is undone whatever the model's id is made of", "Call.criteria",
    "guard «access?.isListable ?? true»", "true", "RollbackTests")
statement(
    "A write that waits very long for its turn is told of, with the call that it waits for",
    "Call.watchWait", "for trace in longWaits(rule) { onEvent(trace) }", "", "LongWaitTests")
expression(
    "A printed result says that the fallback answered", "Evocation.Result.description",
    "didFallBack", "false", "ResultDescriptionTests")
expression(
    "What a service finds by words removes no model", "Criteria.isPart",
    "predicate?.isOpaque != true", "true", "FullTextCallTests")
