import Evocation
import Foundation
import Testing

@testable import EvocationCaching
@testable import EvocationStores
@testable import EvocationValues

/// What comes too late for a machine that has gone on to something else.
@Suite struct CachingNumberTests {
  private typealias Machine = CacheMachine<[Int]>

  private let now = CacheMoment(date: .distantPast, time: .zero)

  private func loading(_ number: UInt64, _ position: PagePosition = .replacing) -> Machine {
    var machine = Machine()
    machine.loads[position] = .running(
      CacheLoad.Run(number: number, isFirst: true, waiters: [7]))
    return machine
  }

  @Test(arguments: PagePosition.allCases)
  func `Only the load that runs begins to save, and once`(position: PagePosition) {
    var machine = loading(2, position)
    let other: PagePosition = position == .replacing ? .after : .replacing
    let asked = [(position, UInt64(1)), (other, 2), (position, 2), (position, 2)]
    let begun = asked.map { position, number in
      defer { _ = machine.handle(.savingBegan(position, number), at: now) }
      return machine.saving(position, number)
    }
    #expect(begun == [nil, nil, .fresh, nil])
  }

  @Test(arguments: PagePosition.allCases)
  func `A save that has begun goes on when its last caller leaves, and a fetch does not`(
    position: PagePosition
  ) {
    var saving = loading(1, position)
    _ = saving.handle(.savingBegan(position, 1), at: now)
    let goesOn = saving.handle(.left([7]), at: now).isEmpty
    #expect(goesOn && saving.loads[position].run?.number == 1)
    var other = loading(1, position)
    let isCancelled = !other.handle(.left([7]), at: now).isEmpty
    #expect(isCancelled && other.loads[position].run == nil)
  }

  @Test func `What a reading gives that another took the place of is not shown`() {
    var machine = Machine()
    machine.reading.begin(2, .begun, at: now)
    let late = machine.handle(.read(1, .value(CacheContent([1]))), at: now)
    #expect(late.isEmpty && !machine.reading.isRead)
    let present = machine.handle(.read(2, .value(CacheContent([2]))), at: now)
    #expect(!present.isEmpty && machine.reading.isRead)
  }
}
