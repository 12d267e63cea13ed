import Evocation
import Testing

@testable import EvocationOutbox

struct OutboxMachineTests {
  @Test func `a store is looked through when its queue is opened, and when its entries change`() {
    var played = PlayedMachine(queues: 0)
    #expect(played.open(0) == ["look afresh"])
    #expect(played.found(lease: nil) == [])
    #expect(played.handle(.touched(played.store)) == ["look"])
    // What changes while it is looked through is looked for afterwards.
    #expect(played.handle(.touched(played.store)) == [])
    #expect(played.found(lease: nil) == ["look"])
    #expect(played.found(lease: nil) == [])
  }

  @Test func `one request goes first, and then as many as are allowed`() {
    var played = PlayedMachine(concurrency: 3)
    #expect(played.take(1, 2) == ["send 1", "full"])
    #expect(played.found(isAtEnd: false) == ["wake 5.0"])
    #expect(played.end(1) == ["look"])
    #expect(played.take(2, 3, 4) == ["send 2", "send 3", "full"])
    _ = played.found(isAtEnd: false)
    _ = played.end(2)
    #expect(played.take(4, 5, 6) == ["send 4", "send 5", "full"])
  }

  @Test func `two entries of one instance never run at once`() {
    var played = PlayedMachine()
    played.warm()
    #expect(played.take(1, on: 1) + played.take(2, on: 1) == ["send 1", "pass 2"])
    _ = played.end(1)
    #expect(played.take(2, on: 1) == ["send 2"])
  }

  @Test func `the entry behind one that has ended is taken while its end is being kept`() throws {
    var played = PlayedMachine(concurrency: 1)
    #expect(played.take(1, on: 1) == ["send 1"])
    let first = try #require(played.items[1])
    played.machine.recordAnswered(first, at: .zero)
    #expect(played.take(2, on: 1, leaving: first) == ["send 2"])
    // The end of the first does not end the second.
    _ = played.end(1)
    #expect(played.take(3, on: 1) == ["full"])
    #expect(played.machine.isSending)
  }

  @Test func `what a transaction took that was not kept is free again, and not sent twice`() throws
  {
    var played = PlayedMachine(concurrency: 2)
    played.warm()
    _ = played.take(1, on: 1)
    let first = try #require(played.items[1])
    played.machine.recordAnswered(first, at: .zero)
    #expect(played.take(2, on: 1, leaving: first) == ["send 2"])
    played.machine.giveBack([try #require(played.items[2])], leaving: first)
    // What became of the first is being kept still, so that nothing of its instance is sent.
    #expect(played.take(2, on: 1) == ["pass 2"])
    #expect(!played.machine.isSettled(at: .zero))
    _ = played.end(1, isSent: false)
    #expect(played.take(2, on: 1) == ["send 2"])
  }

  @Test func `an attempt whose end could not be kept ends all the same`() {
    var played = PlayedMachine(concurrency: 1)
    _ = played.take(1)
    // The store failed before it was asked for others.
    played.machine.giveBack([], leaving: played.items[1])
    _ = played.end(1, isSent: false)
    #expect(!played.machine.isSending)
    #expect(played.take(2) == ["send 2"])
  }

  @Test func `nothing is sent while the app or the network forbids it`() {
    for (pause, resume): (OutboxMachine.Event, OutboxMachine.Event) in [
      (.paused, .resumed), (.connection(isOnline: false), .connection(isOnline: true)),
    ] {
      var played = PlayedMachine()
      _ = played.found(lease: nil)
      #expect(played.handle(pause) == ["paused"])
      #expect(played.handle(.touched(played.store)) == [])
      #expect(played.take(1) == ["full"])
      #expect(played.machine.isSettled(at: .zero))
      let effects = played.handle(resume)
      #expect(effects.contains("resumed"))
      #expect(effects.contains { $0.hasPrefix("look afresh") })
    }
  }

  @Test func `a service that wants another credential holds up no other, until it has one`() throws
  {
    var played = PlayedMachine(queues: 2)
    _ = played.take(1)
    let refused = try #require(played.items[1])
    #expect(played.handle(.unauthorized(refused, "sign in")).contains("paused"))
    _ = played.end(1, isSent: false)
    #expect(played.take(2) + played.take(3, queue: 1) == ["pass 2", "send 3"])
    #expect(played.machine.pause == .authorization("sign in"))
    _ = played.found()
    let effects = played.handle(.authorized(service: "service 0"))
    #expect(effects.contains("resumed") && effects.contains("look afresh"))
    #expect(played.take(2) == ["send 2"])
  }

  @Test func `a service that refuses each credential anew is left alone after the fourth`() throws {
    var played = PlayedMachine()
    for position in 1...4 {
      #expect(played.machine.pause == nil)
      _ = played.take(Int64(position))
      _ = played.handle(.authorized(service: "service 0"))
      _ = played.handle(
        .unauthorized(try #require(played.items[Int64(position)]), "sign in"))
      _ = played.end(Int64(position), .unknown, isSent: false)
    }
    #expect(played.machine.pause == .authorization("sign in"))
  }

  @Test func `all that was sent with a credential that is renewed meanwhile is sent again`() throws
  {
    var played = PlayedMachine()
    played.warm()
    #expect(played.take(1, 2) == ["send 1", "send 2"])
    _ = played.handle(.authorized(service: "service 0"))
    for position in 1...2 {
      _ = played.handle(
        .unauthorized(try #require(played.items[Int64(position)]), "sign in"))
      _ = played.end(Int64(position), .unknown, isSent: false)
    }
    #expect(played.machine.pause == nil)
    #expect(played.take(1, 2) == ["send 1", "send 2"])
  }

  @Test func `a credential that is renewed twice while nothing arrives is tried`() throws {
    var played = PlayedMachine()
    for position in 1...2 {
      #expect(played.take(Int64(position)) == ["send \(position)"])
      _ = played.handle(.authorized(service: "service 0"))
      _ = played.handle(
        .unauthorized(try #require(played.items[Int64(position)]), "sign in"))
      _ = played.end(Int64(position), .unknown, isSent: false)
    }
    #expect(played.machine.pause == nil)
    #expect(played.take(3) == ["send 3"])
  }

  @Test func `a refusal of a credential that was accepted before counts as no further one`() throws
  {
    var played = PlayedMachine()
    played.warm()
    func refuse(_ position: Int64) throws {
      _ = played.handle(.unauthorized(try #require(played.items[position]), "sign in"))
      _ = played.end(position, .unknown, isSent: false)
    }
    #expect(played.take(1) == ["send 1"])
    _ = played.handle(.authorized(service: "service 0"))
    #expect(played.take(2, 3) == ["send 2", "send 3"])
    _ = played.end(2)
    try refuse(1)
    _ = played.handle(.authorized(service: "service 0"))
    // It was sent with the credential that the second was accepted with.
    try refuse(3)
    for position in 4...5 as ClosedRange<Int64> {
      #expect(played.take(position) == ["send \(position)"])
      _ = played.handle(.authorized(service: "service 0"))
      try refuse(position)
    }
    #expect(played.machine.pause == nil)
    #expect(played.take(6) == ["send 6"])
  }

  @Test func `what was passed over for an attempt is looked for when that has ended`() {
    var played = PlayedMachine()
    _ = played.take(1, on: 7)
    // Another process has discarded the first, and written anew.
    #expect(played.take(2, on: 7) == ["pass 2"])
    #expect(played.take(3, on: 7) == ["pass 3"])
    _ = played.found()
    #expect(played.end(1, .well, isSent: false).contains("look from 2"))
    _ = played.handle(.touched(played.store))
    #expect(played.found() == ["look"])
  }

  @Test func `an entry that waits no longer is looked for when its attempt has ended`() {
    var played = PlayedMachine()
    _ = played.take(5)
    // The network has returned since its failure was saved, so that it is pending.
    #expect(played.take(5) == ["pass 5"])
    _ = played.found()
    _ = played.end(5, .failing(retryAfter: nil), isSent: false)
    played.now = .seconds(10)
    #expect(played.handle(.timer) == ["look from 5"])
  }

  @Test func `resuming asks every service again, and has held entries wait no longer`() throws {
    var played = PlayedMachine()
    _ = played.handle(.looked(played.store, .held))
    #expect(played.machine.pause == .authorization("the user has signed out"))
    #expect(played.handle(.resumed).contains("look afresh releasing"))
    #expect(!played.machine.isSettled(at: .zero))
    #expect(played.found(lease: nil).contains("resumed"))
    #expect(played.machine.pause == nil)
    _ = played.found(lease: nil)
    #expect(played.machine.isSettled(at: .zero))
  }

  @Test func `coming back twice at once looks once`() {
    var played = PlayedMachine(isOnline: false)
    let first = played.handle(.connection(isOnline: true))
    let second = played.handle(.flush(began: true)) + played.handle(.connection(isOnline: true))
    #expect(first == ["validate", "resumed", "look afresh at once"])
    #expect(!second.contains { $0.hasPrefix("look") })
    #expect(played.found(lease: nil) == ["look afresh at once"])
  }

  @Test func `a service that fails is left alone, and then asked by one request`() {
    var played = PlayedMachine()
    played.warm()
    #expect(played.take(1, 2, 3, 4).filter { $0.hasPrefix("send") }.count == 4)
    for position in 1...4 {
      let effects = played.end(Int64(position), .failing(retryAfter: nil), isSent: false)
      #expect(!effects.contains { $0.hasPrefix("look") })
    }
    #expect(played.take(5) == ["full"])
    played.now = .seconds(2)
    #expect(played.handle(.timer).contains { $0.hasPrefix("look") })
    #expect(played.take(5, 6) == ["send 5", "full"])
  }

  @Test func `entries of a service that is left alone are looked for when it can be asked again`() {
    var played = PlayedMachine(queues: 2)
    _ = played.take(1)
    _ = played.end(1, .failing(retryAfter: .seconds(30)), isSent: false)
    #expect(played.take(2) + played.take(3, queue: 1) == ["pass 2", "send 3"])
    _ = played.found()
    _ = played.end(3)
    #expect(played.found().contains("wake 30.0"))
    played.now = .seconds(30)
    #expect(played.handle(.timer).contains("look afresh"))
  }

  @Test func `what waits is looked for when its time comes`() {
    var played = PlayedMachine()
    #expect(played.found(due: .seconds(7), lease: nil) == ["wake 7.0"])
    #expect(played.machine.isSettled(at: .zero))
    #expect(played.machine.hasWork(before: .seconds(8), at: .zero))
    #expect(!played.machine.hasWork(before: .seconds(7), at: .zero))
    played.now = .seconds(7)
    #expect(played.handle(.timer) == ["look"])
  }

  @Test func `a flush tries what waits at once`() {
    var played = PlayedMachine()
    _ = played.found(due: .seconds(7), lease: nil)
    #expect(played.handle(.flush(began: true)) == ["look afresh at once", "wake 7.0"])
  }

  @Test func `a lease is renewed while something runs, also in a pause`() {
    var played = PlayedMachine()
    _ = played.take(1)
    #expect(played.found() == ["wake 5.0"])
    _ = played.handle(.paused)
    played.now = .seconds(5)
    #expect(played.handle(.timer).first == "renew")
  }

  @Test func `a lease is given back in a pause, as soon as nothing runs`() {
    var played = PlayedMachine()
    _ = played.take(1)
    _ = played.found()
    #expect(!played.handle(.paused).contains("release"))
    #expect(played.end(1).contains("release"))
    // Nothing is looked for until that is done.
    #expect(!played.handle(.resumed).contains { $0.hasPrefix("look") })
    #expect(played.handle(.released(played.store)).contains { $0.hasPrefix("look") })
  }

  @Test func `a store that another process sends from is asked again when its lease ends`() {
    var played = PlayedMachine()
    #expect(played.handle(.looked(played.store, .denied(.seconds(7)))) == ["wake 7.0"])
    #expect(played.machine.isSettled(at: played.now))
    played.now = .seconds(7)
    #expect(played.handle(.timer) == ["look afresh"])
  }

  @Test func `a store that another process has changed is asked at most once a second`() {
    var played = PlayedMachine()
    _ = played.handle(.looked(played.store, .denied(.seconds(7))))
    #expect(played.handle(.touched(played.store)) == ["wake 1.0"])
    played.now = .seconds(1)
    #expect(played.handle(.timer) == ["look afresh"])
  }

  @Test func `a store that fails is left alone for a while`() {
    var played = PlayedMachine()
    #expect(played.handle(.looked(played.store, .failed)) == ["wake 1.0"])
    #expect(played.handle(.touched(played.store)) == ["wake 1.0"])
    played.now = .seconds(1)
    #expect(played.handle(.timer) == ["look afresh"])
    #expect(played.handle(.looked(played.store, .failed)) == ["wake 3.0"])
  }

  @Test func `a conflict that the app thinks about holds up its own instance alone`() throws {
    var played = PlayedMachine(concurrency: 1)
    _ = played.take(1, on: 1)
    _ = played.found(isAtEnd: false)
    #expect(played.handle(.resolving(try #require(played.items[1]))).contains("look"))
    #expect(played.take(2, on: 2) == ["send 2"])
    _ = played.found()
    _ = played.end(2)
    _ = played.found()
    #expect(!played.machine.isSettled(at: played.now))
    played.now = OutboxMachine.patience
    #expect(played.machine.isSettled(at: played.now))
    #expect(played.take(3, on: 1) == ["pass 3"])
  }

  @Test func `a flush is woken when it need not wait for the app's answer any more`() throws {
    var played = PlayedMachine()
    _ = played.handle(.flush(began: true))
    _ = played.take(1)
    _ = played.found()
    _ = played.found()
    played.now = .seconds(1)
    let effects = played.handle(.resolving(try #require(played.items[1])))
    #expect((effects + played.found()).contains("wake 3.0"))
    played.now = .seconds(3)
    #expect(played.handle(.timer) == [])
    #expect(played.machine.isSettled(at: played.now))
  }

  @Test func `a flush waits as long for the app's answer in a pause that comes meanwhile`() throws {
    var played = PlayedMachine()
    _ = played.handle(.flush(began: true))
    _ = played.take(1)
    _ = played.found()
    _ = played.found()
    played.now = .seconds(1)
    let effects = played.handle(.resolving(try #require(played.items[1])))
    #expect((effects + played.found() + played.handle(.paused)).contains("wake 3.0"))
    #expect(!played.machine.isSettled(at: played.now))
    played.now = .seconds(3)
    _ = played.handle(.timer)
    #expect(played.machine.isSettled(at: played.now))
  }

  @Test func `what ended without a word is looked for from the beginning`() {
    var played = PlayedMachine()
    _ = played.take(1)
    _ = played.found()
    #expect(played.end(1, .unknown, isSent: false).contains("look afresh"))
  }

  @Test func `a closed queue is no reason to wait, and nothing of it is taken`() {
    var played = PlayedMachine()
    _ = played.found(lease: nil)
    _ = played.handle(.closed(played.store, queue: "0"))
    #expect(played.handle(.touched(played.store)) == [])
    #expect(played.take(1) == ["pass 1"])
    #expect(played.machine.isSettled(at: .zero))
  }

  @Test func `without sending by itself nothing is looked for but by a flush`() {
    var played = PlayedMachine(sends: false)
    #expect(played.handle(.touched(played.store)) == [])
    #expect(played.handle(.flush(began: true)) == ["look afresh at once"])
  }
}
