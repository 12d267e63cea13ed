import Testing

@testable import Evocation

struct OutboxMachineTests {
  @Test func `what was claimed is sent, one request first and then as many as are allowed`() {
    var played = PlayedMachine(concurrency: 3)
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
    var played = PlayedMachine()
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
    var played = PlayedMachine()
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
      var played = PlayedMachine()
      #expect(played.handle(pause) == ["paused"])
      #expect(played.handle(.rescan(0)) == [])
      #expect(played.machine.isSettled(at: .zero))
      let effects = played.handle(resume)
      #expect(effects.contains("resumed"))
      #expect(effects.contains("claim 0"))
    }
  }

  @Test func `coming back twice at once claims once`() {
    var played = PlayedMachine(isOnline: false)
    _ = played.handle(.rescan(0))
    let first = played.handle(.connection(isOnline: true))
    let second = played.handle(.flush(began: true)) + played.handle(.connection(isOnline: true))
    #expect(first.filter { $0.hasPrefix("claim") } == ["claim 0"])
    #expect(!second.contains { $0.hasPrefix("claim") })
  }

  @Test func `a service that fails is left alone, and then asked by one request`() {
    var played = PlayedMachine()
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
    var played = PlayedMachine(channels: 2)
    _ = played.handle(.rescan(0))
    _ = played.handle(.rescan(1))
    let (sick, well) = (played.item(1, on: 1, 0), played.item(2, on: 1, 1))
    #expect(played.handle(.claimed(0, played.found([sick]))).contains("send 1"))
    _ = played.handle(
      .ended(sick, .failing(retryAfter: .seconds(30)), .later(1, .seconds(30)), isSent: false))
    #expect(played.handle(.claimed(1, played.found([well]))).contains("send 2"))
  }

  @Test func `an entry that waits for another instance is looked at when that has none left`() {
    var played = PlayedMachine()
    _ = played.handle(.rescan(0))
    let customer = played.item(1, on: 1)
    var found = OutboxMachine.Found(ready: [customer], lease: .seconds(10))
    found.blocked = [2: customer.instance.reference]
    _ = played.handle(.claimed(0, .found(found)))
    #expect(
      played.handle(.ended(customer, .well, .nothing, isSent: true)).contains("claim 0 only [2]"))
  }

  @Test func `what was claimed is claimed anew when the lease has run out`() {
    var played = PlayedMachine(concurrency: 1)
    _ = played.handle(.rescan(0))
    let items = (1...2).map { played.item(Int64($0), on: $0) }
    _ = played.handle(.claimed(0, played.found(items)))
    played.now = .seconds(11)
    let effects = played.handle(.ended(items[0], .well, .nothing, isSent: true))
    #expect(effects == ["claim 0"])
  }

  @Test func `a lease is renewed while something runs`() {
    var played = PlayedMachine()
    _ = played.handle(.rescan(0))
    #expect(
      played.handle(.claimed(0, played.found([played.item(1, on: 1)]))) == ["send 1", "wake 5.0"])
    played.now = .seconds(5)
    #expect(played.handle(.timer).first == "claim 0 lease")
  }

  @Test func `a store that another process sends from is asked again when its lease ends`() {
    var played = PlayedMachine()
    _ = played.handle(.rescan(0))
    #expect(played.handle(.claimed(0, .denied(.seconds(7)))) == ["wake 7.0"])
    #expect(played.machine.isSettled(at: played.now))
    played.now = .seconds(7)
    #expect(played.handle(.timer) == ["claim 0"])
  }

  @Test func `a conflict that the app thinks about holds up its own instance alone`() {
    var played = PlayedMachine(concurrency: 1)
    _ = played.handle(.rescan(0))
    let items = (1...2).map { played.item(Int64($0), on: $0) }
    _ = played.handle(.claimed(0, played.found(items)))
    #expect(played.handle(.resolving(items[0])).contains("send 2"))
    _ = played.handle(.ended(items[1], .well, .nothing, isSent: true))
    _ = played.handle(.claimed(0, played.found([])))
    #expect(!played.machine.isSettled(at: played.now))
    played.now = OutboxMachine.patience
    #expect(played.machine.isSettled(at: played.now))
    let later = played.item(3, on: 1)
    let effects = played.handle(.claimed(0, played.found([later])))
    #expect(!effects.contains("send 3"))
  }

  @Test func `a flush is woken when it need not wait for the app's answer any more`() {
    var played = PlayedMachine()
    _ = played.handle(.flush(began: true))
    let item = played.item(1, on: 1)
    _ = played.handle(.claimed(0, played.found([item])))
    played.now = .seconds(1)
    #expect(played.handle(.resolving(item)).contains("wake 3.0"))
    played.now = .seconds(3)
    #expect(played.handle(.timer) == [])
    #expect(played.machine.isSettled(at: played.now))
  }

  @Test func `a new entry in the place of one that was deleted while it was sent is not forgotten`()
  {
    var played = PlayedMachine()
    played.warm()
    _ = played.handle(.rescan(0))
    let (deleted, new) = (played.item(1, on: 1, id: "old"), played.item(1, on: 2, id: "new"))
    _ = played.handle(.claimed(0, played.found([deleted])))
    _ = played.handle(.touched(ObjectIdentifier(played.store)))
    #expect(!played.handle(.claimed(0, played.found([new]))).contains("send 1"))
    let effects = played.handle(.ended(deleted, .well, .stays, isSent: false))
    #expect(effects.contains("claim 0 only [1]"))
    #expect(played.handle(.claimed(0, played.found([new]))).contains("send 1"))
  }

  @Test func `a new entry in the place of one that ended during the look is not taken for it`() {
    var played = PlayedMachine()
    played.warm()
    _ = played.handle(.rescan(0))
    let (deleted, new) = (played.item(1, on: 1, id: "old"), played.item(1, on: 2, id: "new"))
    _ = played.handle(.claimed(0, played.found([deleted])))
    _ = played.handle(.touched(ObjectIdentifier(played.store)))
    _ = played.handle(.ended(deleted, .well, .nothing, isSent: true))
    #expect(played.handle(.claimed(0, played.found([new]))).contains("send 1"))
  }

  @Test func `without sending by itself nothing is claimed but by a flush`() {
    var played = PlayedMachine(sends: false)
    #expect(played.handle(.rescan(0)) == [])
    #expect(played.handle(.flush(began: true)) == ["claim 0"])
  }
}
