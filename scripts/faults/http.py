expression(
    "A service gets a write without a key once, though its connection is lost", "HTTPExchange.repeating",
    "message.isRepeatable", "true", "HTTPTransportTests")
statement(
    "A request can be cancelled while its answer arrives", "URLSessionExchange.end",
    "Self.queue.async { [self] in isCancelled.withLock { $0 = true } task.withLock(\\.self)?.cancel() }",
    "isCancelled.withLock { $0 = true }; task.withLock(\\.self)?.cancel()", "URLSessionExchangeTests")
statement(
    "Requests that wait for a busy session hold up nothing else", "URLSessionExchange.begin",
    "Self.queue.async { [self] in guard let make = make.withLock({ $0.take() }), !ended.isFulfilled "
    "else { return } let made = make(self) task.withLock { $0 = made } made.resume() }",
    "guard let make = make.withLock({ $0.take() }) else { return }; let made = make(self); "
    "task.withLock { $0 = made }; made.resume()", "URLSessionExchangeTests")
expression(
    "A conflict of the service is given to the app, and not parked for good", "HTTPError.failureKind",
    "case .conflict, .preconditionFailed, .alreadyExists: «.conflict»", ".permanent", "HTTPConflictTests")
expression(
    "A write in parts names exactly the models that were not sent", "HTTPWrite.each",
    "unsent: repository.ids(batches[«(index + 1)...»]", "index...", "HTTPRepositoryWritesTests")
expression(
    "A placeholder is never sent as an id", "HTTPWrite.isNew",
    "repository.ids([model]).contains(where: isPlaceholder)", "false", "HTTPIdentifiersTests")
statement(
    "A read that began before a write teaches no version", "RememberedModels.wrote",
    "state.writes &+= 1 state.learn(entry, of: id)", "state.learn(entry, of: id)",
    "RememberedModelsTests")
statement(
    "A list that is dropped leaves no older versions behind", "RememberedModels.firstOfMany",
    "state.entries.removeAll()", "", "RememberedModelsTests")
expression(
    "A list that is read time after time takes no room from others", "RememberedModels.firstOfMany",
    "others.reduce(0, { $0 + rest[$1].count }) >= Self.room", "true", "RememberedModelsTests")
expression(
    "A list that two threads record is recorded once", "RememberedModels.record",
    "state.lists.first === list", "!state.lists.isEmpty", "RememberedModelsTests")
expression(
    "A key that is escaped is left to the decoder", "KeyScanner.key",
    "bytes[place] >= 0x80 || bytes[place] == UInt8(ascii: \"\\\\\")", "bytes[place] >= 0x80",
    "KeyScannerTests")
expression(
    "A bracket in a text ends nothing", "KeyScanner.skipText",
    "case UInt8(ascii: \"\\\\\"): place += «2»", "1", "KeyScannerTests")
expression(
    "Two accounts share no remembered answer", "HTTPClient.key",
    "authorization: «fields[\"Authorization\"]»", "nil", "HTTPExchangeTests")
expression(
    "One renewal of a credential serves all who were refused", "Credentials.renewed",
    "waiters.isEmpty", "true", "CredentialsTests")
expression(
    "A redirect takes credentials to no other service, not even on the same host", "HTTPRedirects.follow",
    "HTTPAddress.service(of: url) != HTTPAddress.service(of: request.url)",
    "url.host() != request.url.host()", "HTTPSecurityTests")
expression(
    "A list is followed to no other service", "HTTPAddress.following",
    "host == URL(string: base.origin)?.host()?.lowercased()", "true", "HTTPWholeListTests")
statement(
    "A list goes on with what was cut off its last page", "HTTPPages.metadata",
    "metadata[\"next\"] = request.url", "", "HTTPPagesTests")
expression(
    "A host that only looks like loopback is spoken to with TLS", "HTTPTrust.isLoopback",
    "parts.count == 4 && … UInt8($0) != nil }", "parts.first == \"127\"", "HTTPSecurityTests")
expression(
    "A header's value has no line break", "HTTPFields.subscript",
    "$0.value >= 0x20 && $0.value != 0x7F", "$0.value != 0x7F", "HTTPFormatTests")
expression(
    "A value with a comma stays one value in a query", "HTTPFilters.quoted",
    "!isPlain", "false", "HTTPFiltersTests")
expression(
    "An answer without a length ends at maximumResponseSize", "HTTPAnswer.init",
    "piece.count <= limit - body.count", "true", "HTTPTransportTests")
expression(
    "A service is sent no more requests at once than the limit", "ServiceGateMachine.effects",
    "running < max(1, limits.requestsAtOnce)", "running <= max(1, limits.requestsAtOnce)",
    "ServiceGateMachineTests")
statement(
    "The circuit breaker tries again after a trial that had no answer", "ServiceGateMachine.take",
    "circuit = .open(until: now)", "_ = now",
    "ServiceGateMachineTests")
expression(
    "A property has no operator that the service does not know for it", "QueryWriter.condition",
    "known?.contains(operation) != true", "false", "HTTPOwnFiltersTests")
expression(
    "A list that ends before its total is an error", "HTTPPages.checkEnd",
    "count < min(there, readsOn ? .max : wanted ?? .max)", "false", "HTTPWholeListTests")
expression(
    "A model that does not match is left out of an answer", "HTTPRepository.matching",
    "conditions.unmet(by: answer.value[index], absent: absent)", "[String]()", "HTTPPassedOverTests")
expression(
    "A mirror keeps the model of an element that cannot be read", "UnsaidKeys.removable",
    "answer.spared.map { criteria && $0 } ?? criteria", "criteria", "HTTPElementsTests")
expression(
    "A success that says that it is none is a refusal", "HTTPWrite.checkBody",
    "answer.saysRefusal(except: own)", "false", "HTTPDoubtfulWritesTests")
expression(
    "A PUT of a model of which nobody has read all is refused", "HTTPWrite.request",
    "!mayLack(model)", "true", "HTTPChangedKeysTests")
expression(
    "A first page that is not there is no empty list", "HTTPRepository.page",
    "!isAtStart", "true", "HTTPWholeListTests")
expression(
    "One model is never removed by a route for several", "HTTPWrite.each",
    "batch.count > 1", "true", "HTTPHonestWritesTests")
expression(
    "A key is found whose name has dots", "JSONPlace.find",
    "if let value = «child(node, String(place))»", "nil as Node?", "JSONPlaceTests")
expression(
    "A service that says no inside a 200 has refused", "HTTPAnswer.isSuccess",
    "meaning == nil", "true", "HTTPRefusalRulesTests")
expression(
    "Parts of an answer are refused one by one", "HTTPClient.follow",
    "answer.status == 207 || request.hasParts && answer.isSuccess", "false", "HTTPRefusalRulesTests")
expression(
    "A 409 that is not about the id says what the service says", "HTTPWrite.refusal",
    "error.current == nil ? present(models) : Set(ids)", "Set(ids)",
    "HTTPWriteRefusalsTests")
expression(
    "A closure that has no other credential means that the user must sign in", "HTTPError.isDenial",
    "isRenewal || FailureKind(error) != .transient", "false", "HTTPAuthorizationTests")
expression(
    "A unit is sent again as a whole with another credential", "HTTPRepository.exchange",
    "endpoint.isAtomic ? Array(answers.indices) : refused", "refused", "HTTPUnitTests")
expression(
    "An upsert names the version that its own check has found", "HTTPWrite.one",
    "isChecked: «true»", "false", "RequiredVersionTests")
expression(
    "A version is read where the properties are", "ContentShape.version",
    "lifted(model).text(at: version)", "nil as String?", "LiftedDecoderTests")
statement(
    "The fields that FastAPI refuses are named", "HTTPRefusal.field",
    "if let location = entry[\"loc\"] as? [Any] { return field(at: location) }", "",
    "HTTPRefusalTests")
expression(
    "The first page of a service that does not page aloud is never the whole list",
    "ListEnds.isWhole", "count < Self.shortestCut", "true", "HTTPListEndsTests")
expression(
    "A list that became shorter while it was read is read again", "HTTPError.isOfChangingList",
    "givenScope == .service", "false", "HTTPListEndsTests")
expression(
    "A model that comes on two pages has what either of them says of it", "Response.withoutRepeats",
    "Rebasing.completed(model, under: lacked, from: models[place])", "model", "HTTPAbsentEventsTests")
expression(
    "Ids that Swift takes for equal are two in live changes", "LiveElements.store",
    "guard let place = «places[ids[index]]»", "places.first?.value", "HTTPAbsentEventsTests")
expression(
    "A union that becomes another case leaves nothing of the former one at the service",
    "HTTPWrite.dropped", "Set(before.valued).subtracting(now.names)", "[]", "HTTPAbsentKeysTests")
expression(
    "A closure for the credential that never returns ends the call", "HTTPClient.asked", "limit: «limit», late:",
    ".seconds(86_400)", "HTTPAuthorizationTests")
expression(
    "After a restart a PUT asks what the service has", "HTTPWrite.givesBack",
    "others.areThere ?? «(base?.model != nil || held != nil)»", "false", "HTTPOtherKeysTests")
expression(
    "A list's bytes show keys that its models do not have", "KeyScanner.name",
    "index == nil, «hasOthers == false»", "false", "HTTPOtherKeysTests")
statement(
    "A refresh that a call joins is no background work any more", "CacheEntry.end",
    "for worker in state.workers.values { worker.background?.join() }", "", "PrioritiesTests")
