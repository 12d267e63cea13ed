import Testing

@testable import Evocation

private final class Owner: Sendable {}

private struct Job: LaneItem, Equatable {
  var id: Int
  var owner: ObjectIdentifier
}

extension LaneQueue<Job> {
  fileprivate mutating func ids(at place: UInt64) -> [Int] {
    take(at: place).map(\.id)
  }
}

@Suite struct LaneQueueTests {
  private let cars = Owner()
  private let bikes = Owner()

  private func job(_ id: Int, _ owner: Owner? = nil) -> Job {
    Job(id: id, owner: ObjectIdentifier(owner ?? cars))
  }

  @Test func `the first job needs a thread, the second somebody who looks, and the others nothing`()
  {
    var queue = LaneQueue<Job>()
    #expect(queue.append(job(1)) == .thread(isSoon: true))
    #expect(queue.append(job(2)) == .watch)
    #expect(queue.append(job(3)) == .nothing)
    #expect(queue.ids(at: 0) == [1, 2, 3])
    #expect(queue.append(job(4)) == .nothing)
  }

  @Test func `a lane that rests needs a thread again`() {
    var queue = LaneQueue<Job>()
    _ = queue.append(job(1))
    #expect(queue.ids(at: 0) == [1])
    #expect(queue.ids(at: 1) == [])
    queue.rest()
    #expect(queue.append(job(2)) == .thread(isSoon: true))
  }

  @Test func `a thread is watched as long as a job waits for it, in its batch or behind it`() {
    var queue = LaneQueue<Job>()
    for id in 1...2 { _ = queue.append(job(id)) }
    #expect(queue.needsWatch(at: 0) == true)
    _ = queue.take(at: 0)
    #expect(queue.needsWatch(at: 0) == true)
    #expect(queue.needsWatch(at: 1) == true)
    #expect(queue.needsWatch(at: 2) == false)
    #expect(queue.append(job(3)) == .watch)
    #expect(queue.needsWatch(at: 2) == true)
  }

  @Test func `the job that a thread is in is told by its place`() {
    var queue = LaneQueue<Job>()
    for id in 1...2 { _ = queue.append(job(id)) }
    _ = queue.take(at: 7)
    #expect([7, 8, 9, 10].map { queue.current(at: $0)?.id } == [nil, 1, 2, nil])
  }

  @Test func `who relieves a thread gets what it had not begun, before what came since`() {
    var queue = LaneQueue<Job>()
    for id in 1...4 { _ = queue.append(job(id)) }
    _ = queue.take(at: 0)
    _ = queue.append(job(5))
    queue.relieve(at: 2)
    #expect(queue.ids(at: 3) == [3, 4, 5])
    #expect(queue.comeBack(ObjectIdentifier(cars)) == .nothing)
  }

  @Test func `while a thread is held up, the next one is not to come from the lane's queue`() {
    var queue = LaneQueue<Job>()
    for id in 1...2 { _ = queue.append(job(id)) }
    _ = queue.take(at: 0)
    queue.relieve(at: 1)
    #expect(queue.ids(at: 2) == [2])
    #expect(queue.ids(at: 3) == [])
    queue.rest()
    #expect(queue.append(job(3)) == .thread(isSoon: false))
    _ = queue.take(at: 3)
    _ = queue.take(at: 4)
    queue.rest()
    #expect(queue.comeBack(ObjectIdentifier(cars)) == .nothing)
    #expect(queue.append(job(4)) == .thread(isSoon: true))
  }

  @Test func `who holds up as many threads as it may waits, and nobody else does`() {
    var queue = LaneQueue<Job>()
    let most = LaneQueue<Job>.mostHeld
    for id in 1...(most + 3) { _ = queue.append(job(id)) }
    var place: UInt64 = 0
    for id in 1...most {
      #expect(queue.ids(at: place) == Array(id...(most + 3)))
      queue.relieve(at: place + 1)
      place += 2
    }
    _ = queue.append(job(-1, bikes))
    #expect(queue.ids(at: place) == [-1])
    #expect(queue.ids(at: place + 1) == [])
    queue.rest()
    #expect(queue.comeBack(ObjectIdentifier(cars)) == .thread(isSoon: false))
    _ = queue.append(job(most + 4))
    #expect(queue.ids(at: place + 1) == [most + 1, most + 2, most + 3, most + 4])
  }
}
