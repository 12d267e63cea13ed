import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationOutbox
@testable import EvocationStores

extension Outbox {
  /// Waits until its status fits, and says why if it does not for a long time.
  func wait(until fits: (Status) -> Bool) async {
    let report = Task {
      try await Task.sleep(for: .seconds(300 * Trials.times * Trials.patience))
      let (now, machine) = (environment.time.now(), state.withLock { $0.machine })
      let status = try? await status()
      Issue.record(
        """
        The outbox stays at \(status.map { "\($0)" } ?? "no status"). \(machine.reasonLeft(at: now))
        \(machine)
        """)
    }
    defer { report.cancel() }
    var statuses = observe().makeAsyncIterator()
    while let status = await statuses.next(), !fits(status) {}
  }

  /// Waits for an event that fits.
  @discardableResult
  static func next(
    _ events: inout some AsyncIteratorProtocol<Event, Never>, _ fits: (Event) -> Bool
  ) async -> Event? {
    while let event = await events.next(isolation: nil) {
      if fits(event) { return event }
    }
    return nil
  }
}

extension ManualClock {
  /// Advances step by step until something holds.
  func advance(
    by step: Duration = .seconds(1), until isSo: () async throws -> Bool
  ) async rethrows {
    while try await !isSo(), !Task.isCancelled {
      advance(by: step)
      await Task.yield()
    }
  }

  /// Advances until outboxes of the same stores have sent all that waits.
  ///
  /// The clock stands while a request is on its way, which would be late otherwise.
  func advance(untilSentBy outboxes: Outbox...) async throws {
    while !Task.isCancelled {
      var statuses: [Outbox.Status] = []
      for outbox in outboxes { statuses.append(try await outbox.status()) }
      if statuses.allSatisfy({ $0.pending == 0 }) { return }
      if !statuses.contains(where: \.isSending) { advance(by: .seconds(1)) }
      await Task.yield()
    }
  }
}

/// A remote whose requests go on when their caller has given up, as a network's do.
final class StubbornRemote: Repository {
  let base: IdempotentService<Draft>
  /// What each write waits for before it arrives.
  let gate = Lock<Gate?>(nil)
  /// How many writes have not arrived yet, or not been carried out.
  let underWay = Lock(0)

  init(_ models: [Draft] = []) { base = IdempotentService(models) }

  func find(_ criteria: Criteria) async throws -> Response<[Draft]> {
    try await base.find(criteria)
  }
  func store(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await arrive { try await $0.store(models) }
  }
  func update(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await arrive { try await $0.update(models) }
  }
  func storeOrUpdate(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await arrive { try await $0.storeOrUpdate(models) }
  }
  func remove(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await arrive { try await $0.remove(models) }
  }

  private func arrive(
    _ call: @escaping @Sendable (IdempotentService<Draft>) async throws -> Response<[Draft]>
  ) async throws -> Response<[Draft]> {
    let gate = gate.withLock { $0 }
    underWay.withLock { $0 += 1 }
    return try await Task { [base, underWay] in
      defer { underWay.withLock { $0 -= 1 } }
      try await gate?.pass()
      return try await call(base)
    }.value
  }
}

/// A service that gives what is stored ids of its own, from 100 on.
final class NumberingService<Model: Codable & Identifiable & Sendable>: ForwardingRepository
where Model.ID == Int {
  let base = InMemoryRepository<Model>()
  /// What arrived, in order, with the ids that it arrived with.
  let arrived = Lock<[String]>([])
  private let last = Lock(99)
  private let renumber: @Sendable (Model, Int) -> Model
  let gate = Lock<Gate?>(nil)

  init(_ renumber: @escaping @Sendable (Model, Int) -> Model) { self.renumber = renumber }

  private func arrive(_ kind: String, _ models: [Model]) async throws {
    try await gate.withLock { $0 }?.pass()
    arrived.withLock { $0 += models.map { "\(kind) \($0)" } }
  }

  func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await arrive("store", models)
    return try await base.store(
      models.map { model in
        renumber(
          model,
          last.withLock {
            $0 += 1; return $0
          })
      })
  }
  func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await arrive("update", models)
    return try await base.update(models)
  }
}
