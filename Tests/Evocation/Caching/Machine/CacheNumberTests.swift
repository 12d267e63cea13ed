import Foundation
import Testing

@testable import Evocation

/// What comes too late for a machine that has gone on to something else.
@Suite struct CachingNumberTests {
  private typealias Machine = CacheMachine<[Int]>

  private let now = CacheMoment(date: .distantPast, time: .zero)

  private func fetching(
    _ number: UInt64, _ phase: CacheRefresh.Phase = .fetching(isOutdated: false)
  ) -> Machine {
    var machine = Machine()
    machine.refresh = .running(
      CacheRefresh.Fetch(
        number: number, isFirst: true, phase: phase, waiters: [7], isAutomatic: false))
    return machine
  }

  @Test func `Only the fetch that runs begins to save, and once`() {
    var machine = fetching(2)
    let begun = [UInt64(1), 2, 2].map { number in
      defer { _ = machine.handle(.savingBegan(number), at: now) }
      return machine.saving(number)
    }
    #expect(begun == [nil, .fresh, nil])
  }

  @Test func `Only the page that is loaded begins to be saved, and once`() {
    var machine = Machine()
    machine.pages[.next] = .loading(2, .fetching)
    let asked: [(PageDirection, UInt64)] = [(.next, 1), (.previous, 2), (.next, 2), (.next, 2)]
    let begun = asked.map { direction, number in
      defer { _ = machine.handle(.pageSavingBegan(direction, number), at: now) }
      return machine.canSavePage(direction, number)
    }
    #expect(begun == [false, false, true, false])
  }

  @Test func `A save that has begun goes on when its last caller leaves, and a fetch does not`() {
    var saving = fetching(1, .saving(.fresh))
    let goesOn = saving.handle(.left([7]), at: now).isEmpty
    #expect(goesOn && saving.refresh.fetch?.number == 1)
    var other = fetching(1)
    let isCancelled = !other.handle(.left([7]), at: now).isEmpty
    #expect(isCancelled && other.refresh.fetch == nil)
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
