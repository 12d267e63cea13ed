import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// The progress that a call reports to: what cancels the call, and how it ends.
@Suite(.patient) struct ProgressTests {
  /// The calls that take a progress, each with something to do.
  enum Kind: CaseIterable {
    case prefetch, catchUp, flush, refresh
  }

  private let clock = ManualClock()
  private let gate = Gate()
  private let isStuck = Lock(false)
  private let hanging = Lock(0)
  private let isBroken = Lock(false)
  private let evocation: Evocation

  init() {
    let (isStuck, isBroken, gate, hanging) = (isStuck, isBroken, gate, hanging)
    evocation = Evocation(
      configuration: .init(clock: clock, chance: { 0 }, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self)
      .repository(
        remote: RepositoryMock { call in
          if isStuck.withLock({ $0 }) {
            hanging.withLock { $0 += 1 }
            defer { hanging.withLock { $0 -= 1 } }
            try await gate.pass()
          }
          if isBroken.withLock({ $0 }) { throw Outage(place: .remote) }
          if case .storeOne(let car) = call { return [car] }
          return [Car(id: 1)]
        }
      )
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
  }

  /// Prepares a call, and returns what it says of its end: what is left, or whether it failed.
  private func call(_ kind: Kind) async -> @Sendable (Progress) async -> String {
    let evocation = evocation
    switch kind {
    case .prefetch:
      return { progress in
        let result = await evocation.prefetch(Car.self, progress: progress)
        return result.error is CancellationError ? "canceled" : result.error == nil ? "" : "failed"
      }
    case .catchUp:
      await evocation.prefetch(Car.self, maxAge: .seconds(60))
      await evocation.prefetch(Car.self, criteria: ["id": 1], maxAge: .seconds(60))
      clock.advance(by: .seconds(61))
    case .flush:
      _ = await evocation.storeOne(Car(id: 7))
    case .refresh:
      let cars = evocation.cache(Car.self)
      return { progress in
        do {
          return switch try await cars.refresh(progress: progress) {
          case .successful: ""
          case .skipped(.cancelled): "canceled"
          case .failed, .skipped: "failed"
          }
        } catch {
          return "thrown"
        }
      }
    }
    return { progress in
      let left = await evocation.catchUp(deadline: .seconds(25), progress: progress).left
      return left == 0 ? "" : "\(left) left"
    }
  }

  /// What a call says that is canceled while its requests hang.
  private func canceled(_ kind: Kind) -> String {
    switch kind {
    case .prefetch, .refresh: "canceled"
    case .catchUp: "2 left"
    case .flush: "1 left"
    }
  }

  @Test(arguments: Kind.allCases)
  func `Canceling a progress ends what hangs, and tells the app's own handler`(
    _ kind: Kind
  ) async throws {
    let call = await call(kind)
    isStuck.withLock { $0 = true }
    for setsBefore in [true, false] {
      let (progress, told) = (Progress(totalUnitCount: -1), Gate.Counter())
      if setsBefore { progress.cancellationHandler = { told.increase() } }
      let running = Task { await call(progress) }
      try await hangs()
      if !setsBefore { progress.cancellationHandler = { told.increase() } }
      progress.cancel()
      #expect(await running.value == canceled(kind))
      #expect(await told.reach(1))
      #expect(progress.isCancelled)
    }
  }

  @Test(arguments: Kind.allCases)
  func `Canceling a progress that it is a part of ends it too`(_ kind: Kind) async {
    let call = await call(kind)
    isStuck.withLock { $0 = true }
    let (all, progress) = (Progress(totalUnitCount: 10), Progress(totalUnitCount: -1))
    all.addChild(progress, withPendingUnitCount: 5)
    let running = Task { await call(progress) }
    await gate.arrivals(1)
    all.cancel()
    #expect(await running.value == canceled(kind))
    #expect(progress.isCancelled)
  }

  @Test(arguments: Kind.allCases)
  func `One that was canceled before begins nothing`(_ kind: Kind) async {
    let call = await call(kind)
    isStuck.withLock { $0 = true }
    let progress = Progress(totalUnitCount: -1)
    progress.cancel()
    #expect(await call(progress) == canceled(kind))
  }

  @Test(arguments: Kind.allCases)
  func `However a call ends, its progress has ended, and can be used again`(
    _ kind: Kind
  ) async throws {
    let call = await call(kind)
    let progress = Progress(totalUnitCount: -1)
    isBroken.withLock { $0 = true }
    #expect(await call(progress) != "")
    #expect(progress.isFinished && !progress.isCancelled)
    isBroken.withLock { $0 = false }
    // The outbox waits after a failure.
    clock.advance(by: .seconds(300))
    isStuck.withLock { $0 = true }
    let running = Task { await call(progress) }
    try await hangs()
    #expect(!progress.isFinished && progress.completedUnitCount == 0)
    running.cancel()
    #expect(await running.value == canceled(kind))
    #expect(progress.isFinished && !progress.isCancelled)
    isStuck.withLock { $0 = false }
    clock.advance(by: .seconds(300))
    #expect(await call(progress) == "")
    #expect(progress.isFinished && progress.fractionCompleted == 1)
    // Of what is done by now, there is nothing to do.
    #expect(await call(progress) == "")
    #expect(progress.isFinished)
  }

  @Test func `A deadline ends the progress with what was done`() async {
    let call = await call(.catchUp)
    isStuck.withLock { $0 = true }
    let progress = Progress(totalUnitCount: -1)
    let running = Task { await call(progress) }
    await gate.arrivals(2)
    #expect(progress.totalUnitCount == 2 && progress.completedUnitCount == 0)
    clock.advance(by: .seconds(25))
    #expect(await running.value == "2 left")
    #expect(progress.isFinished && !progress.isCancelled)
  }

  @Test func `A call that cannot begin ends its progress`() async {
    let progress = Progress(totalUnitCount: -1)
    #expect(await Evocation().prefetch(Car.self, progress: progress).error is EvocationError)
    #expect(progress.isFinished)
  }

  @Test func `Who joins a fetch is canceled alone, and later reports leave the ended progress`()
    async throws
  {
    isStuck.withLock { $0 = true }
    let (cars, progress) = (evocation.cache(Car.self), Progress(totalUnitCount: -1))
    let first = Task { try await cars.refresh(progress: progress) }
    await gate.arrivals(1)
    let second = Task { try await cars.refresh(force: true) }
    let entry = try cars.binding().entry
    try await eventually("both to wait") { entry.state.withLock { $0.waiters.count == 2 } }
    progress.cancel()
    #expect(try await first.value == .skipped(.cancelled))
    gate.open()
    #expect(try await second.value == .successful)
    #expect(progress.completedUnitCount == 0)
  }

  @Test func `Any number of calls leave one child and no memory behind`() async {
    weak var gone: Progress?
    do {
      let progress = Progress(totalUnitCount: -1)
      gone = progress
      for _ in 0..<3 { await evocation.prefetch(Car.self, progress: progress) }
    }
    #expect(gone == nil)
  }

  /// Waits until a request hangs.
  private func hangs() async throws {
    try await eventually("a request that hangs") { hanging.withLock { $0 > 0 } }
  }
}
