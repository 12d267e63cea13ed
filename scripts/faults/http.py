EXCHANGE = "Sources/EvocationHTTP/Transport/URLSessionExchange.swift"
EXCHANGES = "Sources/EvocationHTTP/Transport/URLSessionExchanges.swift"
CLIENT = "Sources/EvocationHTTP/Sending/HTTPClient.swift"
BODY = "Sources/EvocationHTTP/Sending/HTTPAnswer+Body.swift"
GATE = "Sources/EvocationHTTP/Limits/ServiceGateMachine.swift"
CREDENTIALS = "Sources/EvocationHTTP/Limits/Credentials.swift"
ETAGS = "Sources/EvocationHTTP/Sending/ETagCache.swift"
TAGS = "Sources/EvocationHTTP/Sending/EntityTags.swift"
REDIRECTS = "Sources/EvocationHTTP/Sending/HTTPRedirects.swift"

expression(
    "an answer without a length grows above maximumResponseSize", EXCHANGE,
    "return «state.room >= 0»", "true",
    "HTTPTests.HTTPResponseSizeTests")
expression(
    "an answer without a length grows above maximumResponseSize over other transports", BODY,
    "piece.count <= limit - all.count", "true",
    "HTTPTests.HTTPTransportTests")
expression(
    "an answer of just maximumResponseSize is refused", EXCHANGE,
    "if «length > limit» {", "length >= limit",
    "HTTPTests.HTTPResponseSizeTests")
expression(
    "an answer that is too large loses its status and its header fields", EXCHANGE,
    "let head = «state.withLock { $0.head }»", "nil as HTTPURLResponse?",
    "HTTPTests.HTTPResponseSizeTests")
expression(
    "what is told to be too large is received over other transports", BODY,
    "«length > limit» {", "false",
    "HTTPTests.HTTPTransportTests")
expression(
    "remembered answers are as many as come", ETAGS,
    "state.size > limit || state.entries.count > 256", "state.size > limit",
    "HTTPTests.ETagCacheTests")
expression(
    "the size of an answer that is replaced stays counted", ETAGS,
    "answer.body.count - («gone[0]?.size ?? 0»)", "0",
    "HTTPTests.ETagCacheTests")
statement(
    "a remembered answer that is asked for does not count as used", ETAGS,
    "state.entries[key]?.lastUse = state.uses", "",
    "HTTPTests.ETagCacheTests")
expression(
    "what must not be stored is remembered", ETAGS,
    "answer.headers[\"cache-control\"]?.contains(\"no-store\") != true", "true",
    "HTTPTests.ETagCacheTests")
expression(
    "two accounts share a remembered answer",
    CLIENT,
    "authorization: «fields[\"Authorization\"]»,", "nil",
    "HTTPTests.HTTPExchangeTests")
statement(
    "a read that began before a write teaches its tag", TAGS,
    "state.writes &+= 1\n      state.learn(tag, of: id, at: url)",
    "state.learn(tag, of: id, at: url)",
    "HTTPTests.EntityTagStoreTests")
expression(
    "a tag that was learnt at one address is asked with at another", TAGS,
    "(entry.url ?? url).isSame(as: url)", "true",
    "HTTPTests.EntityTagTests")
statement(
    "a write's tag is taken from a model that was sent without one", TAGS,
    "entries[id] = tag.map { Entry(tag: $0, url: url) }",
    "if let tag { entries[id] = Entry(tag: tag, url: url) }",
    "HTTPTests.EntityTagStoreTests")
expression(
    "redirects are followed one too often", REDIRECTS,
    "count <= 10", "count <= 11",
    "HTTPTests.HTTPSecurityTests")
expression(
    "credentials go along to another port of the same host", REDIRECTS,
    "HTTPAddress.service(of: url) != HTTPAddress.service(of: request.url)",
    "url.host() != request.url.host()",
    "HTTPTests.HTTPSecurityTests")
expression(
    "a host whose name begins with 127 is spoken to without TLS",
    "Sources/EvocationHTTP/Sending/HTTPTrust.swift",
    "parts.count == 4 && parts.first == \"127\" && parts.allSatisfy { UInt8($0) != nil }",
    "parts.first == \"127\"",
    "HTTPTests.HTTPSecurityTests")
expression(
    "a line break in a header's value is sent",
    "Sources/EvocationHTTP/Sending/HTTPRequest.swift",
    "$0.value >= 0x20 && $0.value != 0x7F", "$0.value != 0x7F",
    "EvocationHTTPTests")
expression(
    "a write that was refused once as unauthorized is not sent again",
    CLIENT,
    "«answer.status == 401», !configuration.credentials.isRenewing", "false",
    "HTTPTests.HTTPConfigurationTests")
expression(
    "a store that meets a conflict names models that are not in the way",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "ids(«named.isEmpty ? models : named»)", "models",
    "HTTPTests.HTTPRepositoryWritesTests")
expression(
    "a write in parts says of its last part that it was not sent",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "unsent: repository.ids(batches[«(index + 1)...»].joined())", "index...",
    "HTTPTests.HTTPRepositoryWritesTests")
statement(
    "a cancelled request goes on in the session", EXCHANGE,
    "isCancelled.withLock { $0 = true }\n    task.cancel()", "isCancelled.withLock { $0 = true }",
    "HTTPTests.URLSessionExchangeTests")
expression(
    "a page counts as all that matches", "Sources/EvocationHTTP/Repository/HTTPRepository+Reads.swift",
    "return «min(rest, max(0, criteria.limit ?? rest))»", "rest",
    "HTTPTests.HTTPRepositoryReadsTests")
expression(
    "another model in the body of a conflict is taken for the service's",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "current.id == model.id", "true",
    "HTTPTests.HTTPConflictTests")
expression(
    "the tag of a model that came with a conflict is not learned",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "else if let id {\n        «repository.tags.wrote(id, at: url, answer.tag(configuration.version))»\n      }\n      repository.remember([current])", "_ = id",
    "HTTPTests.HTTPConflictTests")
expression(
    "a conflict over HTTP is a refusal for good",
    "Sources/EvocationHTTP/Errors/HTTPError.swift",
    "case .conflict, .preconditionFailed, .alreadyExists: «.conflict»", ".permanent",
    "HTTPTests.HTTP")
statement(
    "a refusal with a challenge never ends", EXCHANGES,
    "exchange(task)?.finish(.success(()))", "",
    "HTTPTests.TransportTests")
statement(
    "a lost connection waits for its timeout where the body is needed again", EXCHANGES,
    "exchange(task)?.abandon(HTTPError(.connectionLost))", "",
    "HTTPTests.TransportTests")
statement(
    "requests wait within the session and use up their timeout",
    "Sources/EvocationHTTP/Transport/URLSessionTransport.swift",
    "configuration.httpMaximumConnectionsPerHost = 1000", "",
    "HTTPTests.TransportTests")
expression(
    "a write without a key is sent again when its connection is lost", CLIENT,
    "guard «message.isRepeatable», !Task.isCancelled", "true",
    "HTTPTests.HTTPTransportTests")
expression(
    "a transport that was cancelled by others cancels its caller", CLIENT,
    "error is CancellationError && «Task.isCancelled»", "true",
    "HTTPTests.HTTPTransportTests")
expression(
    "a hook that calls its own repository waits for itself", CREDENTIALS,
    "Self.renewing.contains(ObjectIdentifier(self))", "false",
    "HTTPTests.CredentialsOnAServiceTests")
expression(
    "each of those that are refused at once asks for a new credential", CREDENTIALS,
    "return (nil, «waiters.isEmpty»)", "true",
    "HTTPTests.CredentialsTests")
expression(
    "a credential that was renewed before the last one is asked for anew", CREDENTIALS,
    "state.refused.contains(refused)", "state.refused.last == refused",
    "HTTPTests.CredentialsTests")
statement(
    "a trial that ends without an answer is followed by no other", GATE,
    "case (.unknown, .trying(request)): «circuit = .open(until: now)»", "_ = now",
    "HTTPTests.ServiceGate")
expression(
    "more requests are under way than the limit", GATE,
    "running < max(1, limits.requestsAtOnce)", "running <= max(1, limits.requestsAtOnce)",
    "HTTPTests.ServiceGate")
expression(
    "those that wait are sent while the service is left alone", GATE,
    "refusal(of: 0, at: now) != nil", "false",
    "HTTPTests.ServiceGate")
statement(
    "the time for a token is waited for once", GATE,
    "case .wake:\n      «isWaking = false»", "",
    "HTTPTests.ServiceGate")
expression(
    "a service is left alone for as long as it likes", GATE,
    "min(max(backoff, .zero), max(limits.longestBackoff, .zero))", "max(backoff, .zero)",
    "HTTPTests.ServiceGate")
expression(
    "an unreadable date is a value like any other",
    "Sources/EvocationHTTP/Errors/Undecodable.swift",
    "case .dataCorrupted(let context) where «isDate(context)»", "false",
    "HTTPTests.UndecodableTests")
expression(
    "a write without a key goes on a kept connection, and is carried out twice when that is lost",
    "Sources/EvocationHTTP/Transport/URLSessionTransport.swift",
    "!request.isRepeatable", "false",
    "HTTPTests.TransportTests")
statement(
    "a request whose caller was cancelled before stays in its session", EXCHANGE,
    "«cancel()»\n      throw CancellationError()", "",
    "HTTPTests.URLSessionExchangeTests")
expression(
    "a request that is late goes on", CLIENT,
    "{ «exchange.end(late())» }", "_ = exchange",
    "HTTPTests.TimeoutTests")
