import Foundation
import Testing

@testable import Evocation

/// What comes too late for a machine that has gone on to something else.
@Suite struct CachingNumberTests {
  private typealias Machine = CacheMachine<[Int]>

  private let now = CacheMoment(date: .distantPast, time: .zero)

  private func fetching(_ number: UInt64, _ phase: Machine.Fetch.Phase = .fetching) -> Machine {
    var machine = Machine()
    machine.fetch = Machine.Fetch(
      number: number, isFirst: true, phase: phase, waiters: [7], isAutomatic: false)
    return machine
  }

  @Test func `Only the fetch that runs begins to save, and once`() {
    var machine = fetching(2)
    let begun = [1, 2, 2].map { machine.beginSaving($0) }
    #expect(begun == [nil, .fresh, nil])
  }

  @Test func `Only the page that is loaded begins to be saved, and once`() {
    var machine = Machine()
    machine.pages[.next] = .loading(2, .fetching)
    let asked: [(PageDirection, UInt64)] = [(.next, 1), (.previous, 2), (.next, 2), (.next, 2)]
    let begun = asked.map { machine.beginSavingPage($0, $1) }
    #expect(begun == [false, false, true, false])
  }

  @Test func `A save that has begun goes on when its last caller leaves, and a fetch does not`() {
    var saving = fetching(1, .saving)
    let goesOn = saving.left([7]).isEmpty
    #expect(goesOn && saving.fetch?.number == 1)
    var other = fetching(1)
    let isCancelled = !other.left([7]).isEmpty
    #expect(isCancelled && other.fetch == nil)
  }

  @Test func `What a reading gives that another took the place of is not shown`() {
    var machine = Machine()
    machine.reading = 2
    let late = machine.read(1, .value([1]), at: now)
    #expect(late.isEmpty && !machine.isRead)
    let present = machine.read(2, .value([2]), at: now)
    #expect(!present.isEmpty && machine.isRead)
  }
}
