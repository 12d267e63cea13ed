import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct GateTests {
  private let gate = Gate()

  /// Waits in a task that is cancelled while it waits, or before.
  private func cancelled(_ wait: @escaping @Sendable () async -> Bool) async -> Bool {
    let task = Task { await wait() }
    task.cancel()
    return await task.value
  }

  @Test func `Waiting for what does not come ends when the task is cancelled`() async {
    let mock = CacheRepositoryMock<WordSource>()
    let list = PagingCacheRepositoryMock<NumberPageSource>()
    let came = [
      await cancelled { [gate] in await gate.arrivals(1) },
      await cancelled { await mock.observations(1) },
      await cancelled { await list.observations(1) },
    ]
    #expect(came == [false, false, false])
  }

  @Test func `Arrivals that have come are answered, whoever asks`() async throws {
    gate.open()
    try await gate.pass()
    #expect(await gate.arrivals(1))
    let hasCome = await cancelled { [gate] in await gate.arrivals(1) }
    #expect(hasCome)
  }

  @Test func `Who is let through before it comes passes, and only one`() async throws {
    gate.letOneThrough()
    try await gate.pass()
    let second = Task { [gate] in try await gate.pass() }
    await gate.arrivals(2)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
  }

  @Test func `Who was cancelled takes nobody's turn`() async throws {
    let first = Task { [gate] in try await gate.pass() }
    await gate.arrivals(1)
    let second = Task { [gate] in try await gate.pass() }
    await gate.arrivals(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.letOneThrough()
    try await second.value
  }

  @Test func `Those who wait are let through in the order in which they came`() async throws {
    let passed = Lock<[Int]>([])
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<3 {
      tasks.append(
        Task { [gate] in
          try await gate.pass()
          passed.withLock { $0.append(number) }
        })
      await gate.arrivals(number + 1)
    }
    for task in tasks {
      gate.letOneThrough()
      try await task.value
    }
    #expect(passed.withLock { $0 } == [0, 1, 2])
  }
}
