EXCHANGE = "Sources/EvocationHTTP/Transport/HTTPExchange.swift"
ETAGS = "Sources/EvocationHTTP/Transport/ETagCache.swift"
TAGS = "Sources/EvocationHTTP/Transport/EntityTags.swift"
REDIRECTS = "Sources/EvocationHTTP/Transport/HTTPRedirects.swift"

expression(
    "an answer without a length grows above maximumResponseSize", EXCHANGE,
    "return «state.body.count <= limits.size»", "true",
    "EvocationHTTPTests.HTTPResponseSizeTests")
expression(
    "an answer of just maximumResponseSize is refused", EXCHANGE,
    "response.expectedContentLength <= Int64(limits.size)",
    "response.expectedContentLength < Int64(limits.size)",
    "EvocationHTTPTests.HTTPResponseSizeTests")
expression(
    "remembered answers are as many as come", ETAGS,
    "state.size > limit || state.entries.count > 256", "state.size > limit",
    "EvocationHTTPTests.ETagCacheTests")
expression(
    "the size of an answer that is replaced stays counted", ETAGS,
    "answer.body.count - («gone[0]?.size ?? 0»)", "0",
    "EvocationHTTPTests.ETagCacheTests")
statement(
    "a remembered answer that is asked for does not count as used", ETAGS,
    "state.entries[key]?.lastUse = state.uses", "",
    "EvocationHTTPTests.ETagCacheTests")
expression(
    "what must not be stored is remembered", ETAGS,
    "answer.headers[\"cache-control\"]?.contains(\"no-store\") != true", "true",
    "EvocationHTTPTests.ETagCacheTests")
expression(
    "two accounts share a remembered answer",
    "Sources/EvocationHTTP/Transport/HTTPClient.swift",
    "authorization: «fields[\"Authorization\"]», type", "nil",
    "EvocationHTTPTests.HTTPExchangeTests")
statement(
    "a read that began before a write teaches its tag", TAGS,
    "state.writes += 1\n      state.learn(answer, of: id, at: url, room: Self.room)",
    "state.learn(answer, of: id, at: url, room: Self.room)",
    "EvocationHTTPTests.EntityTagStoreTests")
expression(
    "a tag that was learnt at one address is asked with at another", TAGS,
    "entry.url == url", "true",
    "EvocationHTTPTests.EntityTagTests")
statement(
    "a write's tag is taken from a model that was sent without one", TAGS,
    "else { «return self[id] = nil» }", "return",
    "EvocationHTTPTests.EntityTagStoreTests")
expression(
    "redirects are followed one too often", REDIRECTS,
    "count <= 10", "count <= 11",
    "EvocationHTTPTests.HTTPSecurityTests")
expression(
    "credentials go along to another port of the same host", REDIRECTS,
    "Self.origin(url) != Self.origin(request.url)", "url.host() != request.url.host()",
    "EvocationHTTPTests.HTTPSecurityTests")
expression(
    "a host whose name begins with 127 is spoken to without TLS",
    "Sources/EvocationHTTP/Transport/HTTPExchange.swift",
    "parts.count == 4 && parts.first == \"127\" && parts.allSatisfy { UInt8($0) != nil }",
    "parts.first == \"127\"",
    "EvocationHTTPTests.HTTPSecurityTests")
expression(
    "a line break in a header's value is sent",
    "Sources/EvocationHTTP/Transport/HTTPRequest.swift",
    "$0.value >= 0x20 && $0.value != 0x7F", "$0.value != 0x7F",
    "EvocationHTTPTests")
expression(
    "a write that was refused once as unauthorized is not sent again",
    "Sources/EvocationHTTP/Transport/HTTPClient.swift",
    "answer.status == 401, «configuration.authorization != nil»", "false",
    "EvocationHTTPTests.HTTPConfigurationTests")
expression(
    "a store that meets a conflict names models that are not in the way",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "ids(named.isEmpty ? models : named)", "ids(models)",
    "EvocationHTTPTests.HTTPRepositoryWritesTests")
expression(
    "a write in parts says of its last part that it was not sent",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "unsent: ids(batches[«(index + 1)...»].joined())", "index...",
    "EvocationHTTPTests.HTTPRepositoryWritesTests")
statement(
    "a cancelled request goes on in the session", EXCHANGE,
    "isCancelled = true\n      task.cancel()", "isCancelled = true",
    "EvocationHTTPTests.HTTPExchangeEndTests")
expression(
    "a page counts as all that matches", "Sources/EvocationHTTP/Repository/HTTPRepository+Reads.swift",
    "return «min(rest, max(0, criteria.limit ?? rest))»", "rest",
    "EvocationHTTPTests.HTTPRepositoryReadsTests")
expression(
    "another model in the body of a conflict is taken for the service's",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "current.id == model.id", "true",
    "EvocationHTTPTests.HTTPConflictTests")
expression(
    "the tag of a model that came with a conflict is not learned",
    "Sources/EvocationHTTP/Repository/HTTPWrite.swift",
    "if let id «{ repository.tags.wrote(id, at: url, answer) }»", "{}",
    "EvocationHTTPTests.HTTPConflictTests")
expression(
    "a conflict over HTTP is a refusal for good",
    "Sources/EvocationHTTP/Errors/HTTPError.swift",
    "case .conflict, .preconditionFailed: «.conflict»", ".permanent",
    "EvocationHTTPTests.HTTP")
