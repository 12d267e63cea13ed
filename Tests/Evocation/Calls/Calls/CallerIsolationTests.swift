import Dispatch
import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// An actor with a queue of its own, that counts how often it is given something to do.
private actor Counting {
  nonisolated let executor = CountingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// How often a call left this actor and came back, or where it asked a repository elsewhere.
  func hops(
    _ call: Evocation.Call, _ evocation: Evocation
  ) async -> (Evocation.Result<[Car]>, Int) {
    let before = executor.count
    let result = await evocation.call(call, Car(id: 1))
    return (result, executor.count - before)
  }

  /// How often the body left this actor and came back.
  func hops(_ body: nonisolated(nonsending) () async throws -> Void) async rethrows -> Int {
    let before = executor.count
    try await body()
    return executor.count - before
  }
}

private final class CountingExecutor: SerialExecutor {
  static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "Counting")
  private let jobs = Lock(0)

  init() { queue.setSpecific(key: Self.key, value: true) }

  static var isHere: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  var count: Int { jobs.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.withLock { $0 += 1 }
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// A repository that answers at once, and fails when it is asked anywhere but on the actor.
private func repository(
  _ place: Evocation.RepositoryType, _ outcome: Strategy.Explanation.Outcome
) -> RepositoryMock<Car> {
  RepositoryMock { _ in
    #expect(CountingExecutor.isHere)
    switch outcome {
    case .models: return [Car(id: 1)]
    case .empty, .unknown: return []
    case .failure: throw Outage(place: place)
    }
  }
}

private let rules: [(String, Strategy.Rule)] =
  Evocation.RepositoryType.allCases.flatMap { target in
    [nil, target.counterpart].flatMap { fallback in
      [Strategy.Synchronization.off, .upsert, .mirror].flatMap { synchronize in
        [nil, Strategy.Retry(attempts: 1)].map { retry in
          let rule = Strategy.Rule(
            target: target, fallback: fallback, synchronize: synchronize, retry: retry
          )
          return ("\(rule)", rule)
        }
      }
    }
  } + [
    ("cacheFirst", .cacheFirst(maxAge: .seconds(60))),
    ("cacheFirst, mirroring", .init(synchronize: .mirror, maxAge: .seconds(60))),
  ]

@Suite(.patient) struct CallerIsolationTests {
  private let actor = Counting()

  @Test func `no call leaves its caller's actor, under any rule and with any outcome`() async {
    var count = 0
    for call in Evocation.Call.allCases {
      for (name, rule) in rules {
        guard let strategy = try? Strategy(rule, for: call.action) else { continue }
        for target in Strategy.Explanation.Outcome.allCases {
          for other in Strategy.Explanation.Outcome.allCases {
            let evocation = Evocation()
            evocation.register(for: Car.self).strategy(strategy)
              .repository(remote: repository(.remote, rule.target == .remote ? target : other))
              .repository(local: repository(.local, rule.target == .local ? target : other))
            let (_, hops) = await actor.hops(call, evocation)
            #expect(hops == 0, "\(call) under \(name): \(target), then \(other)")
            count += 1
          }
        }
      }
    }
    #expect(count > 1_000)
  }

  @Test func `a call under a timeout asks its repository on its caller's actor`() async throws {
    for call in Evocation.Call.allCases {
      let evocation = Evocation()
      evocation.register(for: Car.self)
        .strategy(try Strategy(.init(timeout: .seconds(3600)), for: call.action))
        .repository(remote: repository(.remote, .models))
        .repository(local: repository(.local, .models))
      let (result, _) = await actor.hops(call, evocation)
      #expect(result.error == nil && result.data == [Car(id: 1)], "\(call)")
    }
  }

  @Test(arguments: [nil, Duration.seconds(3600)])
  func `a read that lacks an unsent removal asks its remote again on its caller's actor`(
    timeout: Duration?
  ) async throws {
    let evocation = Evocation()
    evocation.outbox.pause()
    let asked = Lock(0)
    let rule = Strategy.Rule(synchronize: .off, timeout: timeout)
    try evocation.register(
      Car.self,
      remote: RepositoryMock { call in
        #expect(CountingExecutor.isHere)
        asked.withLock { $0 += 1 }
        guard case .find(let criteria) = call else { return [] }
        return criteria.limit == 1 ? [Car(id: 1)] : [Car(id: 1), Car(id: 2)]
      },
      local: InMemoryRepository([Car(id: 1), Car(id: 2)]),
      strategy: Strategy(reads: rule, writes: .init(target: .local, synchronize: .outbox)))
    _ = try await evocation.removeOne(Car(id: 1)).get()
    _ = await actor.hops {
      let first = await evocation.find(model: Car.self, criteria: Criteria().limit(1))
      #expect(first.data == [Car(id: 2)])
      let count = await evocation.count(model: Car.self, criteria: Criteria().limit(1))
      #expect(count.data == 1)
    }
    #expect(asked.withLock { $0 } == 4)
  }

  @Test func `a repository that answers by completion at once costs its caller no hop`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(
      remote: CallbackScript { _, answer in
        #expect(CountingExecutor.isHere)
        answer(.init(data: [Car(id: 1)]))
      }
    )
    .repository(
      local: CallbackScript { _, answer in
        #expect(CountingExecutor.isHere)
        answer(.init(data: [Car(id: 1)]))
      }
    )
    for call in Evocation.Call.allCases {
      let (result, hops) = await actor.hops(call, evocation)
      #expect(result.data == [Car(id: 1)])
      #expect(hops == 0, "\(call)")
    }
  }

  @Test func `a write that waited for its turn is carried out on its caller's actor`() async {
    let gate = Gate()
    let evocation = Evocation()
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock { call in
        if call.ids == [2] { try await gate.pass() } else { #expect(CountingExecutor.isHere) }
        return []
      }
    )
    let first = evocation.storeOne(Car(id: 2)) { _ in }
    await gate.arrivals(1)
    let second = Task { await actor.hops(.storeOne, evocation) }
    gate.open()
    await first.value
    let (result, _) = await second.value
    #expect(result.error == nil)
  }

  @Test func `a memory's calls cost their caller no hop`() async throws {
    let cars = InMemoryRepository([Car(id: 1)])
    let hops = try await actor.hops {
      _ = try await cars.find(Criteria())
      _ = try await cars.updateOne(Car(id: 1))
      _ = try await cars.mirror([Car(id: 2)], for: Criteria())
    }
    #expect(hops == 0)
  }
}
