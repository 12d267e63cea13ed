import Foundation
import Testing

@testable import Evocation

/// How a save is shown by the observation that there is, where the store counts its versions.
@Suite struct CachingVersionTests {
  private typealias Machine = CacheMachine<[String]>

  private let now = CacheMoment(date: Date(timeIntervalSinceReferenceDate: 0), time: .zero)
  private let later = CacheMoment(date: Date(timeIntervalSinceReferenceDate: 1), time: .seconds(1))

  /// A machine that is observed, has read what is there, and is saving what was fetched.
  private func saving(reading version: UInt64?) throws -> (machine: Machine, fetch: UInt64) {
    var machine = Machine()
    _ = machine.handle(.loaded(FetchRecord(fetchedAt: now.date)), at: now)
    _ = machine.handle(.observed(by: 1, CachePolicy(), count: 1), at: now)
    _ = machine.handle(.read(1, body("old"), version: version), at: now)
    _ = machine.handle(.asked(by: 7, .always, CachePolicy()), at: now)
    let fetch = try #require(machine.refresh.fetch).number
    _ = machine.handle(.savingBegan(fetch), at: now)
    return (machine, fetch)
  }

  private func body(_ word: String) -> Machine.Body { .value(CacheContent([word])) }

  private func saved(_ fetch: UInt64, _ version: UInt64?) -> Machine.Event {
    .saved(fetch, FetchRecord(fetchedAt: now.date), version: version)
  }

  /// What effects show, and whether they answer the caller or observe anew.
  private func told(_ effects: [Machine.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .publish(let snapshot):
        let state = snapshot.state(CachePolicy(), at: now, tag: "t")
        let isSuccess = state.justFinishedSuccessfulRefresh
        return (state.cache?.first ?? "nothing") + (isSuccess ? ", just refreshed" : "")
      case .answer(_, let result): return "\(result)"
      case .read: return "observes anew"
      case .fetch, .cancelFetch, .stopReading, .answerPage: return "\(effect)"
      }
    }
  }

  @Test func `A save is shown with the first state of its version, and nothing older`() throws {
    var (machine, fetch) = try saving(reading: 3)
    let number = try #require(machine.reading.observation).number
    #expect(told(machine.handle(saved(fetch, 5), at: now)) == [])
    #expect(!machine.snapshot().isPresentable(CachePolicy()))
    #expect(told(machine.handle(.read(number, body("older"), version: 4), at: now)) == [])
    let shown = told(machine.handle(.read(number, body("new"), version: 6), at: now))
    #expect(shown == ["new, just refreshed", "successful"])
  }

  @Test func `A state that came before the save was told is shown with it at once`() throws {
    var (machine, fetch) = try saving(reading: 3)
    let number = try #require(machine.reading.observation).number
    #expect(told(machine.handle(.read(number, body("new"), version: 5), at: now)) == [])
    let shown = told(machine.handle(saved(fetch, 5), at: now))
    #expect(shown == ["new, just refreshed", "successful"])
  }

  @Test func `A save that changed nothing is shown when its version is told`() throws {
    var (machine, fetch) = try saving(reading: 3)
    let number = try #require(machine.reading.observation).number
    _ = machine.handle(saved(fetch, 5), at: now)
    #expect(told(machine.handle(.unchanged(number, version: 4), at: now)) == [])
    let shown = told(machine.handle(.unchanged(number, version: 5), at: now))
    #expect(shown == ["old, just refreshed", "successful"])
  }

  @Test func `A value that came too early is shown when the save's version has it unchanged`()
    throws
  {
    var (machine, fetch) = try saving(reading: 3)
    let number = try #require(machine.reading.observation).number
    _ = machine.handle(saved(fetch, 5), at: now)
    #expect(told(machine.handle(.read(number, body("written"), version: 4), at: now)) == [])
    let shown = told(machine.handle(.unchanged(number, version: 5), at: now))
    #expect(shown == ["written, just refreshed", "successful"])
  }

  @Test func `A first value that came too early counts as the first one of the save's version`()
    throws
  {
    var machine = Machine()
    _ = machine.handle(.loaded(FetchRecord(fetchedAt: now.date)), at: now)
    _ = machine.handle(.observed(by: 1, CachePolicy(), count: 1), at: now)
    let number = try #require(machine.reading.observation).number
    let record = FetchRecord(fetchedAt: now.date)
    #expect(told(machine.handle(.updated(record, version: 5), at: now)) == [])
    #expect(told(machine.handle(.read(number, body("first"), version: 4), at: now)) == [])
    #expect(told(machine.handle(.unchanged(number, version: 5), at: now)) == ["first"])
  }

  @Test func `A version that does not come is waited for no longer than any first value`() throws {
    var (machine, fetch) = try saving(reading: 3)
    _ = machine.handle(saved(fetch, 5), at: now)
    let shown = told(machine.handle(.checked, at: later))
    #expect(shown == ["old, just refreshed", "successful"])
  }

  @Test(arguments: [(3, nil), (nil, 5), (nil, nil)] as [(UInt64?, UInt64?)])
  func `Where a version is not known it is observed anew`(
    read: UInt64?, save: UInt64?
  ) throws {
    var (machine, fetch) = try saving(reading: read)
    #expect(told(machine.handle(saved(fetch, save), at: now)) == ["observes anew"])
    let number = try #require(machine.reading.observation).number
    let shown = told(machine.handle(.read(number, body("new"), version: nil), at: now))
    #expect(shown == ["new, just refreshed", "successful"])
  }

  @Test func `A first value of unknown version does not stand for a save that came before`() throws
  {
    var machine = Machine()
    _ = machine.handle(.loaded(FetchRecord(fetchedAt: now.date)), at: now)
    _ = machine.handle(.observed(by: 1, CachePolicy(), count: 1), at: now)
    let number = try #require(machine.reading.observation).number
    let record = FetchRecord(fetchedAt: now.date)
    #expect(told(machine.handle(.updated(record, version: 5), at: now)) == [])
    let shown = told(machine.handle(.read(number, body("?"), version: nil), at: now))
    #expect(shown == ["observes anew"])
  }
}
