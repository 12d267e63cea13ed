MOCK = "Sources/EvocationTesting/Repositories/RepositoryMock.swift"
OCCASION = "Sources/EvocationTesting/Repositories/FaultSchedule.swift"
CLOCK = "Sources/EvocationTesting/Control/ManualClock.swift"
GATE = "Sources/EvocationTesting/Control/Gate.swift"

statement(
    "a mock records a call only after its script", MOCK,
    "recorded.withLock { $0.append(call) }", "",
    "TestingTests.RepositoryMockTests")
expression(
    "the first calls of every period begin one too late", OCCASION,
    "(number - 1) % period < count", "number % period < count",
    "TestingTests.FaultScheduleTests")
expression(
    "faults from a number on leave that number out", OCCASION,
    "number >= first", "number > first",
    "TestingTests.FaultScheduleTests")
expression(
    "a sleeper wakes only after its deadline", CLOCK,
    "$0.value.deadline <= state.now", "$0.value.deadline < state.now",
    "TestingTests.ManualClockTests")
expression(
    "a counter tells those alone who wait for the next number", GATE,
    "state.waiting.filter { $0.count <= state.count }",
    "state.waiting.filter { $0.count == state.count + 1 }",
    "EvocationTestingTests")
expression(
    "a fault that a write meets counts reads too",
    "Sources/EvocationTesting/Repositories/FaultSchedule.swift",
    "case kind: occasion.includes(«numberOfKind»)", "number",
    "TestingTests.Fault")
expression(
    "the contract takes any answer for findOne",
    "Sources/EvocationTesting/Contract/RepositoryContract+Reading.swift",
    "trial.expect(«first == models[0]», \"It gave another.\")", "true",
    "TestingTests.RepositoryContractTests")
expression(
    "the contract takes any answer for what comes behind a cursor",
    "Sources/EvocationTesting/Contract/RepositoryContract+Criteria.swift",
    "trial.expect(«found», wanted, \"after(\\(model.id))\")", "wanted",
    "TestingTests.RepositoryContractTests")
statement(
    "the contract takes any end of a cancelled call",
    "Sources/EvocationTesting/Contract/RepositoryContract+Cancelling.swift",
    "if let observation { trial.expect(false, observation) }", "",
    "TestingTests.RepositoryContractTests")
expression(
    "the contract takes a refusal that names nothing",
    "Sources/EvocationTesting/Contract/RepositoryContract.Trial.swift",
    "!capability.words.isDisjoint(with: words)", "true",
    "TestingTests.RepositoryContractTests")
expression(
    "the contract lets one commit be told twice",
    "Sources/EvocationTesting/Contract/RepositoryContract+Observing.swift",
    "changes.count == 1", "changes.count >= 1",
    "TestingTests.RepositoryContractTests")
expression(
    "the mock of a source of pages puts a later page first",
    "Sources/EvocationTesting/Caching/Paging/PagingCacheDataSourceMock.swift",
    "case .after: «list + page»", "page + list",
    "TestingTests.PagingCacheDataSourceMockTests")
