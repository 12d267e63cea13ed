import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// Which writes wait for each other.
@Suite(.patient) struct WriteLanesTests {
  private let gate = Gate()
  private let evocation = Evocation()
  private let lanes = Strategy.Rule(target: .remote, synchronize: .off, writeOrder: .instance)

  init() {
    let gate = gate
    evocation.register(for: Car.self).repository(
      remote: RepositoryMock<Car> { call in
        if case .updateOne(let car) = call, car.id == 1 { try await gate.pass() }
        return [Car(id: 1)]
      })
  }

  /// Waits until the other writes have ended, while the slow one stands at the gate.
  private func require(
    _ others: @escaping @Sendable () async -> Void,
    toEndBefore slow: @escaping @Sendable () async -> Void
  ) async throws {
    let ended = Lock<[String]>([])
    let (slow, others) = (
      Task {
        await slow()
        ended.withLock { $0.append("slow") }
      },
      Task { [gate] in
        await gate.arrivals(1)
        await others()
        ended.withLock { $0.append("others") }
      }
    )
    defer { gate.open() }
    try await eventually("the end of the others") { ended.withLock { !$0.isEmpty } }
    #expect(ended.withLock { $0 } == ["others"])
    gate.open()
    await others.value
    await slow.value
  }

  @Test func `a slow write keeps nobody waiting but those on its own instance`() async throws {
    try await require { [evocation, lanes] in
      for id in 2...20 { _ = await evocation.updateOne(Car(id: id), rule: lanes) }
      _ = await evocation.update([Car(id: 3), Car(id: 4)], rule: lanes)
    } toEndBefore: { [evocation, lanes] in
      _ = await evocation.updateOne(Car(id: 1), rule: lanes)
    }
  }

  @Test func `by a rule of the strategy too`() async throws {
    try evocation.proxy(for: Car.self).strategy(Strategy(lanes))
    try await require { [evocation] in
      _ = await evocation.updateOne(Car(id: 2))
    } toEndBefore: { [evocation] in
      _ = await evocation.updateOne(Car(id: 1))
    }
  }

  @Test func `whatever the writes are on, the line says the same as a plain reading of it`() {
    for seed in UInt64(1)...300 {
      var generator = SeededGenerator(seed: seed)
      var queue = WriteQueue()
      var model: [(ticket: WriteQueue.Ticket, instances: Set<Int>?)] = []
      var turns: [WriteQueue.Ticket: Promise<Bool>] = [:]
      for _ in 0..<60 {
        if model.isEmpty || Int.random(in: 0..<5, using: &generator) < 3 {
          let count = Int.random(in: 0...3, using: &generator)
          let ids = (0..<count).map { _ in Int.random(in: 0..<4, using: &generator) }
          let isWhole = Int.random(in: 0..<4, using: &generator) == 0
          let ticket =
            isWhole
            ? queue.enter(isWrite: Bool.random(using: &generator))
            : queue.enter(on: ids.map { ModelID([.integer(Int64($0))]) })
          model.append((ticket, isWhole ? nil : Set(ids)))
          let turn = Promise<Bool>()
          if queue.wait(ticket, for: turn) { turn.fulfil(true) }
          turns[ticket] = turn
        } else {
          // Most leave in their turn, some of those on instances before.
          let index = Int.random(in: 0..<model.count, using: &generator)
          let (ticket, instances) = model[index]
          let mayLeave = instances != nil && Bool.random(using: &generator)
          guard turns[ticket]?.isFulfilled == true || mayLeave else { continue }
          model.remove(at: index)
          for turn in queue.leave(ticket) { turn.fulfil(true) }
        }
        for (index, entry) in model.enumerated() {
          let isFirst = model[..<index].allSatisfy { other in
            guard let mine = entry.instances, let theirs = other.instances else { return false }
            return mine.isDisjoint(with: theirs)
          }
          #expect(queue.isTurn(of: entry.ticket) == isFirst, "seed \(seed)")
          #expect(turns[entry.ticket]?.isFulfilled == isFirst, "seed \(seed)")
        }
      }
    }
  }
}
