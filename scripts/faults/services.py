READS = "Sources/EvocationHTTP/Repository/HTTPRepository+Reads.swift"
PAGES = "Sources/EvocationHTTP/Repository/HTTPPages.swift"
WRITE = "Sources/EvocationHTTP/Repository/HTTPWrite.swift"
WRITER = "Sources/EvocationHTTP/Query/QueryWriter.swift"
VALUES = "Sources/EvocationHTTP/Query/QueryWriter+Values.swift"

expression(
    "a service is asked for one of no values", READS,
    "limit == 0 || «isNone == true»", "false",
    "HTTPTests.HTTPRepositoryReadsTests")
expression(
    "a list with a limit ends with its first page", PAGES,
    "self.count < wanted ?? .max", "wanted == nil",
    "HTTPTests.HTTPPagesTests")
statement(
    "what was cut off a page is passed over by what goes on", PAGES,
    "if client.configuration.next != .offset { metadata[\"next\"] = request.url }", "",
    "HTTPTests.HTTPPagesTests")
expression(
    "a list goes on at another service", PAGES,
    "HTTPAddress.service(of: next.url) == HTTPAddress.service(of: request.url)", "true",
    "HTTPTests.HTTPPagesTests")
expression(
    "a placeholder is sent as an id", WRITE,
    "repository.ids([model]).contains(where: isPlaceholder)", "false",
    "HTTPTests.HTTPIdentifiersTests")
expression(
    "what is not there to be changed is not added", WRITE,
    "guard «updated.value == nil» else", "false",
    "HTTPTests.HTTPIdentifiersTests")
expression(
    "a text with a comma is two members of a group", WRITER,
    "isFilled && !condition.takesList", "false",
    "HTTPTests.HTTPFiltersTests")
expression(
    "what is turned round does not hold for null", WRITER,
    "guard «groups.isThreeValued» else", "false",
    "HTTPTests.HTTPFiltersTests")
expression(
    "an empty text is asked for where it is passed over", VALUES,
    "case .filled where «value.isEmpty»", "false",
    "HTTPTests.HTTPFiltersTests")
expression(
    "a property that reads as an operator is asked for", VALUES,
    "filters.isAmbiguous(name)", "false",
    "HTTPTests.HTTPFiltersTests")
expression(
    "a change sends what does not differ too",
    "Sources/EvocationHTTP/Sending/SentModels.swift",
    "now[$0] != before[$0]", "true",
    "HTTPTests.HTTPDifferencesTests")
