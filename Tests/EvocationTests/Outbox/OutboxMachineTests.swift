import EvocationTesting
import Testing

@testable import Evocation

/// The machine with one channel or two, told what happens by hand.
private struct Played {
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
      case .wake(let moment):
        "wake \(moment / .seconds(1))"
      case .notify(.paused): "paused"
      case .notify(.resumed): "resumed"
      case .notify: "notify"
      case .validate: "validate"
      }
    }
  }

  func item(_ position: Int64, on instance: Int, _ channel: Int = 0) -> OutboxMachine.Item {
    OutboxMachine.Item(
      channel: channel, position: position,
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

struct OutboxMachineTests {
  @Test func `what was claimed is sent, one request first and then as many as are allowed`() {
    var played = Played(concurrency: 3)
    #expect(played.handle(.rescan(0)) == ["claim 0"])
    let items = (1...5).map { played.item(Int64($0), on: $0) }
    #expect(played.handle(.claimed(0, played.found(items))) == ["send 1", "wake 5.0"])
    #expect(
      played.handle(.ended(items[0], .well, .nothing, isSent: true))
        == ["send 2", "send 3", "wake 5.0"])
    #expect(
      played.handle(.ended(items[1], .well, .nothing, isSent: true))
        == ["send 4", "send 5", "wake 5.0"])
  }

  @Test func `two entries of one instance never run at once`() {
    var played = Played()
    played.warm()
    #expect(played.handle(.rescan(0)) == ["claim 0"])
    let (first, other) = (played.item(1, on: 1), played.item(2, on: 2))
    let later = played.item(3, on: 1)
    let effects = played.handle(.claimed(0, played.found([first, later, other])))
    #expect(effects.filter { $0.hasPrefix("send") } == ["send 1", "send 2"])
    #expect(
      played.handle(.ended(first, .well, .item(later), isSent: true)).contains("send 3"))
  }

  @Test func `an entry that ended while a claim found it is not sent again`() {
    var played = Played()
    played.warm()
    _ = played.handle(.rescan(0))
    let item = played.item(1, on: 1)
    _ = played.handle(.claimed(0, played.found([item])))
    // The store has changed, and is looked at again while the entry is being sent.
    let again = played.handle(.touched(ObjectIdentifier(played.store)))
    #expect(again.contains { $0.hasPrefix("claim 0") })
    _ = played.handle(.ended(item, .well, .nothing, isSent: true))
    let effects = played.handle(.claimed(0, played.found([item])))
    #expect(!effects.contains("send 1"))
  }

  @Test func `nothing is sent while the app, the network or the service forbids it`() {
    for (pause, resume): (OutboxMachine.Event, OutboxMachine.Event) in [
      (.paused, .resumed), (.connection(isOnline: false), .connection(isOnline: true)),
      (.unauthorized("sign in"), .resumed),
    ] {
      var played = Played()
      #expect(played.handle(pause) == ["paused"])
      #expect(played.handle(.rescan(0)) == [])
      #expect(played.machine.isSettled(at: .zero))
      let effects = played.handle(resume)
      #expect(effects.contains("resumed"))
      #expect(effects.contains("claim 0"))
    }
  }

  @Test func `coming back twice at once claims once`() {
    var played = Played(isOnline: false)
    _ = played.handle(.rescan(0))
    let first = played.handle(.connection(isOnline: true))
    let second = played.handle(.flush(began: true)) + played.handle(.connection(isOnline: true))
    #expect(first.filter { $0.hasPrefix("claim") } == ["claim 0"])
    #expect(!second.contains { $0.hasPrefix("claim") })
  }

  @Test func `a service that fails is left alone, and then asked by one request`() {
    var played = Played()
    played.warm()
    _ = played.handle(.rescan(0))
    let items = (1...4).map { played.item(Int64($0), on: $0) }
    _ = played.handle(.claimed(0, played.found(items, lease: .seconds(100))))
    for item in items {
      let effects = played.handle(
        .ended(
          item, .failing(retryAfter: nil), .later(item.position, .seconds(1)), isSent: false))
      #expect(!effects.contains { $0.hasPrefix("send") })
    }
    played.now = .seconds(2)
    #expect(played.handle(.timer).contains("claim 0 only [1, 2, 3, 4]"))
    let effects = played.handle(.claimed(0, played.found(items, lease: .seconds(100))))
    #expect(effects.filter { $0.hasPrefix("send") } == ["send 1"])
  }

  @Test func `one service that fails does not hold up another`() {
    var played = Played(channels: 2)
    _ = played.handle(.rescan(0))
    _ = played.handle(.rescan(1))
    let (sick, well) = (played.item(1, on: 1, 0), played.item(2, on: 1, 1))
    #expect(played.handle(.claimed(0, played.found([sick]))).contains("send 1"))
    _ = played.handle(
      .ended(sick, .failing(retryAfter: .seconds(30)), .later(1, .seconds(30)), isSent: false))
    #expect(played.handle(.claimed(1, played.found([well]))).contains("send 2"))
  }

  @Test func `an entry that waits for another instance is looked at when that has none left`() {
    var played = Played()
    _ = played.handle(.rescan(0))
    let customer = played.item(1, on: 1)
    var found = OutboxMachine.Found(ready: [customer], lease: .seconds(10))
    found.blocked = [2: customer.instance.reference]
    _ = played.handle(.claimed(0, .found(found)))
    #expect(
      played.handle(.ended(customer, .well, .nothing, isSent: true)).contains("claim 0 only [2]"))
  }

  @Test func `what was claimed is claimed anew when the lease has run out`() {
    var played = Played(concurrency: 1)
    _ = played.handle(.rescan(0))
    let items = (1...2).map { played.item(Int64($0), on: $0) }
    _ = played.handle(.claimed(0, played.found(items)))
    played.now = .seconds(11)
    let effects = played.handle(.ended(items[0], .well, .nothing, isSent: true))
    #expect(effects == ["claim 0"])
  }

  @Test func `a lease is renewed while something runs`() {
    var played = Played()
    _ = played.handle(.rescan(0))
    #expect(
      played.handle(.claimed(0, played.found([played.item(1, on: 1)]))) == ["send 1", "wake 5.0"])
    played.now = .seconds(5)
    #expect(played.handle(.timer).first == "claim 0 lease")
  }

  @Test func `a store that another process sends from is asked again when its lease ends`() {
    var played = Played()
    _ = played.handle(.rescan(0))
    #expect(played.handle(.claimed(0, .denied(.seconds(7)))) == ["wake 7.0"])
    #expect(played.machine.isSettled(at: played.now))
    played.now = .seconds(7)
    #expect(played.handle(.timer) == ["claim 0"])
  }

  @Test func `a conflict that the app thinks about holds up its own instance alone`() {
    var played = Played(concurrency: 1)
    _ = played.handle(.rescan(0))
    let items = (1...2).map { played.item(Int64($0), on: $0) }
    _ = played.handle(.claimed(0, played.found(items)))
    #expect(played.handle(.resolving(items[0])).contains("send 2"))
    _ = played.handle(.ended(items[1], .well, .nothing, isSent: true))
    _ = played.handle(.claimed(0, played.found([])))
    #expect(played.machine.isSettled(at: played.now))
    let later = played.item(3, on: 1)
    let effects = played.handle(.claimed(0, played.found([later])))
    #expect(!effects.contains("send 3"))
  }

  @Test func `without sending by itself nothing is claimed but by a flush`() {
    var played = Played(sends: false)
    #expect(played.handle(.rescan(0)) == [])
    #expect(played.handle(.flush(began: true)) == ["claim 0"])
  }
}
