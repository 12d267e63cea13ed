import Evocation
import Harness

extension Suite {
  /// The cost that a rule for one call, the date of an answer and a log add to a call.
  static var callParts: Suite { Suite("call parts", CallPartCases().all) }
}

/// The cases of the suite "call parts".
private struct CallPartCases {
  private let count = 2_000
  private let plain = "find, async, from local"
  private let garage = Garage(.localOnly)
  private let fetched = Garage(.localOnly)
  private let logged = Garage(.localOnly, log: Evocation.Log { _ in })

  var all: [Case] {
    [reference, underRule, dated, askedForDate, withLog]
  }

  private var reference: Case {
    Case(plain, count: count) { [garage] count in
      for _ in 0..<count { try await expect(garage.find()) }
    }
  }

  private var underRule: Case {
    Case("find, async, under a rule", count: count, against: plain, bar: .above(20)) {
      [garage] count in
      for _ in 0..<count { try await expect(garage.find(rule: .localOnly)) }
    }
  }

  private var dated: Case {
    Case("find, async, with its date", count: count, against: plain, bar: .above(100)) {
      [fetched] count in
      _ = await fetched.find(rule: .init(target: .remote))
      for _ in 0..<count { try await expect(fetched.find()) }
    }
  }

  private var askedForDate: Case {
    Case("find, async, and its date is read", count: count, against: plain) { [fetched] count in
      _ = await fetched.find(rule: .init(target: .remote))
      for _ in 0..<count {
        try await expect(fetched.evocation.find(model: Car.self).fetchedAt != nil)
      }
    }
  }

  private var withLog: Case {
    Case("find, async, with a log", count: count, against: plain, bar: .above(3_000)) {
      [logged] count in
      for _ in 0..<count { try await expect(logged.find()) }
    }
  }
}

extension Garage {
  fileprivate func find(rule: Strategy.Rule? = nil) async -> Bool {
    await evocation.find(model: Car.self, rule: rule).data?.count == 1
  }
}
