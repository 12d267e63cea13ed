import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import EvocationStores
@testable import EvocationValues

/// Which writes wait for each other.
@Suite struct WriteQueueTests {
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
