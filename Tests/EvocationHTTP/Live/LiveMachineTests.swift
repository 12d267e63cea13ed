import Testing

@testable import EvocationHTTP

/// When a stream is opened, subscribed and closed, and whom an event concerns.
@Suite struct LiveMachineTests {
  private typealias Effect = LiveMachine.Effect

  private static let (plain, replaying) = (
    LiveMachine.Form(), LiveMachine.Form(replays: true)
  )
  private static let subscribed = LiveMachine.Form(isGreeted: true, isSubscribed: true)

  private func effects(_ machine: inout LiveMachine, _ events: [LiveMachine.Event]) -> [[Effect]] {
    events.map { machine.handle($0) }
  }

  @Test func `The first reader opens it, and the last one closes it`() {
    var machine = LiveMachine(Self.plain)
    #expect(
      effects(
        &machine,
        [
          .join(1, topic: "cars", since: nil), .join(2, topic: "trips", since: nil), .opened,
          .join(3, topic: "cars", since: "7"), .leave(1), .leave(1), .leave(3), .leave(2),
          .leave(2),
          .join(4, topic: "cars", since: nil),
        ]) == [
          [.open], [], [.connected(1, mark: nil), .connected(2, mark: nil)],
          [.connected(3, mark: nil)], [], [], [], [.close], [], [.open],
        ])
  }

  @Test func `A reader that leaves before the head is not connected`() {
    var machine = LiveMachine(Self.plain)
    #expect(
      effects(
        &machine,
        [.join(1, topic: "a", since: nil), .join(2, topic: "a", since: nil), .leave(1), .opened])
        == [[.open], [], [], [.connected(2, mark: nil)]])
    #expect(machine.handle(.leave(2)) == [.close])
  }

  @Test func `An event is for the connected readers of its topic`() {
    var machine = LiveMachine(Self.plain)
    _ = effects(&machine, [.join(1, topic: "a", since: nil), .join(2, topic: "b", since: nil)])
    #expect(machine.handle(.message(topic: "a", id: nil)) == [])
    _ = machine.handle(.opened)
    #expect(machine.handle(.message(topic: "a", id: "1")) == [.deliver([1], mark: nil)])
    #expect(machine.handle(.message(topic: nil, id: nil)) == [.deliver([1, 2], mark: nil)])
    #expect(machine.handle(.message(topic: "c", id: nil)) == [])
  }

  @Test func `The end is for all readers, and the next one opens it again`() {
    var machine = LiveMachine(Self.plain)
    _ = effects(&machine, [.join(1, topic: "a", since: nil), .join(2, topic: "b", since: nil)])
    #expect(machine.handle(.ended) == [.end([1, 2])])
    #expect(machine.handle(.ended) == [])
    #expect(machine.handle(.join(3, topic: "a", since: nil)) == [.open])
  }

  @Test func `Another credential opens it again, from where each reader is`() {
    var machine = LiveMachine(Self.replaying)
    #expect(machine.handle(.renewed) == [])
    _ = effects(&machine, [.join(1, topic: "a", since: "4"), .join(2, topic: "b", since: "4")])
    #expect(machine.asked() == "4")
    _ = machine.handle(.opened)
    _ = machine.handle(.message(topic: nil, id: "5"))
    #expect(machine.handle(.renewed) == [.close, .open])
    #expect(machine.asked() == "5")
    #expect(
      machine.handle(.opened) == [.connected(1, mark: "5"), .connected(2, mark: "5")])
    // A reader that has missed something begins from nowhere.
    machine.recordMissed(1)
    #expect(machine.handle(.renewed) == [.close, .open])
    #expect(machine.asked() == "5")
    #expect(
      machine.handle(.opened) == [.connected(1, mark: nil), .connected(2, mark: "5")])
  }

  @Test func `The topics are subscribed after the greeting, and once more when they change`() {
    var machine = LiveMachine(Self.subscribed)
    #expect(
      effects(
        &machine,
        [
          .join(1, topic: "a", since: nil), .opened, .greeted, .greeted, .subscribed, .subscribed,
        ]) == [[.open], [], [.subscribe(["a"])], [], [.connected(1, mark: nil)], []])
    #expect(
      effects(
        &machine,
        [
          .join(2, topic: "b", since: nil), .join(3, topic: "c", since: nil), .leave(2),
          .subscribed,
          .join(4, topic: "a", since: nil), .subscribed, .leave(3),
        ]) == [
          [.subscribe(["a", "b"])], [], [],
          // The first of the two is for topics that have changed by then.
          [.subscribe(["a", "c"])], [.connected(4, mark: nil)], [.connected(3, mark: nil)],
          [.subscribe(["a"])],
        ])
  }

  @Test func `Where topics are confirmed, a reader is connected by that of its own`() {
    var machine = LiveMachine(.init(isSubscribed: true, isConfirmed: true))
    #expect(
      effects(
        &machine,
        [
          .join(1, topic: "a", since: nil), .join(2, topic: "b", since: nil), .opened, .subscribed,
          .confirmed(topic: "c"), .confirmed(topic: "b"), .subscribed,
        ]) == [
          [.open], [], [.subscribe(["a", "b"])], [], [], [.connected(2, mark: nil)], [],
        ])
    #expect(machine.isSubscribing)
    _ = machine.handle(.join(3, topic: "c", since: nil))
    #expect(
      machine.handle(.confirmed(topic: "a"))
        == [.connected(1, mark: nil), .subscribe(["a", "b", "c"])])
    // One event may confirm all that was asked for.
    #expect(machine.handle(.confirmed(topic: nil)) == [.connected(3, mark: nil)])
    #expect(!machine.isSubscribing)
    // Fewer topics need no confirmation.
    #expect(machine.handle(.leave(3)) == [.subscribe(["a", "b"])])
    #expect(machine.handle(.subscribed) == [])
    #expect(!machine.isSubscribing)
    #expect(machine.handle(.confirmed(topic: "a")) == [])
  }

  @Test func `An event before the subscription is not for a reader that fetches after it`() {
    var machine = LiveMachine(Self.subscribed)
    _ = effects(&machine, [.join(1, topic: "a", since: nil), .opened, .greeted])
    #expect(machine.handle(.message(topic: "a", id: nil)) == [])
    _ = machine.handle(.subscribed)
    #expect(machine.handle(.message(topic: "a", id: nil)) == [.deliver([1], mark: nil)])
  }

  @Test func `A service that replays goes on from a mark, which is confirmed`() {
    var machine = LiveMachine(Self.replaying)
    _ = machine.handle(.join(1, topic: "a", since: "7"))
    #expect(machine.asked() == "7")
    #expect(machine.handle(.opened) == [.connected(1, mark: "7")])
    #expect(machine.handle(.message(topic: "a", id: "8")) == [.deliver([1], mark: "8")])
  }

  @Test func `Of several marks the connection goes on from the oldest`() {
    var machine = LiveMachine(Self.replaying)
    _ = effects(&machine, [.join(1, topic: "a", since: nil), .join(2, topic: "b", since: nil)])
    _ = (machine.asked(), machine.handle(.opened))
    for (topic, id) in [("a", "5"), ("b", "6"), ("a", "7"), ("b", "8")] {
      _ = machine.handle(.message(topic: topic, id: id))
    }
    _ = machine.handle(.ended)
    _ = effects(&machine, [.join(3, topic: "a", since: "7"), .join(4, topic: "b", since: "6")])
    _ = effects(&machine, [.join(5, topic: "c", since: "4"), .join(6, topic: "c", since: nil)])
    #expect(machine.asked() == "6")
    #expect(
      machine.handle(.opened) == [
        .connected(3, mark: "7"), .connected(4, mark: "6"), .connected(5, mark: nil),
        .connected(6, mark: nil),
      ])
  }

  @Test func `A reader whose topic had no event lately has missed nothing either`() {
    var machine = LiveMachine(Self.replaying)
    _ = effects(&machine, [.join(1, topic: "a", since: "5"), .join(2, topic: "b", since: "5")])
    _ = (machine.asked(), machine.handle(.opened))
    for id in ["6", "7"] { _ = machine.handle(.message(topic: "a", id: id)) }
    _ = machine.handle(.ended)
    _ = machine.handle(.join(3, topic: "a", since: "7"))
    #expect(machine.asked() == "7")
    _ = machine.handle(.opened)
    // It joins later, and its own mark is older than the connection's.
    #expect(machine.handle(.join(4, topic: "b", since: "5")) == [.connected(4, mark: "5")])
    #expect(machine.handle(.join(5, topic: "b", since: "4")) == [.connected(5, mark: nil)])
    _ = machine.handle(.message(topic: "a", id: "8"))
    #expect(machine.handle(.join(6, topic: "b", since: "5")) == [.connected(6, mark: nil)])
    #expect(machine.handle(.join(7, topic: "b", since: "8")) == [.connected(7, mark: "8")])
  }

  @Test func `A reader that missed an event is not connected by its mark`() {
    var machine = LiveMachine(.init(isGreeted: true, replays: true))
    _ = machine.handle(.join(1, topic: "a", since: "5"))
    _ = (machine.asked(), machine.handle(.opened))
    _ = machine.handle(.message(topic: "a", id: "6"))
    #expect(machine.handle(.greeted) == [.connected(1, mark: nil)])
    _ = machine.handle(.message(topic: "b", id: "7"))
    machine.recordMissed(1)
    _ = machine.handle(.ended)
    // What it last had is not what it knows.
    _ = machine.handle(.join(2, topic: "a", since: "6"))
    #expect(machine.asked() == "6")
  }

  @Test(arguments: [nil, "", "a b", "a\u{7F}", String(repeating: "x", count: 1025)])
  func `An id that no header field can hold is no mark`(id: String?) {
    var machine = LiveMachine(Self.replaying)
    _ = machine.handle(.join(1, topic: "a", since: id))
    #expect(machine.asked() == nil)
    #expect(machine.handle(.opened) == [.connected(1, mark: nil)])
    #expect(machine.handle(.message(topic: "a", id: id)) == [.deliver([1], mark: nil)])
  }
}
