import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import Testing

/// A fleet of devices that write, lose their connection, are killed and come back.
///
/// `EVOCATION_LIVE_FLEET` says how many, `EVOCATION_LIVE_MINUTES` for how long, and
/// `EVOCATION_LIVE_PAUSE` how many seconds a device waits between two writes.
@Suite(.timeLimit(.minutes(40))) struct LiveFleetTests {
  private static func setting(_ name: String, else value: Double) -> Double {
    ProcessInfo.processInfo.environment[name].flatMap { Double($0) } ?? value
  }

  private let count = Int(setting("EVOCATION_LIVE_FLEET", else: 20))
  private let duration = Duration.seconds(60 * setting("EVOCATION_LIVE_MINUTES", else: 0.25))
  private let pause = Int(setting("EVOCATION_LIVE_PAUSE", else: 3))

  @Test(
    arguments: RealService.running.filter { $0 == .pocketBase }.flatMap { service in
      [true, false].map { (service, $0) }
    })
  func `In the end a fleet and its service agree, and no write is lost`(
    service: RealService, isLive: Bool
  ) async throws {
    let only = ProcessInfo.processInfo.environment["EVOCATION_LIVE_ONLY"]
    guard only == nil || (only == "live") == isLive else { return }
    try await service.alone {
      let fleet = try LiveFleet(service, isLive: isLive, secondsBetweenWrites: pause)
      let seed = repository(of: service, BaseCar.self)
      for number in 0..<count { _ = try await seed.storeOne(fleet.model(of: number)) }
      var random = Trials.random("a fleet, \(isLive ? "live" : "polling")")
      let devices = (0..<count).map { LiveDevice($0, in: fleet, seed: random.next()) }
      // Devices do not all begin in the same second.
      for device in devices {
        try await device.start()
        try await Task.sleep(for: .milliseconds(20))
      }
      try await Task.sleep(for: .seconds(5))
      let before = (fleet.processorSeconds, fleet.requests)
      let end = ContinuousClock.now + duration
      try await withThrowingTaskGroup { group in
        for device in devices {
          group.addTask { try await device.live(until: end) }
        }
        try await group.waitForAll()
      }
      let after = (fleet.processorSeconds, fleet.requests)
      for device in devices { #expect(await device.settle() == 0) }
      try await check(devices, seed)
      print(figures(fleet, isLive, before, after))
      for device in devices { await device.end() }
    }
  }

  /// Waits until all devices have what the service has, and looks for what was acknowledged.
  private func check(
    _ devices: [LiveDevice], _ service: HTTPRepository<BaseCar>
  ) async throws {
    let all = try await service.find(Criteria()).value.sorted { $0.id < $1.id }
    #expect(all.count == count)
    for (device, car) in zip(devices, all) { #expect(await device.acknowledged == car.weight) }
    let end = ContinuousClock.now + .seconds(120)
    for device in devices {
      while try await device.cars().sorted(by: { $0.id < $1.id }) != all {
        guard ContinuousClock.now < end else {
          let (number, story) = (device.number, await device.story)
          let held = try await device.cars()
          let other = all.filter { car in !held.contains(car) }.map(\.id)
          Issue.record("Device \(number) does not have what the service has of \(other): \(story)")
          return
        }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func figures(
    _ fleet: LiveFleet, _ isLive: Bool, _ before: (Double?, Int), _ after: (Double?, Int)
  ) -> String {
    let (median, most) = (fleet.delay(0.5), fleet.delay(0.99))
    let minutes = duration / .seconds(60)
    let used = after.0.flatMap { after in before.0.map { after - $0 } }
    return """
      a fleet of \(count), \(isLive ? "live" : "polling every 5 s"), \(minutes) minutes:
        \(median.arrivals) arrivals, median \(median.milliseconds) ms, 99 % \(most.milliseconds) ms
        \(Int(Double(after.1 - before.1) / minutes)) requests a minute, \
      \(used.map { "\((($0 / minutes) * 10).rounded() / 10) s" } ?? "unknown") of the service's processor a minute
      """
  }
}
