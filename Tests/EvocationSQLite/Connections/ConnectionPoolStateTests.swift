import Evocation
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite struct ConnectionPoolStateTests {
  private typealias State = ConnectionPoolState<String, Int>

  private func name(_ answer: State.Answer) -> String {
    switch answer {
    case .lend(let item): item
    case .open: "open"
    case .wait: "wait"
    case .refuse(let error): "\(error.code.storage)"
    }
  }

  @Test func `Connections are opened up to the bound, and then waited for`() {
    var state = State(capacity: 2)
    #expect(name(state.take()) == "open")
    #expect(name(state.take()) == "open")
    #expect(name(state.take()) == "wait")
    #expect(state.giveBack("a").served == nil)
    #expect(state.giveBack("b").served == nil)
    #expect(name(state.take()) == "b")
    #expect(name(state.take()) == "a")
  }

  @Test func `What is not open is not lent as idle`() {
    var state = State(capacity: 1)
    #expect(state.takeIdle() == nil)
    #expect(name(state.take()) == "open")
    #expect(state.giveBack("a").served == nil)
    #expect(state.takeIdle() == "a")
    #expect(state.takeIdle() == nil)
  }

  @Test func `Who waits is served first, in order`() {
    var state = State(capacity: 1)
    _ = state.take()
    #expect(name(state.wait(1)) == "wait")
    #expect(name(state.wait(2)) == "wait")
    #expect(state.giveBack("a").served == 1)
    #expect(name(state.take()) == "wait")
    #expect(state.giveBack("a").served == 2)
    #expect(state.giveBack("a").served == nil)
  }

  @Test func `Who was taken out is not served`() {
    var state = State(capacity: 1)
    _ = state.take()
    _ = state.wait(1)
    let (first, second) = (state.remove { $0 == 1 }, state.remove { $0 == 1 })
    #expect(first)
    #expect(!second)
    #expect(state.giveBack("a").served == nil)
  }

  @Test func `A connection that could not be opened leaves its place`() {
    var state = State(capacity: 1)
    _ = state.take()
    _ = state.wait(1)
    #expect(state.failToOpen().refused == [1])
    #expect(name(state.take()) == "open")
  }

  @Test func `Closing refuses, and is over when everything came back`() {
    var state = State(capacity: 2)
    _ = state.take()
    _ = state.take()
    _ = state.giveBack("a")
    let (first, second) = (Promise<Void>(), Promise<Void>())
    let effect = state.close(first)
    #expect(effect.released == ["a"])
    #expect(effect.ended.isEmpty)
    #expect(name(state.take()) == "closed")
    #expect(name(state.wait(1)) == "closed")
    #expect(state.giveBack("b").released == ["b"])
    #expect(state.forget().isEmpty)
    let again = state.close(second)
    #expect(again.released.isEmpty)
    #expect(again.ended.isEmpty)
    #expect(state.forget().map { $0 === first || $0 === second } == [true, true])
    #expect(state.close(Promise()).ended.count == 1)
  }

  @Test
  func `What is lent for long is closed when it comes back, or when nothing is lent any more`() {
    var state = State(capacity: 3, isForLong: true)
    for item in ["a", "b", "c"] {
      #expect(name(state.take()) == "open")
      let refusal = state.lend(item)
      #expect(refusal == nil)
    }
    #expect(name(state.wait(1)) == "wait")
    // It goes on to the one who waits, and is still lent.
    #expect(state.giveBack("a").served == 1)
    #expect(state.giveBack("a").released == ["a"])
    #expect(state.forget().isEmpty)
    let rested = Promise<Void>()
    let effect = state.suspend(rested)
    #expect(effect.released == ["b", "c"])
    #expect(effect.ended.isEmpty)
    let refusal = state.lend("d")
    #expect(refusal?.code == .suspended)
    #expect(state.giveBack("b").released == [])
    #expect(state.forget().isEmpty)
    #expect(state.forget().map { $0 === rested } == [true])
    #expect(state.resume().isEmpty)
    #expect(name(state.take()) == "open")
    let another = state.lend("e")
    #expect(another == nil)
    #expect(state.close(Promise()).released == ["e"])
    #expect(state.giveBack("e").released == [])
    #expect(state.forget().count == 1)
  }

  @Test func `Suspending is over when everything came back, and resuming lends it again`() {
    var state = State(capacity: 2)
    _ = (state.take(), state.take(), state.wait(1))
    let (first, second) = (Promise<Void>(), Promise<Void>())
    let effect = state.suspend(first)
    #expect(effect.refused == [1])
    #expect(effect.ended.isEmpty)
    #expect(name(state.take()) == "suspended")
    #expect(name(state.wait(2)) == "suspended")
    #expect(state.giveBack("a").ended.isEmpty)
    #expect(state.takeIdle() == nil)
    #expect(state.giveBack("b").ended.map { $0 === first } == [true])
    #expect(state.suspend(second).ended.map { $0 === second } == [true])
    #expect(state.resume().isEmpty)
    #expect([name(state.take()), name(state.take()), name(state.take())] == ["b", "a", "wait"])
    // Whoever waits for the end of what runs does not wait beyond a resumption.
    #expect(state.suspend(first).ended.isEmpty)
    #expect(state.resume().count == 1)
    #expect(state.suspend(second).ended.isEmpty)
    let closed = Promise<Void>()
    #expect(state.close(closed).ended.isEmpty)
    #expect(state.resume().isEmpty)
    #expect(state.giveBack("b").released == ["b"])
    #expect(state.giveBack("a").released == ["a"])
    #expect(state.forget().isEmpty)
    #expect(state.forget().map { $0 === second || $0 === closed } == [true, true])
  }

  @Test func `The statement that was used least goes first`() throws {
    let configuration = SQLiteDatabase.Configuration(statementCacheCapacity: 2)
    let connection = try Connection.open(nil, .writer, configuration: configuration)
    let first = try connection.statement("SELECT 1")
    let second = try connection.statement("SELECT 2")
    #expect(try connection.statement("SELECT 1") === first)
    _ = try connection.statement("SELECT 3")
    #expect(try connection.statement("SELECT 1") === first)
    #expect(try connection.statement("SELECT 2") !== second)
  }
}
