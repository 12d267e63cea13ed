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
    #expect(!machine.beginSaving(1))
    #expect(machine.beginSaving(2))
    #expect(!machine.beginSaving(2))
  }

  @Test func `Only the page that is loaded begins to be saved, and once`() {
    var machine = Machine()
    machine.pages[.next] = .loading(2, .fetching)
    #expect(!machine.beginSavingPage(.next, 1))
    #expect(!machine.beginSavingPage(.previous, 2))
    #expect(machine.beginSavingPage(.next, 2))
    #expect(!machine.beginSavingPage(.next, 2))
  }

  @Test func `A save that has begun goes on when its last caller leaves, and a fetch does not`() {
    var saving = fetching(1, .saving)
    #expect(saving.left([7]).isEmpty)
    #expect(saving.fetch?.number == 1)
    var fetching = fetching(1)
    #expect(!fetching.left([7]).isEmpty)
    #expect(fetching.fetch == nil)
  }

  @Test func `What a reading gives that another took the place of is not shown`() {
    var machine = Machine()
    machine.reading = 2
    #expect(machine.read(1, .value([1]), at: now).isEmpty)
    #expect(!machine.isRead)
    #expect(!machine.read(2, .value([2]), at: now).isEmpty)
    #expect(machine.isRead)
  }
}
