import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationHTTP

@Suite(.patient) struct LiveQueueTests {
  private func item(
    _ number: Int, size: Int = 1, _ changes: HTTPFormat.Live.Change...
  ) -> LiveQueue.Item {
    .message(ServerSentEvent(data: Data(count: size), id: "\(number)"), changes, mark: "\(number)")
  }

  @Test func `It is full with a thousand items, and has room again when it is half empty`()
    async throws
  {
    let queue = LiveQueue()
    for number in 0..<999 { _ = queue.add(item(number)) }
    #expect(queue.room() == nil)
    _ = queue.add(item(999))
    let room = try #require(queue.room())
    for number in 0..<499 { #expect(try await queue.next() == [item(number)]) }
    #expect(!room.isFulfilled)
    #expect(try await queue.next() == [item(499)])
    #expect(room.isFulfilled)
    #expect(queue.room() == nil)
  }

  @Test func `It is full with four megabytes`() async throws {
    let queue = LiveQueue()
    for number in 0..<4 { _ = queue.add(item(number, size: 1 << 20)) }
    let room = try #require(queue.room())
    _ = try await queue.next()
    #expect(!room.isFulfilled)
    _ = try await queue.next()
    #expect(room.isFulfilled)
  }

  @Test func `It ends behind what waits in it, and with a cancellation immediately`() async throws {
    for error in [HTTPError(.connectionLost), CancellationError()] as [any Error] {
      let queue = LiveQueue()
      for number in 0..<1000 { _ = queue.add(item(number)) }
      let room = try #require(queue.room())
      #expect(queue.end(error).count == 1)
      #expect(!room.isFulfilled)
      #expect(queue.room() == nil)
      #expect(queue.add(item(1000)) == nil)
      #expect(queue.end(HTTPError(.refused)).isEmpty)
      var count = 0
      let end = await failure {
        while true { count += try await queue.next() == [item(count)] ? 1 : 0 }
      }
      #expect(count == (error is HTTPError ? 1000 : 0))
      #expect((end as? HTTPError)?.code == (error as? HTTPError)?.code)
    }
  }

  @Test func `A reader that waits is woken by an item and by the end`() async throws {
    let queue = LiveQueue()
    for number in 0..<100 {
      let reader = Task { try await queue.next() }
      await Task.yield()
      queue.add(item(number))?.fulfil()
      #expect(try await reader.value == [item(number)])
    }
    let last = Task { try await queue.next() }
    for promise in queue.end(HTTPError(.refused)) { promise.fulfil() }
    await #expect(throws: HTTPError.self) { try await last.value }
  }

  @Test func `What waits and is of one kind is taken together`() async throws {
    let queue = LiveQueue()
    let changes: [[HTTPFormat.Live.Change]] = [
      [.stored(at: "a")], [.stored(at: "b"), .stored(at: "c")], [.removed("1")], [.removed("2")],
      [.stored(at: "d"), .removed("3")], [.missed], [.missed], [], [.stored(at: "e")],
    ]
    _ = queue.add(.connected(mark: nil))
    for each in changes { _ = queue.add(.message(ServerSentEvent(), each, mark: nil)) }
    var counts: [Int] = []
    while counts.reduce(0, +) < 10 { counts.append(try await queue.next().count) }
    #expect(counts == [1, 2, 2, 1, 1, 1, 1, 1])
    for number in 0..<250 { _ = queue.add(item(number, .removed("\(number)"))) }
    for count in [100, 100, 50] { #expect(try await queue.next().count == count) }
  }
}
