import Evocation
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct StrategyTests {
  @Test func `the default is that of Evocation 1.0`() {
    let strategy = Strategy.default()
    for action in Strategy.Action.allCases {
      let isRemoteFirst = [.find, .findOne, .remove, .removeOne].contains(action)
      let remoteFirst = Strategy.Rule(target: .remote, fallback: .local)
      let localFirst = Strategy.Rule(target: .local, fallback: .remote)
      #expect(strategy[action] == (isRemoteFirst ? remoteFirst : localFirst))
      #expect(strategy[action].synchronize == .upsert)
    }
  }

  @Test func `a missing action is named`() {
    let error = #expect(throws: StrategyError.self) {
      try Strategy(rules: [.find: .remoteOnly, .store: .localOnly])
    }
    #expect(
      error
        == .incompleteConfiguration(missing: [
          .findOne, .storeOne, .update, .updateOne, .remove, .removeOne,
        ])
    )
    #expect(
      "\(error as Any? ?? "")"
        == "The strategy has no rule for findOne, storeOne, update, updateOne, remove, removeOne; "
        + "add a rule for each action."
    )
  }

  /// Rules that serve no action, or not this one, and what is said of them.
  static let misfits: [(Strategy.Action, Strategy.Rule, String)] = [
    (
      .find, .init(target: .local, fallback: .local),
      "its fallback is its target; use the second repository, or no fallback"
    ),
    (.store, .init(synchronize: .mirror), "mirror is for reads; use true or false"),
    (
      .find, .init(target: .local, synchronize: .mirror),
      "mirror with a local target would delete on the server; make remote the target"
    ),
    (.findOne, .init(synchronize: .outbox), "outbox is for writes; use true, false or mirror"),
    (
      .update, .init(synchronize: .outbox),
      "outbox sends what the local store saved first; make local the target"
    ),
    (.remove, .init(timeout: .zero), "its timeout is not positive"),
    (.find, .init(maxAge: .seconds(-1)), "its maxAge is negative"),
    (
      .find, .init(target: .local, maxAge: .seconds(1)),
      "maxAge says how long local data may replace a request to the server; make remote the target"
    ),
    (
      .find, .init(synchronize: .off, maxAge: .seconds(1)),
      "maxAge needs fetched data in the local store; synchronize"
    ),
    (.find, .init(revalidates: true), "revalidates needs a maxAge; set one"),
    (.find, .init(retry: .init(attempts: 0)), "its retry has fewer than one attempt"),
    (
      .find, .init(retry: .init(attempts: 2, delay: .seconds(-1))),
      "its retry has a negative delay"
    ),
    (
      .find, .init(retry: .init(attempts: 2, multiplier: 0.5)),
      "its retry has a multiplier below 1"
    ),
    (.find, .init(retry: .init(attempts: 2, jitter: 2)), "its retry has a jitter outside 0...1"),
  ]

  @Test(arguments: misfits.indices)
  func `a rule that does not fit its action is refused with the reason`(_ index: Int) {
    let (action, rule, reason) = Self.misfits[index]
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases { rules[action] = .remoteOnly }
    rules[action] = rule
    let error = #expect(throws: StrategyError.self) { try Strategy(rules: rules) }
    #expect(error == .invalidRule(action, rule, reason: reason))
    #expect(
      "\(error.map { "\($0)" } ?? "")".contains("\(action.rawValue) is not valid: \(reason)"))
  }

  @Test func `the ready-made strategies are sound and read as words`() {
    let strategies: [Strategy] = [
      .default(), .remoteFirst, .localFirst, .remoteOnly, .localOnly,
      .cacheFirst(maxAge: .seconds(60)), .staleWhileRevalidate(maxAge: .seconds(60)),
      .offlineFirst, Strategy(.remoteFirst), Strategy(.localFirst),
      Strategy(.cacheFirst(maxAge: .seconds(60))),
      Strategy(.staleWhileRevalidate(maxAge: .seconds(60))),
    ]
    for strategy in strategies {
      let rules = Dictionary(
        uniqueKeysWithValues: Strategy.Action.allCases.map { ($0, strategy[$0]) }
      )
      #expect((try? Strategy(rules: rules)) == strategy)
    }
  }

  @Test func `a ready-made name means the same strategy wherever it is written`() {
    let age = Duration.seconds(60)
    #expect(Strategy(.remoteFirst) == .remoteFirst)
    #expect(Strategy(.localFirst) == .localFirst)
    #expect(Strategy(.remoteOnly) == .remoteOnly)
    #expect(Strategy(.localOnly) == .localOnly)
    #expect(Strategy(.cacheFirst(maxAge: age)) == .cacheFirst(maxAge: age))
    #expect(Strategy(.cacheFirst(maxAge: age)) != .cacheFirst(maxAge: .zero))
    #expect(Strategy(.staleWhileRevalidate(maxAge: age)) == .staleWhileRevalidate(maxAge: age))
  }

  @Test func `a rule of one's own is the same for every action`() {
    let rules: [Strategy.Rule] = [
      .init(), .init(target: .local), .init(fallback: .local, timeout: .seconds(1)),
      .init(target: .remote, fallback: .local), .init(target: .local, fallback: .remote),
      .init(fallback: .local, synchronize: false), .init(maxAge: .seconds(60)),
    ]
    for rule in rules {
      for action in Strategy.Action.allCases { #expect(Strategy(rule)[action] == rule) }
    }
  }

  @Test func `pauses between attempts grow to a limit, less what chance takes off`() {
    let retry = Strategy.Retry(
      attempts: 9, delay: .seconds(1), multiplier: 2, maximumDelay: .seconds(5), jitter: 0.5
    )
    let pauses = (1...9).map { retry.pause(after: $0, Outage(place: .remote), chance: 0) }
    let seconds: [Int?] = [1, 2, 4, 5, 5, 5, 5, 5, nil]
    #expect(pauses == seconds.map { $0.map { Duration.seconds($0) } })
    #expect(retry.pause(after: 1, Outage(place: .remote), chance: 1) == .milliseconds(500))
  }

  @Test func `only failures of the chosen kinds are worth another attempt`() {
    struct Refusal: ClassifiedError {
      let failureKind: FailureKind
      var retryAfter: Duration? { .seconds(9) }
    }
    for kind in FailureKind.allCases {
      for wanted in FailureKind.allCases {
        let retry = Strategy.Retry(attempts: 2, delay: .seconds(1), kinds: [wanted])
        let pause = retry.pause(after: 1, Refusal(failureKind: kind), chance: 0)
        #expect(pause == (kind == wanted ? .seconds(9) : nil))
      }
    }
  }
}
