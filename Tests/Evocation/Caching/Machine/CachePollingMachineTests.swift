import Evocation
import Foundation
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationStores
@testable import EvocationValues

/// When a cache is refreshed again, as the machine decides it.
@Suite struct CachingPollingMachineTests {
  /// A machine, its time, and the number of the fetch that runs.
  private struct Play {
    var machine = CacheMachine<[String]>()
    var now = CacheMoment(date: Date(timeIntervalSinceReferenceDate: 0), time: .zero)
    var running: UInt64?
    var fetches = 0

    /// A cache that was fetched just now, and is observed by one who wants it every ten seconds.
    init(
      _ policy: CachePolicy = CachePolicy(refreshEvery: .seconds(10)), isObserved: Bool = true
    ) {
      handle(.loaded(FetchRecord(fetchedAt: now.date)))
      if isObserved { observe(policy) }
    }

    mutating func observe(
      _ policy: CachePolicy = CachePolicy(refreshEvery: .seconds(10)), by repository: UInt64 = 1
    ) {
      handle(.observed(by: repository, policy, count: 1))
      if let number = machine.reading.observation?.number {
        handle(.read(number, .value(CacheContent(["v"]))))
      }
    }

    mutating func handle(_ event: CacheMachine<[String]>.Event) {
      for effect in machine.handle(event, at: now) {
        if case .load(_, let number) = effect { (running, fetches) = (number, fetches + 1) }
      }
    }

    mutating func pass(_ seconds: Double) {
      now.time += .seconds(seconds)
      now.date += seconds
      handle(.checked)
    }

    mutating func succeed() {
      guard let number = running else { return }
      running = nil
      handle(.savingBegan(.replacing, number))
      handle(.saved(.replacing, number, CacheSave(record: FetchRecord(fetchedAt: now.date))))
      if let number = machine.reading.observation?.number {
        handle(.read(number, .value(CacheContent(["v"]))))
      }
    }

    mutating func fail() {
      guard let number = running else { return }
      running = nil
      handle(.failed(.replacing, number, CacheFailure(Trouble.fetching)))
    }

    /// How many seconds until the next refresh; nil when none comes.
    var wait: Double? { machine.timeToNextPoll(at: now)?.seconds }
  }

  @Test func `The pause begins when a fetch has ended`() {
    var play = Play()
    #expect(play.wait == 10)
    play.pass(9)
    #expect(play.fetches == 0)
    play.pass(1)
    #expect(play.fetches == 1)
    // However long the fetch takes, no other begins beside it.
    play.pass(100)
    #expect(play.fetches == 1)
    #expect(play.wait == nil)
    play.succeed()
    #expect(play.wait == 10)
    play.pass(10)
    #expect(play.fetches == 2)
  }

  @Test func `After failures the pause doubles up to sixteen intervals, and a success ends that`() {
    var play = Play()
    play.pass(10)
    for pause in [20.0, 40, 80, 160, 160, 160] {
      play.fail()
      #expect(play.wait == pause)
      let before = play.fetches
      play.pass(pause - 1)
      #expect(play.fetches == before)
      play.pass(1)
      #expect(play.fetches == before + 1)
    }
    play.succeed()
    #expect(play.wait == 10)
  }

  @Test func `What another process has fetched counts too`() {
    var play = Play()
    play.pass(10)
    play.fail()
    play.pass(5)
    play.handle(.recalled(FetchRecord(fetchedAt: play.now.date)))
    #expect(play.wait == 10)
  }

  @Test func `Nothing is fetched again while nobody observes, or all are away`() {
    var play = Play(isObserved: false)
    play.pass(100)
    #expect(play.fetches == 0)
    // What is overdue is fetched for the next observer at once.
    play.observe()
    #expect(play.fetches == 1)
    play.succeed()
    play.handle(.away(true))
    #expect(play.wait == nil)
    play.pass(100)
    #expect(play.fetches == 1)
    play.handle(.away(false))
    play.handle(.checked)
    #expect(play.fetches == 2)
    play.succeed()
    play.handle(.unobserved(by: 1, count: 1))
    #expect(play.wait == nil)
    play.pass(100)
    #expect(play.fetches == 2)
  }

  @Test func `The shortest interval of all who observe counts`() {
    var play = Play(CachePolicy())
    #expect(play.wait == nil)
    play.observe(CachePolicy(refreshEvery: .seconds(60)), by: 2)
    #expect(play.wait == 60)
    play.observe(CachePolicy(refreshEvery: .seconds(10)), by: 3)
    #expect(play.wait == 10)
    play.handle(.unobserved(by: 3, count: 1))
    #expect(play.wait == 60)
  }

  @Test func `A source that fetches nothing is not asked again and again`() {
    var play = Play(CachePolicy(canFetch: false, refreshEvery: .seconds(10)))
    #expect(play.wait == nil)
    play.pass(100)
    #expect(play.fetches == 0)
  }

  @Test func `The longest interval never comes, and any number of failures stays within bounds`() {
    var play = Play(CachePolicy(refreshEvery: .longest))
    #expect(play.machine.timeToNextCheck(at: play.now) == nil)
    var polling = CachePolling()
    for _ in 1...100 { polling.fail(at: .longest) }
    #expect(polling.due(every: .longest, after: .longest) == .longest)
    play.machine.polling = polling
    #expect(play.machine.timeToNextCheck(at: play.now) == nil)
  }
}
