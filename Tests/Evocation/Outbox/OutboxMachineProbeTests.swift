import Evocation
import Testing

@testable import EvocationOutbox

/// Which entries the machine has go first, of those that failed and those that never did.
struct OutboxMachineProbeTests {
  /// What has become of the server's requests so far.
  enum Service: CaseIterable {
    case unknown, well, failed, back

    /// Whether a request shows that the server works, so that one that may fail goes last.
    var isProbed: Bool { self != .well }
  }

  private func played(_ service: Service) -> PlayedMachine {
    var played = PlayedMachine()
    if service != .unknown { played.warm() }
    switch service {
    case .unknown, .well: break
    case .failed:
      _ = played.take(100)
      _ = played.end(100, .failing(retryAfter: nil), isSent: false)
    case .back:
      _ = played.handle(.connection(isOnline: false))
      _ = played.handle(.connection(isOnline: true))
    }
    played.now = .seconds(10)
    return played
  }

  @Test(
    arguments: Service.allCases,
    [(false, false), (false, true), (true, false), (true, true)])
  func `what was attempted is no probe of a server while there is another entry`(
    service: Service, entry: (wasAttempted: Bool, isLast: Bool)
  ) {
    let (wasAttempted, isLast) = entry
    var played = played(service)
    let goesLater = service.isProbed && wasAttempted && !isLast
    #expect(
      played.take(1, wasAttempted: wasAttempted, isLast: isLast) == [
        goesLater ? "later 1" : "send 1"
      ])
    // Whichever it is, one probe goes at a time.
    let next = played.take(2, isLast: true)
    #expect(next == [service.isProbed && !goesLater ? "full" : "send 2"])
  }

  @Test func `after several failures any entry may be like those that failed`() {
    var played = played(.failed)
    #expect(played.take(1) == ["send 1"])
    _ = played.end(1, .failing(retryAfter: nil), isSent: false)
    played.now = .seconds(20)
    #expect(played.take(2, 3) == ["later 2", "later 3"])
    #expect(played.take(3, isLast: true) == ["send 3"])
    _ = played.end(3)
    #expect(played.take(2) == ["send 2"])
  }

  @Test func `of what was attempted, one at a time takes a place from what never was`() {
    var played = played(.well)
    #expect(played.take(1, 2, wasAttempted: true) == ["send 1", "later 2"])
    #expect(played.take(3, 4) == ["send 3", "send 4"])
    #expect(played.take(2, wasAttempted: true, isLast: true) == ["send 2"])
    _ = played.end(1)
    _ = played.end(2)
    #expect(played.take(5, wasAttempted: true) == ["send 5"])
  }

  @Test func `what was attempted goes later than others of its own server alone`() {
    var played = PlayedMachine(queues: 2)
    _ = played.take(1)
    _ = played.end(1, .failing(retryAfter: nil), isSent: false)
    _ = played.take(9, queue: 1)
    _ = played.end(9)
    played.now = .seconds(2)
    #expect(played.take(1, wasAttempted: true) == ["later 1"])
    #expect(played.take(8, queue: 1, wasAttempted: true) == ["send 8"])
  }

  @Test(arguments: [(nil, true), (.seconds(1), false)] as [(Duration?, Bool)])
  func `an entry waits on its own where the server worked before it, and asked for no pause`(
    retryAfter: Duration?, waits: Bool
  ) throws {
    var played = played(.well)
    _ = played.take(1, 2)
    let items = try [1, 2].map { try #require(played.items[$0]) }
    var ownWaits = [
      played.machine.recordFailed(items[0], retryAfter: retryAfter, at: played.now, chance: 0)
    ]
    // The second one failed for the same reason, and each ends once.
    for item in items {
      ownWaits.append(
        played.machine.recordFailed(item, retryAfter: nil, at: played.now, chance: 0))
    }
    #expect(ownWaits == [waits, false, false])
    #expect(!played.machine.isSending)
    #expect(!played.machine.isSettled(at: played.now))
    for position in 1...2 {
      _ = played.end(Int64(position), .failing(retryAfter: retryAfter), isSent: false)
    }
    played.now += .seconds(1)
    #expect(played.take(3) == ["send 3"])
    let probe = try #require(played.items[3])
    let probeWaits = played.machine.recordFailed(
      probe, retryAfter: nil, at: played.now, chance: 0)
    #expect(!probeWaits)
  }
}
