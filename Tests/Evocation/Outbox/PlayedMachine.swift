import Evocation
import EvocationTesting

@testable import CoreSupport
@testable import EvocationOutbox
@testable import EvocationStores

/// The machine with one queue or two in one store, told what happens by hand.
struct PlayedMachine {
  private let repository = InMemoryRepository<Car>()
  var machine: OutboxMachine
  var now = Duration.zero
  /// The items that were taken, by their positions.
  private(set) var items: [Int64: OutboxMachine.Item] = [:]

  var store: ObjectIdentifier { ObjectIdentifier(repository) }

  init(concurrency: Int = 4, sends: Bool = true, isOnline: Bool = true, queues: Int = 1) {
    let retry = Strategy.Retry(attempts: .max, delay: .seconds(1), maximumDelay: .seconds(60))
    machine = OutboxMachine(
      Outbox.Configuration(
        concurrency: concurrency, retry: retry, sendsAutomatically: sends, lease: .seconds(10)),
      isOnline: isOnline)
    for queue in 0..<queues { _ = open(queue) }
  }

  mutating func open(_ queue: Int) -> [String] {
    handle(.opened(store, queue: "\(queue)", service: "service \(queue)"))
  }

  mutating func handle(_ event: OutboxMachine.Event) -> [String] {
    machine.handle(event, at: now, chance: 0).map { effect in
      switch effect {
      case .look(_, let look) where look.forEntries:
        "look" + (look.from.map { $0 == .min ? " afresh" : " from \($0)" } ?? "")
          + (look.atOnce ? " at once" : "") + (look.release ? " releasing" : "")
      case .look: "renew"
      case .release: "release"
      case .wake(let moment): "wake \(moment / .seconds(1))"
      case .notify(.paused): "paused"
      case .notify(.resumed): "resumed"
      case .notify: "notify"
      case .validate: "validate"
      }
    }
  }

  /// Asks of entries whether they are sent, each on an instance of its own unless said.
  mutating func take(
    _ positions: Int64..., on instance: Int? = nil, queue: Int = 0,
    leaving left: OutboxMachine.Item? = nil, wasAttempted: Bool = false, isLast: Bool = false,
    as offer: OutboxMachine.Offer? = nil, isUtility: Bool = false
  ) -> [String] {
    positions.map { position in
      let row = OutboxRow(
        position: position, id: "\(position)",
        instance: Outbox.Reference(queue: "\(queue)", key: "\(instance ?? Int(position))"),
        kind: .store, hasReferences: false, wasAttempted: wasAttempted,
        isUtility: isUtility)
      switch machine.reserve(
        row, of: store, leaving: left, as: offer ?? (isLast ? .last : .first), at: now, chance: 0)
      {
      case .taken(let item):
        items[position] = item
        return "send \(position)"
      case .passed: return "pass \(position)"
      case .later: return "later \(position)"
      case .full: return "full"
      }
    }
  }

  /// Asks whether entries of low urgency have their turn.
  mutating func beginTurn() -> [String] {
    machine.beginTurn(in: store, at: now) ? ["turn"] : []
  }

  /// A look has come to its end.
  mutating func found(
    isAtEnd: Bool = true, due: Duration? = nil, lease: Duration? = .seconds(10)
  ) -> [String] {
    handle(.looked(store, .looked(lease: lease.map { now + $0 }, due: due, isAtEnd: isAtEnd)))
  }

  mutating func end(
    _ position: Int64, _ health: OutboxMachine.Health = .well, isSent: Bool = true
  ) -> [String] {
    guard let item = items[position] else { return ["no item"] }
    return handle(.ended(item, .init(health: health, isSent: isSent)))
  }

  /// Makes the service's concurrency wide open, as many successes do.
  mutating func warm() {
    for step in 0..<8 {
      let position = Int64(1_000 + step)
      _ = handle(.touched(store))
      _ = take(position)
      _ = found()
      _ = end(position)
    }
    _ = found()
    _ = found()
  }
}
