import Evocation
import Testing

@testable import EvocationOutbox

/// When entries of low urgency have their turn.
struct OutboxMachinePriorityTests {
  /// Sends other entries one after another, as many as go before a turn.
  private func played(_ queues: Int = 1, concurrency: Int = 4) -> PlayedMachine {
    var played = PlayedMachine(concurrency: concurrency, queues: queues)
    for position in 1...7 as ClosedRange<Int64> {
      #expect(played.beginTurn() == [])
      #expect(played.take(position) == ["send \(position)"])
      _ = played.end(position)
    }
    return played
  }

  @Test func `after seven others one entry of low urgency has its turn`() {
    var played = played()
    for turn in [1, 2] as [Int64] {
      #expect(played.beginTurn() == ["turn"])
      #expect(
        played.take(10 * turn, 10 * turn + 1, as: .turn, isUtility: true) == [
          "send \(10 * turn)", "full",
        ])
      for position in 1...7 as ClosedRange<Int64> {
        #expect(played.beginTurn() == [])
        _ = played.take(100 * turn + position)
        _ = played.end(100 * turn + position)
      }
    }
  }

  @Test func `where no entry of low urgency waits the next turn comes after seven others`() {
    var played = played()
    #expect(played.beginTurn() == ["turn"])
    #expect(played.beginTurn() == [])
    #expect(played.take(8, isUtility: true) == ["send 8"])
  }

  @Test func `an entry of low urgency that was sent in its order takes the turn of none`() {
    var played = played(concurrency: 1)
    #expect(played.take(8, isUtility: true) == ["send 8"])
    _ = played.end(8)
    #expect(played.beginTurn() == [])
  }

  @Test func `each server has turns of its own`() {
    var played = played(2)
    #expect(played.beginTurn() == ["turn"])
    #expect(played.take(20, queue: 1, as: .turn, isUtility: true) == ["later 20"])
    #expect(played.take(8, queue: 0, as: .turn, isUtility: true) == ["send 8"])
    #expect(played.take(20, queue: 1, as: .turn, isUtility: true) == ["full"])
  }

  @Test func `a turn is not lost while nothing can be sent`() {
    var played = played(concurrency: 1)
    _ = played.handle(.paused)
    #expect(played.beginTurn() == [])
    _ = played.handle(.resumed)
    _ = played.take(8)
    #expect(played.beginTurn() == [])
    _ = played.end(8, .failing(retryAfter: nil), isSent: false)
    #expect(played.beginTurn() == [])
    played.now = .seconds(10)
    #expect(played.beginTurn() == ["turn"])
  }

  @Test func `others that fail each time do not keep one of low urgency from being tried`() {
    var played = PlayedMachine()
    for position in 1...7 as ClosedRange<Int64> {
      #expect(played.take(position, isLast: true) == ["send \(position)"])
      _ = played.end(position, .failing(retryAfter: nil), isSent: false)
      played.now += .seconds(100)
    }
    #expect(played.take(8) == ["later 8"])
    #expect(played.beginTurn() == ["turn"])
    #expect(played.take(9, wasAttempted: true, as: .turn, isUtility: true) == ["later 9"])
    #expect(played.take(10, as: .turn, isUtility: true) == ["send 10"])
  }
}
