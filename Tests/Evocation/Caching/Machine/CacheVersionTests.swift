import Evocation
import Foundation
import Testing

@testable import EvocationCaching
@testable import EvocationStores
@testable import EvocationValues

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
    let fetch = try #require(machine.refresh.run).number
    _ = machine.handle(.savingBegan(.replacing, fetch), at: now)
    return (machine, fetch)
  }

  private func body(_ word: String) -> Machine.Body { .value(CacheContent([word])) }

  private func saved(_ fetch: UInt64, _ version: UInt64?) -> Machine.Event {
    .saved(.replacing, fetch, CacheSave(record: FetchRecord(fetchedAt: now.date), version: version))
  }

  /// What effects show, and whether they answer the caller or observe anew.
  private func told(_ effects: [Machine.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .publish(let snapshot):
        let state = snapshot.state(CachePolicy(), at: now, tag: "t")
        let isSuccess = state.justFinishedSuccessfulRefresh
        return (state.cache?.first ?? "nothing") + (isSuccess ? ", just refreshed" : "")
      case .answer(_, let end): return "\(RefreshResult(end))"
      case .read: return "observes anew"
      case .load, .cancel, .stopReading: return "\(effect)"
      }
    }
  }

  /// What happens while a save runs, and what is shown after each of it.
  struct Course: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
      case saved
      case read(String, version: UInt64)
      case unchanged(version: UInt64)
      case waited
    }

    let testDescription: String
    let steps: [(step: Step, shown: String?)]

    init(_ description: String, _ steps: (step: Step, shown: String?)...) {
      testDescription = description
      self.steps = steps
    }
  }

  @Test(arguments: [
    Course(
      "with the first state of its version, and nothing older",
      (.saved, nil), (.read("older", version: 4), nil), (.read("new", version: 6), "new")),
    Course(
      "at once with a state that came before the save was told",
      (.read("new", version: 5), nil), (.saved, "new")),
    Course(
      "when its version is told, if it changed nothing",
      (.saved, nil), (.unchanged(version: 4), nil), (.unchanged(version: 5), "old")),
    Course(
      "with a value that came too early, when its version has that unchanged",
      (.saved, nil), (.read("written", version: 4), nil), (.unchanged(version: 5), "written")),
    Course(
      "without its version after as long as any first value is waited for",
      (.saved, nil), (.waited, "old")),
  ])
  func `A save is shown once, in the state of its version`(course: Course) throws {
    var (machine, fetch) = try saving(reading: 3)
    let number = try #require(machine.reading.observation).number
    for (step, shown) in course.steps {
      let (event, time): (Machine.Event, CacheMoment) =
        switch step {
        case .saved: (saved(fetch, 5), now)
        case .read(let word, let version): (.read(number, body(word), version: version), now)
        case .unchanged(let version): (.unchanged(number, version: version), now)
        case .waited: (.checked, later)
        }
      let effects = told(machine.handle(event, at: time))
      #expect(effects == (shown.map { ["\($0), just refreshed", "successful"] } ?? []), "\(step)")
      if case .saved = step {
        #expect(machine.snapshot().isPresentable(CachePolicy()) == (shown != nil))
      }
    }
  }

  @Test func `A first value that came too early counts as the first one of the save's version`()
    throws
  {
    var machine = Machine()
    _ = machine.handle(.loaded(FetchRecord(fetchedAt: now.date)), at: now)
    _ = machine.handle(.observed(by: 1, CachePolicy(), count: 1), at: now)
    let number = try #require(machine.reading.observation).number
    let record = FetchRecord(fetchedAt: now.date)
    #expect(told(machine.handle(.updated(CacheSave(record: record, version: 5)), at: now)) == [])
    #expect(told(machine.handle(.read(number, body("first"), version: 4), at: now)) == [])
    #expect(told(machine.handle(.unchanged(number, version: 5), at: now)) == ["first"])
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
    #expect(told(machine.handle(.updated(CacheSave(record: record, version: 5)), at: now)) == [])
    let shown = told(machine.handle(.read(number, body("?"), version: nil), at: now))
    #expect(shown == ["observes anew"])
  }
}
