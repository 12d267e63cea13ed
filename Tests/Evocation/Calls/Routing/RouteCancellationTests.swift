import Evocation
import Testing

@testable import EvocationCalls
@testable import EvocationValues

@Suite struct RouteCancellationTests {
  private static let rules: [Strategy.Rule] = [
    .remoteFirst, .localFirst, .init(target: .remote, fallback: .local, fallsBack: .onErrorOrEmpty),
    .init(target: .local, fallback: .remote, synchronize: false),
    .init(target: .remote, fallback: .local, fallsBack: .onTransientError),
  ]

  @Test(arguments: Strategy.Action.allCases, rules)
  func `a call that is cancelled asks nobody else, and follows nowhere`(
    action: Strategy.Action, rule: Strategy.Rule
  ) throws {
    let fallback = try #require(rule.fallback)
    var first = Route(rule, Route.Situation(action: action))
    let firstSteps = [first.begin(), first.advance(.cancelled)].map(\.alone)
    #expect(firstSteps == [.ask(rule.target, .target, []), .end(.failed(.cancelled))])
    var second = Route(rule, Route.Situation(action: action))
    let secondSteps = [second.begin(), second.advance(.failure), second.advance(.cancelled)]
      .map(\.alone)
    #expect(
      secondSteps == [
        .ask(rule.target, .target, []), .ask(fallback, .fallback, []), .end(.failed(.cancelled)),
      ])
  }

  @Test func `a synchronization that is cancelled leaves the answer`() {
    var route = Route(.remoteFirst, Route.Situation(action: .store))
    let steps = [route.begin(), route.advance(.models), route.advance(.cancelled)].map(\.alone)
    #expect(
      steps == [
        .ask(.remote, .target, []), .synchronize(.local),
        .end(Route.Verdict(origin: .remote, didNotFollow: true)),
      ])
  }
}

extension Route.Step {
  /// The step without what belongs to it.
  fileprivate var alone: Self {
    if case .ask(let type, let role, _) = self { .ask(type, role, []) } else { self }
  }
}
