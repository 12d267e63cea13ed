expression(
    "A service gets a write without a key once, though its connection is lost", "HTTPClient.repeating",
    "message.isRepeatable", "true", "HTTPTransportTests")
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
    "A read that began before a write teaches no version", "EntityTags.wrote",
    "state.writes &+= 1 state.learn(tag, of: id, at: url)", "state.learn(tag, of: id, at: url)",
    "EntityTagStoreTests")
expression(
    "Two accounts share no remembered answer", "HTTPClient.attempt",
    "authorization: «fields[\"Authorization\"]»", "nil", "HTTPExchangeTests")
expression(
    "One renewal of a credential serves all who were refused", "Credentials.renewed",
    "waiters.isEmpty", "true", "CredentialsTests")
expression(
    "A redirect takes credentials to no other service, not even on the same host", "HTTPRedirects.follow",
    "HTTPAddress.service(of: url) != HTTPAddress.service(of: request.url)",
    "url.host() != request.url.host()", "HTTPSecurityTests")
expression(
    "A list is followed to no other service", "HTTPPages.follow",
    "HTTPAddress.service(of: next.url) == HTTPAddress.service(of: request.url)", "true", "HTTPPagesTests")
statement(
    "A list goes on with what was cut off its last page", "HTTPPages.answer",
    "if client.configuration.next != .offset { part.metadata[\"next\"] = request.url }", "", "HTTPPagesTests")
expression(
    "A host that only looks like loopback is spoken to with TLS", "HTTPTrust.isLoopback",
    "parts.count == 4 && … UInt8($0) != nil }", "parts.first == \"127\"", "HTTPSecurityTests")
expression(
    "A header's value has no line break", "HTTPFields.subscript",
    "$0.value >= 0x20 && $0.value != 0x7F", "$0.value != 0x7F", "HTTPFormatTests")
expression(
    "A value with a comma stays one value in a query", "QueryWriter.item",
    "isFilled && !condition.takesList", "false", "HTTPFiltersTests")
expression(
    "An answer without a length ends at maximumResponseSize", "AsyncSequence.collected",
    "piece.count <= limit - all.count", "true", "HTTPTransportTests")
expression(
    "A service is sent no more requests at once than the limit", "ServiceGateMachine.effects",
    "running < max(1, limits.requestsAtOnce)", "running <= max(1, limits.requestsAtOnce)",
    "ServiceGateMachineTests")
statement(
    "The circuit breaker tries again after a trial that had no answer", "ServiceGateMachine.take",
    "circuit = .open(until: now)", "_ = now",
    "ServiceGateMachineTests")
expression(
    "A group says which operator its service has no word for", "QueryWriter.item",
    "filters.operators[condition.operation] != nil", "true", "HTTPFiltersTests")
