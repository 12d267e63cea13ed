import Evocation
import Testing

@Suite struct ExplanationTests {
  @Test func `the default strategy explains itself, and says where a write can be lost`() {
    #expect(Strategy.default().explain().description == Self.expected)
  }

  @Test func `a strategy that loses nothing has nothing to warn of`() throws {
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases {
      rules[action] = action.isRead ? .init(synchronize: .mirror) : .init()
    }
    #expect(try Strategy(rules: rules).explain().warnings.isEmpty)
  }

  @Test func `what becomes of an answer after the timeout is noted`() {
    var rule = Strategy.Rule(synchronize: .mirror, timeout: .seconds(5))
    let kept =
      "find: Evocation saves an answer of remote that comes after the timeout, behind the call's answer"
    #expect("\(rule.explain(for: .find))".contains("\(kept)."))
    rule.fallback = .local
    #expect(
      "\(rule.explain(for: .find))".contains(
        "\(kept); if local has nothing, the call waits for it once more as long."))
    rule.synchronize = .off
    #expect(!"\(rule.explain(for: .find))".contains(kept))
  }

  @Test func `what a repository that takes no write whole does in steps is noted`() throws {
    let end = "; if a step fails, the steps before it remain, and the trace says so."
    let start =
      "find, findOne: in a local repository that is not a TransactionalRepository, Evocation stores "
      + "the answer, then "
    func notes(_ rule: Strategy.Rule) throws -> [String] {
      var rules: [Strategy.Action: Strategy.Rule] = [:]
      for action in Strategy.Action.allCases { rules[action] = action.isRead ? rule : .remoteOnly }
      return try Strategy(rules: rules).explain().notes
    }
    #expect(try notes(.init()) == [])
    #expect(
      try notes(.init(synchronize: .mirror)) == [start + "removes what remote deleted" + end])
    #expect(
      try notes(.init(maxAge: .seconds(60))) == [start + "notes its age" + end])
    let both = try notes(.init(synchronize: .mirror, maxAge: .seconds(60)))
    #expect(both == [start + "removes what remote deleted, then notes its age" + end])
    #expect(
      Strategy.cacheFirst(maxAge: .seconds(60)).explain().description
        .hasSuffix("\n- \(start)removes what remote deleted, then notes its age\(end)"))
  }

  @Test func `ages, the outbox and refreshing behind an answer are explained`() {
    let text = Strategy.offlineFirst.explain().description
    #expect(
      text.contains(
        "| local is not fresh, local answers | data from local; then remote is asked in the background |"
      )
    )
    #expect(text.contains("| local answers | data from local; the outbox sends it to remote |"))
    #expect(text.contains("\n| local has nothing | data from local, empty |\n"))
  }

  @Test func `a row says whether its action is refused without an outbox`() {
    let rows = Strategy.offlineFirst.explain().rows
    #expect(Set(rows.map(\.action)) == Set(Strategy.Action.allCases))
    for row in rows { #expect(row.needsOutbox == !row.action.isRead) }
    #expect(!Strategy.default().explain().rows.contains { $0.needsOutbox })
  }

  @Test func `a rule that falls back on what may pass tells refusals from failures`() throws {
    let rule = Strategy.Rule(fallback: .local, synchronize: false, fallsBack: .onTransientError)
    #expect(
      Strategy(rule).explain().description.hasPrefix(
        """
        | find, findOne | result |
        |---|---|
        | remote answers | data from remote |
        | remote has nothing | data from remote, empty |
        | remote fails, local answers | data from local |
        | remote fails, local has nothing | data from local, empty |
        | remote fails, local has nothing and was never fetched | error from remote |
        | remote fails, local fails | error from local |
        | remote refuses | error from remote |
        """))
    let alone = Strategy(.init(synchronize: false, fallsBack: .onTransientError)).explain()
    #expect(!alone.description.contains("refuses"))
  }

  @Test func `a write that can overtake those in the outbox is warned of`() throws {
    let warnings = try strategy(removals: .remoteOnly).explain().warnings
    let overtaking =
      "remove, removeOne: it reaches remote past the outbox, and can overtake a write of the same "
      + "model that waits there (store, storeOne, update, updateOne); synchronize \"outbox\" keeps "
      + "the order."
    #expect(warnings.contains(overtaking))
    for rule in [
      Strategy.Rule(), .localFirst, .init(target: .local, fallback: .remote, synchronize: .off),
    ] {
      #expect(try strategy(removals: rule).explain().warnings.contains(overtaking))
    }
    let outbox = Strategy.Rule(target: .local, synchronize: .outbox)
    for rule in [outbox, .localOnly] {
      #expect(try strategy(removals: rule).explain().warnings.isEmpty)
    }
    #expect(!Strategy.remoteFirst.explain().description.contains("past the outbox"))
  }

  /// A strategy whose writes go by the outbox, but for the removals.
  private func strategy(removals: Strategy.Rule) throws -> Strategy {
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases {
      rules[action] =
        action.isRead
        ? .init(synchronize: .mirror)
        : action.isRemoval ? removals : .init(target: .local, synchronize: .outbox)
    }
    return try Strategy(rules: rules)
  }

  private static let expected = """
    | find, findOne | result |
    |---|---|
    | remote answers, local is synced | data from remote |
    | remote answers, syncing to local fails | data from remote; synchronizationError from local |
    | remote has nothing | data from remote, empty |
    | remote fails, local answers | data from local |
    | remote fails, local has nothing | data from local, empty |
    | remote fails, local has nothing and was never fetched | error from remote |
    | remote fails, local fails | error from local |

    | store, storeOne, update, updateOne | result |
    |---|---|
    | local answers, remote is synced | data from local |
    | local answers, syncing to remote fails | data from local; synchronizationError from remote |
    | local has nothing | data from local, empty |
    | local fails, remote answers | data from remote |
    | local fails, remote has nothing | data from remote, empty |
    | local fails, remote fails | error from remote |

    | remove, removeOne | result |
    |---|---|
    | remote answers, local is synced | data from remote |
    | remote answers, syncing to local fails | data from remote; synchronizationError from local |
    | remote has nothing | data from remote, empty |
    | remote fails, local answers | data from local |
    | remote fails, local has nothing | data from local, empty |
    | remote fails, local fails | error from local |

    - find, findOne: models that were deleted on remote stay in local; synchronize "mirror" removes \
    them.
    - store, storeOne, update, updateOne: if local fails, the write is made in remote alone, and \
    Evocation never repeats it in local.
    - store, storeOne, update, updateOne: if syncing to remote fails, the write is made in local \
    alone, and Evocation never sends it later; synchronize "outbox" does.
    - remove, removeOne: if remote fails, the removal is made in local alone, and Evocation never \
    repeats it in remote.
    """
}
