import Evocation
import Foundation
import Testing

@Suite struct StrategyJSONTests {
  private static let others =
    #""findOne":"remoteFirst","store":"remoteOnly","storeOne":"remoteOnly","update":"localOnly","#
    + #""updateOne":"localFirst","remove":"remoteOnly","removeOne":"remoteOnly""#

  private func read(find rule: String) throws -> Strategy {
    try Strategy(json: Data("{\"find\":\(rule),\(Self.others)}".utf8))
  }

  @Test func `each condition of falling back is a word that comes back`() throws {
    for condition in Strategy.FallbackCondition.allCases {
      let rule = Strategy.Rule(fallback: .local, fallsBack: condition)
      let word = condition.rawValue
      let strategy = try read(find: #"{"fallback": "local", "fallsBack": "\#(word)"}"#)
      #expect(strategy[.find] == rule)
      #expect(
        try JSONDecoder().decode(Strategy.Rule.self, from: JSONEncoder().encode(rule)) == rule)
    }
    let error = #expect(throws: StrategyError.self) { try read(find: #"{"fallsBack": "never"}"#) }
    #expect(
      error?.description
        == "Evocation cannot read the strategy at find.fallsBack: one of \"onError\", "
        + "\"onErrorOrEmpty\", \"onTransientError\" was expected.")
  }

  @Test func `a rule is an object with durations in seconds, or a word`() throws {
    let strategy = try read(
      find: """
        {"target": "remote", "fallback": "local", "synchronize": "mirror", "timeout": 2.5,
         "fallsBack": "onErrorOrEmpty", "maxAge": 60, "revalidates": true,
         "retry": {"attempts": 4, "delay": 0.1, "multiplier": 3, "maximumDelay": 9,
                   "jitter": 0, "kinds": ["transient", "authorization"]}}
        """
    )
    #expect(
      strategy[.find]
        == Strategy.Rule(
          target: .remote, fallback: .local, synchronize: .mirror, fallsBack: .onErrorOrEmpty,
          timeout: .milliseconds(2_500),
          retry: .init(
            attempts: 4, delay: .milliseconds(100), multiplier: 3, maximumDelay: .seconds(9),
            jitter: 0, kinds: [.transient, .authorization]
          ),
          maxAge: .seconds(60), revalidates: true
        )
    )
    #expect(strategy[.findOne] == .remoteFirst)
    #expect(strategy[.update] == .localOnly)
    #expect(strategy[.updateOne] == .init(target: .local, fallback: .remote))
  }

  @Test func `synchronize is a Boolean or a word`() throws {
    for (text, expected) in [
      ("true", Strategy.Synchronization.upsert), ("false", .off), ("\"mirror\"", .mirror),
      ("\"upsert\"", .upsert), ("\"off\"", .off),
    ] {
      #expect(try read(find: "{\"synchronize\":\(text)}")[.find].synchronize == expected)
    }
  }

  @Test func `the outbox is read and written`() throws {
    let data = try JSONEncoder().encode(Strategy.offlineFirst)
    let strategy = try Strategy(json: data)
    #expect(strategy == .offlineFirst)
    #expect(strategy[.store].synchronize == .outbox)
  }

  @Test func `joining is written as true or false`() throws {
    #expect(Strategy.Joining.allCases == [.off, .on])
    #expect(try read(find: #"{"joins":false}"#)[.find].joins == .off)
    #expect(try read(find: #"{"joins":true}"#)[.find].joins == .on)
    let text = try String(decoding: JSONEncoder().encode(Strategy.Rule(joins: .off)), as: UTF8.self)
    #expect(text.contains(#""joins":false"#))
  }

  @Test func `a priority is a word that comes back`() throws {
    for priority in Strategy.Priority.allCases {
      let rule = Strategy.Rule(target: .local, synchronize: .outbox, priority: priority)
      let json = try JSONEncoder().encode(rule)
      #expect(try JSONDecoder().decode(Strategy.Rule.self, from: json) == rule)
      #expect(
        String(decoding: json, as: UTF8.self).contains("utility") == (priority == .utility))
    }
    let error = #expect(throws: StrategyError.self) { try read(find: #"{"priority": "low"}"#) }
    #expect(
      error?.description
        == "Evocation cannot read the strategy at find.priority: one of \"normal\", \"utility\" was "
        + "expected.")
  }

  @Test func `a low priority fits writes that wait in the outbox`() {
    let queued = Strategy.Rule(target: .local, synchronize: .outbox, priority: .utility)
    #expect(queued.misfit(for: .store) == nil)
    let direct = Strategy.Rule(priority: .utility)
    #expect(
      direct.misfit(for: .remove)
        == "its priority is for writes that wait in the outbox; synchronize with outbox")
    #expect(direct.misfit(for: .find) == nil)
  }

  @Test func `what is written is read back`() throws {
    let rules: [Strategy.Rule] = [
      .remoteFirst, .localFirst, .remoteOnly, .localOnly, .cacheFirst(maxAge: .seconds(86_400)),
      .staleWhileRevalidate(maxAge: .milliseconds(1)),
      .init(timeout: .nanoseconds(1_234_567_891), retry: .init(attempts: 7, jitter: 0.25)),
      .init(timeout: .seconds(5), joins: .off),
    ]
    for rule in rules {
      let strategy = Strategy(rule)
      #expect(try Strategy(json: JSONEncoder().encode(strategy)) == strategy)
    }
  }

  @Test(arguments: [
    (
      #"{"target":"remot"}"#,
      #"Evocation cannot read the strategy at find.target: one of "remote", "local" was expected."#
    ),
    (
      #"{"fallBack":"local"}"#,
      "Evocation cannot read the strategy at find.fallBack: there is no field of this name; use "
        + "one of target, fallback, synchronize, fallsBack, timeout, retry, maxAge, revalidates, "
        + "joins, rollsBack, priority."
    ),
    (
      #"{"target":"local","fallback":"local"}"#,
      "The rule for find is not valid: its fallback is its target; use the second repository, or "
        + "no fallback."
    ),
    (
      #"{"timeout":"soon"}"#,
      "Evocation cannot read the strategy at find.timeout: a number of seconds was expected."
    ),
    (
      #"{"retry":{"attempts":1.5}}"#,
      "Evocation cannot read the strategy at find.retry.attempts: a whole number was expected."
    ),
    (
      #"{"retry":{"kinds":["often"]}}"#,
      #"Evocation cannot read the strategy at find.retry.kinds: a list of "transient", "#
        + #""authorization", "conflict", "permanent" was expected."#
    ),
    (
      #"{"revalidates":1}"#,
      "Evocation cannot read the strategy at find.revalidates: true or false was expected."
    ),
    (
      #"{"synchronize":"sometimes"}"#,
      #"Evocation cannot read the strategy at find.synchronize: one of "off", "upsert", "mirror", "#
        + #""outbox" was expected."#
    ),
    (
      #""quickly""#,
      #"Evocation cannot read the strategy at find: "quickly" is not a ready-made rule; use one of "#
        + "localFirst, localOnly, remoteFirst, remoteOnly."
    ),
    (
      "17",
      "Evocation cannot read the strategy at find: it has to be an object with target, fallback, "
        + "synchronize, fallsBack, timeout, retry, maxAge, revalidates, joins, rollsBack, priority."
    ),
  ])
  func `what is wrong is named by action and field`(_ rule: String, _ sentence: String) {
    let error = #expect(throws: StrategyError.self) { try read(find: rule) }
    #expect(error?.description == sentence)
  }

  @Test func `a missing action, an unknown one and a text that is no JSON are named`() {
    func sentence(_ json: String) -> String? {
      let error = #expect(throws: StrategyError.self) { try Strategy(json: Data(json.utf8)) }
      return error?.description
    }
    #expect(
      sentence("{\(Self.others)}") == "The strategy has no rule for find; add a rule for each "
        + "action."
    )
    #expect(
      sentence("{\"fnd\":{},\(Self.others)}")
        == "Evocation cannot read the strategy at fnd: there is no field of this name; use one of "
        + "find, findOne, store, storeOne, update, updateOne, remove, removeOne."
    )
    #expect(
      sentence("[]")
        == "Evocation cannot read the strategy: it has to be an object with find, findOne, store, "
        + "storeOne, update, updateOne, remove, removeOne."
    )
    let start = "Evocation cannot read the strategy: it is not a JSON object of rules ("
    #expect(sentence("{")?.hasPrefix(start) == true)
  }
}
