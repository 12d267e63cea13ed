STATE = "Sources/Evocation/Memory/InMemoryState.swift"
REPOSITORY = "Sources/Evocation/Memory/InMemoryRepository.swift"
ANSWER = "Sources/Evocation/Observing/ObservedAnswer.swift"

expression(
    "an id that comes twice in one store is no duplicate", STATE,
    "(byID[id] != nil || !isNew)", "byID[id] != nil",
    "ValuesTests.InMemoryRepositoryTests")
statement(
    "of a batch one more than few, the order is not made anew", STATE,
    "«ordered.sort { $0.id < $1.id }»", "",
    "ValuesTests.InMemoryRepositoryTests")
expression(
    "a batch leaves what is there as it was", STATE,
    "ordered = «ordered.map { byID[$0.id] ?? $0 }»", "ordered",
    "ValuesTests.InMemoryRepositoryTests")
expression(
    "what was removed in a batch stays in the order", STATE,
    "ordered.removeAll { «byID[$0.id] == nil» }", "false",
    "ValuesTests.InMemoryRepositoryTests")
expression(
    "of several with one id the first counts", "Sources/Evocation/Matching/ModelID.swift",
    "result[index] = «element»\n", "result[index]",
    "ValuesTests.InMemoryRepositoryTests")
expression(
    "a mirrored page removes what stands behind it",
    "Sources/Evocation/Memory/InMemoryRepository+Commit.swift",
    "criteria.limit.map { max(0, $0) }", "nil",
    "ValuesTests.InMemoryRepositoryTests")
expression(
    "a mirrored page with an offset removes what stands before it",
    "Sources/Evocation/Memory/InMemoryRepository+Commit.swift",
    "guard «criteria.offset == 0» else", "true",
    "ValuesTests.InMemoryRepositoryTests")
expression(
    "one model by its id is found behind a cursor too",
    "Sources/Evocation/Memory/InMemoryRepository+Selection.swift",
    "offset == 0, «cursor == nil»", "true",
    "ValuesTests.InMemoryCursorTests")
expression(
    "a commit that touched nothing is told",
    "Sources/Evocation/Repositories/StoreChanges.swift",
    "if «isEmpty» { return nil }",
    "false",
    "ValuesTests.InMemoryObservationTests")
