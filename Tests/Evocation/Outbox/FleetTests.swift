import Evocation
import EvocationTesting
import Foundation
import Testing

/// What many devices do to a service that they have missed: see `Evocation.docc/Fleet.md`.
@Suite struct FleetTests {
  private static let retry = Outbox.Configuration.fleet.retry

  /// Small enough for every run of the tests.
  ///
  /// A hundred seconds have as many requests here as one second of the full fleet; in fewer of them,
  /// chance alone would exceed what is allowed.
  @Test(arguments: FleetSimulation.Scenario.allCases, [FleetService.Policy.mixed, .fixed])
  func `a fleet asks a service for little more than it can take`(
    scenario: FleetSimulation.Scenario, policy: FleetService.Policy
  ) {
    let report = FleetSimulation.run(
      .init(devices: 1000, capacity: 10, scenario: scenario, policy: policy, retry: Self.retry))
    #expect(report.taken.reduce(0, +) == report.entries)
    #expect(report.peak(window: 100) <= 1.2)
    #expect(report.drain <= 1.3)
    #expect(report.unfairness <= 3)
    #expect(report.refusedShare < 1 / 3.0)
  }

  @Test func `a fleet that is too large for its longest pause is held back all the same`() {
    let report = FleetSimulation.run(
      .init(
        devices: 1000, capacity: 5, scenario: .serviceReturns, policy: .fixed, retry: Self.retry))
    #expect(report.taken.reduce(0, +) == report.entries)
    #expect(report.peak(window: 200) <= 1.5)
    #expect(report.drain <= 1.5)
  }

  @Test(arguments: [1, 10], 1...2 as ClosedRange<UInt64>)
  func `few devices have sent all within a minute of their probes`(devices: Int, seed: UInt64) {
    for scenario in FleetSimulation.Scenario.allCases {
      let report = FleetSimulation.run(
        .init(
          devices: devices, capacity: 1000, scenario: scenario, policy: .mixed, retry: Self.retry,
          entries: 20...20, seed: seed))
      #expect(report.longestSending <= 60)
      #expect(report.waits.max() ?? 0 <= Self.retry.backoff.longest.seconds + 60)
      if scenario == .networkReturns { #expect(report.waits.max() ?? 0 <= 5) }
    }
  }

  @Test func `the same seed gives the same fleet`() {
    let reports = (0..<2).map { _ in
      FleetSimulation.run(
        .init(
          devices: 100, capacity: 1, scenario: .networkReturns, policy: .fixed, retry: Self.retry))
    }
    #expect(reports[0].asked == reports[1].asked)
    #expect(reports[0].waits == reports[1].waits)
  }

  /// The full fleet: `EVOCATION_FLEET` is how many devices it has, and `EVOCATION_FLEET_PLOTS` the
  /// folder for the pictures.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["EVOCATION_FLEET"] != nil))
  func `the full fleet is measured`() throws {
    let environment = ProcessInfo.processInfo.environment
    let devices = try #require(environment["EVOCATION_FLEET"].flatMap { Int($0) })
    let seed = environment["EVOCATION_SEED"].flatMap { UInt64($0) } ?? 1
    for scenario in FleetSimulation.Scenario.allCases {
      for policy in FleetService.Policy.allCases {
        let report = FleetSimulation.run(
          .init(
            devices: devices, capacity: Double(devices) / 100, scenario: scenario, policy: policy,
            retry: Self.retry, seed: seed))
        print(scenario, policy, report.summary)
        guard let folder = environment["EVOCATION_FLEET_PLOTS"] else { continue }
        let plot = FleetPlot(report: report, title: "\(devices) devices: \(scenario), \(policy)")
        let file = URL(filePath: folder).appending(path: "\(scenario)-\(policy).svg")
        try plot.svg.write(to: file, atomically: true, encoding: .utf8)
      }
    }
  }
}
