import EvocationTesting

@testable import CoreSupport
@testable import Evocation

/// The machine with one channel or two, told what happens by hand.
struct PlayedMachine {
  let store = InMemoryRepository<Car>()
  var machine: OutboxMachine
  var now = Duration.zero
  var wakes: [Duration] = []
  private(set) var effects: [OutboxMachine.Effect] = []

  init(concurrency: Int = 4, sends: Bool = true, isOnline: Bool = true, channels: Int = 1) {
    let retry = Strategy.Retry(attempts: .max, delay: .seconds(1), maximumDelay: .seconds(60))
    machine = OutboxMachine(
      Outbox.Configuration(
        concurrency: concurrency, retry: retry, sendsAutomatically: sends, lease: .seconds(10)),
      isOnline: isOnline)
    for channel in 0..<channels {
      machine.reserve("service \(channel)", ObjectIdentifier(store), "queue \(channel)")
    }
  }

  mutating func handle(_ event: OutboxMachine.Event) -> [String] {
    let effects = machine.handle(event, at: now, chance: 0)
    return effects.compactMap { effect in
      switch effect {
      case .claim(let channel, let after, let only, let limit):
        "claim \(channel)"
          + (limit == 0 ? " lease" : only.isEmpty ? "" : " only \(only)")
          + (after > 0 && limit > 0 && only.isEmpty ? " after \(after)" : "")
      case .send(let item): "send \(item.position)"
      case .release(let channel, _): "release \(channel)"
      case .wake(let moment):
        "wake \(moment / .seconds(1))"
      case .notify(.paused): "paused"
      case .notify(.resumed): "resumed"
      case .notify: "notify"
      case .validate: "validate"
      }
    }
  }

  func item(
    _ position: Int64, on instance: Int, _ channel: Int = 0, id: String? = nil
  ) -> OutboxMachine.Item {
    OutboxMachine.Item(
      channel: channel, position: position, id: id ?? "\(position)",
      instance: OutboxMachine.Instance(
        store: ObjectIdentifier(store),
        reference: Outbox.Reference(queue: "queue \(channel)", key: "\(instance)")),
      entry: position)
  }

  /// What a claim finds that gives these items.
  func found(
    _ items: [OutboxMachine.Item], isAtEnd: Bool = true, lease: Duration = .seconds(10)
  ) -> OutboxMachine.Claim {
    .found(
      OutboxMachine.Found(
        ready: items,
        scan: OutboxMachine.Scan(last: items.last?.position ?? .min, isAtEnd: isAtEnd),
        lease: lease))
  }

  /// Makes the service's concurrency wide open, as many successes do.
  mutating func warm() {
    for step in 0..<8 {
      let item = item(Int64(-100 + step), on: -100 + step)
      _ = handle(.rescan(0))
      _ = handle(.claimed(0, found([item])))
      _ = handle(.ended(item, .well, .nothing, isSent: true))
    }
    _ = handle(.claimed(0, found([])))
    _ = handle(.claimed(0, found([])))
  }
}
