import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// A clock that comes back to the list that asks it for the time.
@Suite(.patient) struct PagingClockTests {
  private let clock = CallingClock()

  enum Way: CaseIterable { case otherRequirements, cancelledCaller }

  @Test(arguments: Way.allCases)
  func `A clock may ask the list whose page is given up`(by way: Way) async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let gate = Gate()
    let source = FakePagedSource { cursor, count in
      if count > 1 { await PagingBench.passUncancelled(gate) }
      return .numbers(cursor)
    }
    let repository = PagingCacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
    repository.requirements = "numbers"
    try await repository.refresh()
    let page = Task { await repository.goToNextPage() }
    await gate.arrivals(1)
    clock.whenRead { [weak repository] in _ = repository?.state }
    switch way {
    case .otherRequirements: repository.requirements = "others"
    case .cancelledCaller: page.cancel()
    }
    #expect(await page.value == .skipped(.cancelled))
    clock.whenRead(nil)
    gate.open()
  }
}
