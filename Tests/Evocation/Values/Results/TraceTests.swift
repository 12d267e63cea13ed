import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// What a trace says, as sentences and as JSON.
@Suite(.patient) struct TraceTests {
  private static let sample = """
    {
      "call" : "find",
      "model" : "Car",
      "steps" : [
        {
          "attempts" : 2,
          "duration" : 1.25,
          "outcome" : {
            "failed" : {
              "reason" : "The service is down."
            }
          },
          "repository" : "remote",
          "role" : "target"
        },
        {
          "attempts" : 1,
          "duration" : 0.002,
          "outcome" : {
            "answered" : {
              "count" : 79
            }
          },
          "repository" : "local",
          "role" : "fallback"
        }
      ]
    }
    """

  @Test func `a trace is JSON with seconds and names`() throws {
    let trace = Evocation.Trace(
      model: "Car", call: "find",
      steps: [
        .init(
          repository: .remote, role: .target, outcome: .failed("The service is down."), attempts: 2,
          duration: .milliseconds(1_250)),
        .init(
          repository: .local, role: .fallback, outcome: .answered(count: 79),
          duration: .milliseconds(2)),
      ])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    #expect(String(decoding: try encoder.encode(trace), as: UTF8.self) == Self.sample)
    let copy = try JSONDecoder().decode(Evocation.Trace.self, from: Data(Self.sample.utf8))
    #expect(copy == trace)
  }

  @Test func `every step comes back as it was, to the nanosecond`() throws {
    let durations: [Duration] = [
      .zero, .nanoseconds(1), .nanoseconds(123_456_789), .seconds(86_400) + .nanoseconds(7),
      .longest, .zero - .seconds(1),
    ]
    let outcomes: [Evocation.Trace.Outcome] = [
      .answered(count: 0), .answered(count: .max), .failed(""), .cancelled, .skipped("\"why\""),
    ]
    for repository in Evocation.RepositoryType.allCases {
      for role in Evocation.Metadata.Role.allCases {
        for outcome in outcomes {
          for duration in durations {
            let step = Evocation.Trace.Step(
              repository: repository, role: role, outcome: outcome, attempts: 3, duration: duration,
              leftOut: duration == .zero ? 0 : 2,
              leftOutReason: duration == .zero ? nil : "that cannot be read")
            let data = try JSONEncoder().encode(step)
            #expect(!String(decoding: data, as: UTF8.self).contains("_0"))
            #expect(try JSONDecoder().decode(Evocation.Trace.Step.self, from: data) == step)
          }
        }
      }
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"done":{}}"#, #"{"cancelled":{},"failed":{"reason":""}}"#,
  ])
  func `an outcome under no name, another one or two is refused with all names`(
    _ json: String
  ) throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Evocation.Trace.Outcome.self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = try #require(error) else {
      Issue.record("another error: \(error as Any)")
      return
    }
    #expect(
      context.debugDescription == "An outcome is one of answered, failed, cancelled, skipped.")
  }

  @Test(arguments: [#"{"failed":{}}"#, #"{"answered":{"count":"many"}}"#])
  func `an outcome without what belongs to it is refused`(_ json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Evocation.Trace.Outcome.self, from: Data(json.utf8))
    }
  }

  /// Asks by a rule whose fallback is not registered.
  private func result(
    _ call: Evocation.Call, _ rule: Strategy.Rule, _ answer: [Car]?
  ) async throws -> Evocation.Result<[Car]> {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    let repository = RepositoryMock<Car> { _ in
      guard let answer else { throw Outage(place: rule.target) }
      return answer
    }
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases { rules[action] = .remoteOnly }
    rules[call.action] = rule
    let proxy = evocation.register(for: Car.self).strategy(try Strategy(rules: rules))
    if rule.target == .remote {
      proxy.repository(remote: repository)
    } else {
      proxy.repository(local: repository)
    }
    return await evocation.call(call, Car(id: 1))
  }

  @Test(arguments: Evocation.Call.allCases)
  func `a fallback that is not registered is named where it would have been asked`(
    _ call: Evocation.Call
  ) async throws {
    for target in Evocation.RepositoryType.allCases {
      for condition in Strategy.FallbackCondition.allCases {
        for answer in [[Car(id: 1)], [], nil] {
          let rule = Strategy.Rule(
            target: target, fallback: target.counterpart, synchronize: .off, fallsBack: condition)
          let result = try await result(call, rule, answer)
          let isAskedWhenEmpty = condition == .onErrorOrEmpty && call.action.isRead
          let isAsked = answer == nil || (answer?.isEmpty == true && isAskedWhenEmpty)
          let name = target.counterpart.rawValue
          let sentence = "\(name) was skipped: the fallback, \(name), is not registered."
          #expect("\(result.trace)".hasSuffix(sentence) == isAsked)
          #expect("\(result.trace)".contains("fallback") == isAsked)
          #expect((result.error as? Outage)?.place == (answer == nil ? target : nil))
          #expect(result.origin == (answer == nil ? nil : target))
          #expect(result.trace.steps.count == (isAsked ? 2 : 1))
        }
      }
    }
  }

  @Test func `a failed find says that its fallback is not registered`() async throws {
    let failed = try await result(.find, .remoteFirst, nil)
    #expect(
      "\(failed.trace)"
        == "find Car: remote failed: Outage(place: Evocation.Evocation.RepositoryType.remote). "
        + "local was skipped: the fallback, local, is not registered.")
  }

  @Test func `a repository that had two parts in a call is told of twice, in order`() async {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Car.self).repository(remote: RepositoryMock<Car> { _ in [Car(id: 1)] })
      .repository(local: InMemoryRepository<Car>())
      .strategy(Strategy(.staleWhileRevalidate(maxAge: .seconds(60))))
    var result = await evocation.find(model: Car.self)
    let roles: [Evocation.Metadata.Role] = [.cache, .target, .synchronization]
    #expect(result.trace.steps.map(\.role) == roles)
    #expect(result.trace.steps.map(\.repository) == [.local, .remote, .local])
    #expect(result.metadata[.local]?.role == .synchronization)
    result.metadata = .init()
    #expect(result.trace.steps.map(\.role) == roles)
    result.trace = .init()
    #expect(result.trace.steps.isEmpty)
  }

  @Test func `the target is told of before the fallback, whichever is the remote`() async {
    for target in Evocation.RepositoryType.allCases {
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      let broken = RepositoryMock<Car> { _ in throw Outage(place: target) }
      let working = RepositoryMock<Car> { _ in [Car(id: 1)] }
      let rule = Strategy.Rule(target: target, fallback: target.counterpart, synchronize: .off)
      evocation.register(for: Car.self).strategy(Strategy(rule))
        .repository(remote: target == .remote ? broken : working)
        .repository(local: target == .local ? broken : working)
      let steps = await evocation.find(model: Car.self).trace.steps
      #expect(steps.map(\.repository) == [target, target.counterpart])
      #expect(steps.map(\.role) == [.target, .fallback])
    }
  }
}
