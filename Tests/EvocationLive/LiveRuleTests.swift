import Evocation
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// By which rule what was missed is fetched for those who observe.
@Suite(.patient) struct LiveRuleTests {
  /// A strategy, and what a fetch of what was missed leaves of local 9 beside the service's 1.
  struct Trial: CustomTestStringConvertible {
    let testDescription: String
    let strategy: Strategy
    let left: [Int]
  }

  static let trials = [
    Trial(testDescription: "default", strategy: .default(), left: [1, 9]),
    Trial(testDescription: "localFirst", strategy: .localFirst, left: [1, 9]),
    Trial(testDescription: "localOnly", strategy: .localOnly, left: [9]),
    Trial(testDescription: "remoteOnly", strategy: .remoteOnly, left: [1, 9]),
    Trial(testDescription: "remoteFirst", strategy: .remoteFirst, left: [1]),
    Trial(testDescription: "cacheFirst", strategy: .cacheFirst(maxAge: .hours(1)), left: [1]),
    Trial(
      testDescription: "staleWhileRevalidate", strategy: .staleWhileRevalidate(maxAge: .hours(1)),
      left: [1]),
    Trial(testDescription: "offlineFirst", strategy: .offlineFirst, left: [1]),
    Trial(
      testDescription: "a rule of its own that upserts",
      strategy: Strategy(Strategy.Rule(target: .remote, fallback: .local, maxAge: .hours(1))),
      left: [1, 9]),
    Trial(
      testDescription: "local alone, copied to the remote",
      strategy: Strategy(Strategy.Rule(target: .local)), left: [9]),
  ]

  private let activity = ManualActivity(isActive: true)
  private let cars = InMemoryRepository([Car(id: 9)])
  private let remote: RepositoryMock<Car>
  private let evocation: Evocation
  private var finds: Int { remote.calls.count { $0.description.hasPrefix("find") } }

  init() {
    remote = RepositoryMock(sendsLiveChanges: true, announcesConnection: true) { call in
      if case .find = call { return [Car(id: 1)] }
      throw Refusal(place: .remote)
    }
    evocation = Evocation(
      configuration: .init(clock: ManualClock(), chance: { 0 }, activity: activity))
    evocation.live.start()
  }

  private func register(_ strategy: Strategy) {
    evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
      .strategy(strategy)
  }

  private var held: [Int] {
    get async throws { try await cars.find(Criteria()).value.map(\.id).sorted() }
  }

  @Test(arguments: trials)
  func `What was missed is saved by the rule for find, which alone may remove local models`(
    _ trial: Trial
  ) async throws {
    register(trial.strategy)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await remote.liveStreams(1)
    remote.send(RemoteChanges())
    remote.send(RemoteChanges(mark: "after the gap"))
    // The mark is kept when nothing is missing any more.
    try await eventually("the mark") {
      try evocation.proxy(for: Car.self).binding?.live.mark?.text == "after the gap"
    }
    #expect(try await held == trial.left)
    #expect(finds == (trial.left == [9] ? 0 : 1))
  }

  @Test(arguments: trials)
  func `Catching up fetches by the same rule, and nothing by one that never asks the service`(
    _ trial: Trial
  ) async throws {
    register(trial.strategy)
    activity.resignActive()
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    let isAsked = trial.left != [9]
    #expect(await evocation.catchUp(deadline: .seconds(25)).refreshed == (isAsked ? 1 : 0))
    #expect(try await held == trial.left)
    #expect(finds == (isAsked ? 1 : 0))
  }

  @Test func `A write that the service refused stays in the local store, which alone has it`()
    async throws
  {
    register(.default())
    activity.resignActive()
    let result = await evocation.storeOne(Car(id: 7, model: "Mine"))
    #expect(result.error == nil && result.synchronizationError is Refusal)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    activity.becomeActive()
    await remote.liveStreams(1)
    remote.send(RemoteChanges())
    let state = await watch.state { $0.data?.contains { $0.id == 1 } == true }
    #expect(state?.data?.map(\.id).sorted() == [1, 7, 9])
    #expect(state?.data?.contains(Car(id: 7, model: "Mine")) == true)
  }

  @Test func `A fetch of what was missed asks with the retries of the rule for find`() async throws
  {
    let failures = Lock(0)
    let flaky = RepositoryMock<Car>(sendsLiveChanges: true) { _ in
      let count = failures.withLock { count in
        count += 1
        return count
      }
      if count == 1 { throw Outage(place: .remote) }
      return [Car(id: 1)]
    }
    var rule = Strategy.Rule(target: .remote, fallback: .local)
    rule.retry = .init(attempts: 2, delay: .zero)
    evocation.register(for: Car.self).repository(remote: flaky).repository(local: cars)
      .strategy(Strategy(rule))
    var watch = Watch(evocation.observe(model: Car.self))
    #expect(await watch.state { $0.data?.count == 2 } != nil)
    #expect(failures.withLock { $0 } == 2)
  }
}
