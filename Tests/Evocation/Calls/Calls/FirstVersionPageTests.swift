import Evocation
import Testing

@testable import CoreSupport

// The samples of Evocation 1.0's page, as they stand there but for two mends: `data` is optional,
// as its own declaration on that page has it, and the repositories exist.

private struct Foo: Sendable, Equatable {
  var name: String
}

private final class FooRepository: CallbackRepository {
  private let isUp: @Sendable () -> Bool
  private let foos: [Foo]

  init(_ foos: [Foo], isUp: @escaping @Sendable () -> Bool = { true }) {
    self.foos = foos
    self.isUp = isUp
  }

  func find(criteria: Criteria?, completion: @escaping Completion<[Foo]>) { answer(completion) }
  func findOne(criteria: Criteria?, completion: @escaping Completion<Foo>) { one(completion) }
  func store(models: [Foo], completion: @escaping Completion<[Foo]>) { answer(completion) }
  func storeOne(model: Foo, completion: @escaping Completion<Foo>) { one(completion) }
  func update(models: [Foo], completion: @escaping Completion<[Foo]>) { answer(completion) }
  func updateOne(model: Foo, completion: @escaping Completion<Foo>) { one(completion) }
  func remove(models: [Foo], completion: @escaping Completion<[Foo]>) { answer(completion) }
  func storeOrUpdate(models: [Foo], completion: @escaping Completion<[Foo]>) {
    answer(completion)
  }

  private func answer(_ completion: Completion<[Foo]>) {
    completion(
      isUp() ? .init(data: foos) : .init(error: Outage(place: .remote))
    )
  }

  private func one(_ completion: Completion<Foo>) {
    answer { completion(.init(data: $0.data?.first, error: $0.error)) }
  }
}

@Suite(.serialized) struct FirstVersionPageTests {
  @Test func `the rules and strategies of the page compile and mean what they say`() {
    let localFirst = Strategy.Rule(target: .local, fallback: .remote, synchronize: true)
    let remoteFirst = Strategy.Rule(target: .remote, fallback: .local, synchronize: false)

    let strategy = Strategy(remoteFirst)

    guard
      let strategy2 = try? Strategy(rules: [
        .find: remoteFirst,
        .findOne: remoteFirst,
        .store: localFirst,
        .storeOne: localFirst,
        .update: localFirst,
        .updateOne: localFirst,
        .remove: remoteFirst,
        .removeOne: remoteFirst,
      ])
    else {
      Issue.record("the strategy is sound")
      return
    }
    #expect(strategy[.store] == remoteFirst)
    #expect(strategy2[.store] == localFirst)
  }

  @Test func `the use case of the page prints remote with a connection, and local without`()
    async
  {
    let isUp = Lock(true)
    let strategy = Strategy.default()

    Evocation.shared
      .register(for: Foo.self)
      .repository(remote: FooRepository([Foo(name: "a")], isUp: { isUp.withLock { $0 } }))
      .repository(local: FooRepository([Foo(name: "b")]))
      .strategy(strategy)
    defer { Evocation.shared.unregister(Foo.self) }

    let printed = Lock<[String]>([])
    await Evocation.find(model: Foo.self, criteria: nil) { result in
      guard result.error == nil else {
        // notify an error has been raised
        return
      }

      let foos: [Foo] = result.data ?? []
      printed.withLock { $0 += ["\(foos.count)", result.origin?.rawValue ?? ""] }
    }.value
    isUp.withLock { $0 = false }
    await Evocation.find(model: Foo.self, criteria: nil) { result in
      printed.withLock { $0.append(result.origin?.rawValue ?? "") }
    }.value
    #expect(printed.withLock { $0 } == ["1", "remote", "local"])
  }
}
