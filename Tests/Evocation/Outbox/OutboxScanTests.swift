import Foundation
import Testing

@testable import Evocation

/// How the machine looks for entries: from where, how far, and what it does with what was found.
struct OutboxScanTests {
  private final class Store: Sendable {}
  private let store = Store()
  private var identity: ObjectIdentifier { ObjectIdentifier(store) }

  private func machine(channels: Int = 1) -> OutboxMachine {
    var machine = OutboxMachine(.init(), isOnline: true)
    for number in 0..<channels { machine.reserve("service", identity, "q\(number)") }
    return machine
  }

  private func item(_ position: Int64, of key: String, channel: Int = 0) -> OutboxMachine.Item {
    OutboxMachine.Item(
      channel: channel, position: position, id: "\(position)",
      instance: .init(store: identity, reference: .init(queue: "q\(channel)", key: key)),
      entry: position)
  }

  /// From where entries are looked for; nil where they are not.
  private func scan(_ effects: [OutboxMachine.Effect]) -> Int64? {
    for case .claim(_, let position, let only, let limit) in effects where only.isEmpty && limit > 0
    {
      return position
    }
    return nil
  }

  private func sent(_ effects: [OutboxMachine.Effect]) -> [Int64] {
    effects.compactMap { if case .send(let item) = $0 { item.position } else { nil } }
  }

  private func found(
    _ ready: [OutboxMachine.Item] = [], blocked: [Int64: Outbox.Reference] = [:],
    waiting: [Int64: Duration] = [:], last: Int64, isAtEnd: Bool = true
  ) -> OutboxMachine.Event {
    .claimed(
      0,
      .found(
        .init(
          ready: ready, waiting: waiting, blocked: blocked,
          scan: .init(last: last, isAtEnd: isAtEnd),
          lease: .seconds(15))))
  }

  @Test func `a look that found only what waits goes on behind it, and ends`() {
    var machine = machine()
    let other = Outbox.Reference(queue: "x", key: "1")
    #expect(scan(machine.handle(.rescan(0), at: .zero, chance: 0)) == .min)
    let first = machine.handle(
      found(blocked: [1: other, 2: other], last: 2, isAtEnd: false), at: .zero, chance: 0)
    #expect(scan(first) == 2)
    let second = machine.handle(found(blocked: [3: other], last: 3), at: .zero, chance: 0)
    #expect(scan(second) == nil)
    #expect(machine.isSettled(at: .zero))
  }

  @Test(arguments: [false, true])
  func `what is looked for anew while a look is on its way is not passed over`(isAtEnd: Bool) {
    var machine = machine()
    _ = machine.handle(.rescan(0), at: .zero, chance: 0)
    _ = machine.handle(.rescan(0), at: .zero, chance: 0)
    let found = found(last: 20, isAtEnd: isAtEnd)
    #expect(scan(machine.handle(found, at: .zero, chance: 0)) == .min)
  }

  @Test func `a position that is given again is found while others are on their way`() {
    var machine = machine()
    _ = machine.handle(.rescan(0), at: .zero, chance: 0)
    let (slow, last) = (item(1, of: "a"), item(2, of: "b"))
    #expect(sent(machine.handle(found([slow, last], last: 2), at: .zero, chance: 0)) == [1])
    // The service was asked by one; with its success come two, of which the second ends.
    var third = machine.handle(
      .ended(slow, .well, .item(item(3, of: "a")), isSent: true), at: .zero, chance: 0)
    #expect(Set(sent(third)) == [2, 3])
    _ = machine.handle(found(last: 3), at: .zero, chance: 0)
    third = machine.handle(
      .ended(item(3, of: "a"), .well, .nothing, isSent: true), at: .zero, chance: 0)
    let touched = machine.handle(.touched(identity), at: .zero, chance: 0)
    #expect(scan(third + touched).map { $0 <= 2 } == true)
  }

  @Test func `what waits is not told to wait longer by every look at it`() {
    var machine = machine()
    _ = machine.handle(.rescan(0), at: .zero, chance: 0)
    _ = machine.handle(found(waiting: [1: .seconds(60)], last: 1), at: .zero, chance: 0)
    _ = machine.handle(.touched(identity), at: .seconds(50), chance: 0)
    _ = machine.handle(found(waiting: [1: .seconds(86_400)], last: 1), at: .seconds(50), chance: 0)
    #expect(machine.nextMoment(after: .seconds(50)) == .seconds(60))
  }

  @Test func `what ended while it was looked after is looked after again`() {
    var machine = machine(channels: 2)
    _ = machine.handle(.rescan(0), at: .zero, chance: 0)
    let other = item(1, of: "a", channel: 1)
    let ready = OutboxMachine.Claim.found(
      .init(
        ready: [other], scan: .init(last: 1, isAtEnd: true), lease: .seconds(15)))
    #expect(sent(machine.handle(.claimed(1, ready), at: .zero, chance: 0)) == [1])
    _ = machine.handle(.ended(other, .well, .nothing, isSent: true), at: .zero, chance: 0)
    let effects = machine.handle(
      found(blocked: [7: other.instance.reference], last: 7), at: .zero, chance: 0)
    let isLookedAfter = effects.contains {
      if case .claim(0, _, [7], _) = $0 { true } else { false }
    }
    #expect(isLookedAfter)
  }

  @Test func `a position that is given again is found behind more than are looked at again`() {
    var machine = machine()
    let other = Outbox.Reference(queue: "x", key: "1")
    let many = Dictionary(
      uniqueKeysWithValues: (1...Int64(OutboxMachine.fewBlocked)).map { ($0, other) })
    _ = machine.handle(.rescan(0), at: .zero, chance: 0)
    let sent = item(1_001, of: "a")
    _ = machine.handle(found([sent], blocked: many, last: 1_001), at: .zero, chance: 0)
    _ = machine.handle(.ended(sent, .well, .nothing, isSent: true), at: .zero, chance: 0)
    #expect(scan(machine.handle(.touched(identity), at: .zero, chance: 0)) == 1_000)
    // They were sent by another process meanwhile, so that positions begin at one again.
    _ = machine.handle(.claimed(0, .denied(.seconds(1))), at: .zero, chance: 0)
    #expect(scan(machine.handle(.timer, at: .seconds(1), chance: 0)) == .min)
    _ = machine.handle(found(last: .min), at: .seconds(1), chance: 0)
    #expect(scan(machine.handle(.touched(identity), at: .seconds(1), chance: 0)) == .min)
  }

  @Test func `a closed queue is no reason to wait`() {
    var machine = machine()
    _ = machine.handle(.closed(0), at: .zero, chance: 0)
    _ = machine.handle(.touched(identity), at: .zero, chance: 0)
    #expect(machine.isSettled(at: .zero))
  }

  @Test func `the renewal of a lease passes over no entries`() {
    var machine = machine()
    _ = machine.handle(.rescan(0), at: .zero, chance: 0)
    _ = machine.handle(found([item(1, of: "a")], last: 1), at: .zero, chance: 0)
    _ = machine.handle(.timer, at: .seconds(8), chance: 0)
    _ = machine.handle(
      .claimed(0, .found(.init(lease: .seconds(15)))), at: .seconds(8), chance: 0)
    _ = machine.handle(.touched(identity), at: .seconds(8), chance: 0)
    let ended = OutboxMachine.Event.ended(item(1, of: "a"), .well, .nothing, isSent: true)
    #expect(scan(machine.handle(ended, at: .seconds(8), chance: 0)) == .min)
  }
}
