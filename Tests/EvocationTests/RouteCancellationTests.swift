import Testing

@testable import Evocation

@Suite struct RouteCancellationTests {
  private static let rules: [Strategy.Rule] = [
    .remoteFirst, .localFirst, .init(target: .remote, fallback: .local, fallsBack: .onErrorOrEmpty),
    .init(target: .local, fallback: .remote, synchronize: false),
  ]

  @Test(arguments: Strategy.Action.allCases, rules)
  func `a call that is cancelled asks nobody else, and follows nowhere`(
    action: Strategy.Action, rule: Strategy.Rule
  ) throws {
    let fallback = try #require(rule.fallback)
    var target = Route(rule, Route.Situation(action: action))
    #expect(target.begin() == .ask(rule.target, .target))
    #expect(target.advance(.cancelled) == .end(.failed(.cancelled)))
    var second = Route(rule, Route.Situation(action: action))
    #expect(second.begin() == .ask(rule.target, .target))
    #expect(second.advance(.failure) == .ask(fallback, .fallback))
    #expect(second.advance(.cancelled) == .end(.failed(.cancelled)))
  }

  @Test func `a synchronization that is cancelled leaves the answer`() {
    var route = Route(.remoteFirst, Route.Situation(action: .store))
    _ = route.begin()
    #expect(route.advance(.models) == .synchronize(.local))
    #expect(
      route.advance(.cancelled) == .end(Route.Verdict(origin: .remote, didNotFollow: true)))
  }
}
