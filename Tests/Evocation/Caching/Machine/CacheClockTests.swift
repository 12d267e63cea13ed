import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching

/// A clock that comes back to the cache that asks it for the time.
@Suite(.patient) struct CacheClockTests {
  private let clock = CallingClock()

  @Test(arguments: [false, true])
  func `A clock may ask the cache that reads it, whatever the cache does`(
    asksForState: Bool
  ) async throws {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false)
    let repository = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
    // To ask for the state binds the cache, and to ask for the requirements does not.
    clock.whenRead { [weak repository] in
      if asksForState { _ = repository?.state } else { _ = repository?.requirements }
    }
    repository.requirements = "words"
    #expect(try await repository.refresh() == .successful)
    repository.requirements = FakeSource.Requirements(tag: "words", maxAge: .seconds(5))
    repository.requirements = "others"
    #expect(try await repository.refresh() == .successful)
    clock.whenRead(nil)
  }

  @Test func `Requirements that another thread sets back while they are given up stay`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false)
    let repository = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
    repository.requirements = "words"
    #expect(try await repository.refresh() == .successful)
    // The clock is read between the giving up of the one binding and its leaving.
    clock.whenRead { [weak repository, clock] in
      clock.whenRead(nil)
      repository?.requirements = "words"
      _ = repository?.state
    }
    repository.requirements = "others"
    #expect(repository.requirements?.tag == "words")
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(try await repository.value(from: .cache) == ["v2"])
    var watch = Watch(repository.observe())
    #expect(await watch.next().hasPrefix("yes/v2"))
  }
}
