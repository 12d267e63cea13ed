import Evocation
import EvocationTesting
import TestSupport
import Testing

@testable import CoreSupport
@testable import EvocationStores

/// What is remembered of writes while somebody fetches, as a value.
@Suite struct WriteMarksTests {
  private static func written(_ ids: Int..., year: Int = 1) -> WrittenModels<Car> {
    var written = WrittenModels<Car>()
    _ = written.record(ids.map { Car(id: $0, year: year) }) { .kept($0) }
    return written
  }

  private func ids(_ marks: WriteMarks, since number: UInt64) -> [Int] {
    marks.written(since: number, of: Car.self).flatMap { $0.kept.map(\.id) }.sorted()
  }

  @Test func `Without a mark nothing is remembered`() {
    var marks = WriteMarks()
    #expect(!marks.isMarked)
    _ = marks.record(Self.written(1))
    let first = marks.mark()
    #expect(ids(marks, since: first) == [])
    _ = marks.record(Self.written(2))
    _ = marks.release(first, of: Car.self)
    #expect(!marks.isMarked)
    #expect(ids(marks, since: first) == [])
  }

  @Test func `A mark knows what was written since, whoever else lets go of theirs`() {
    var marks = WriteMarks()
    let first = marks.mark()
    _ = marks.record(Self.written(1))
    let second = marks.mark()
    let third = marks.mark()
    _ = marks.record(Self.written(2, 3))
    let fourth = marks.mark()
    _ = marks.record(Self.written(1, 4))
    #expect(ids(marks, since: second) == [1, 2, 3, 4])
    _ = marks.release(second, of: Car.self)
    #expect(ids(marks, since: third) == [1, 2, 3, 4])
    _ = marks.release(third, of: Car.self)
    #expect(ids(marks, since: first) == [1, 1, 2, 3, 4])
    #expect(ids(marks, since: fourth) == [1, 4])
    _ = marks.release(first, of: Car.self)
    #expect(ids(marks, since: fourth) == [1, 4])
    _ = marks.release(fourth, of: Car.self)
    #expect(!marks.isMarked)
  }

  @Test func `What was fetched is known to earlier marks, and later writes count for more`() {
    var marks = WriteMarks()
    let (first, second) = (marks.mark(), marks.mark())
    _ = marks.record(Self.written(1, year: 1))
    let third = marks.mark()
    _ = marks.record(Self.written(2, year: 2), before: second)
    _ = marks.record(Self.written(1, 3, year: 3), before: third)
    #expect(ids(marks, since: first) == [1, 2, 3])
    #expect(ids(marks, since: second) == [1, 3])
    #expect(ids(marks, since: third) == [])
    _ = marks.record(Self.written(3, year: 4))
    _ = marks.record(Self.written(3, 4, year: 5), before: third)
    let written = marks.written(since: second, of: Car.self)
      .reduce(into: WrittenModels<Car>()) { _ = $0.add($1) }
    #expect(Set(written.kept) == [Car(id: 1, year: 3), Car(id: 3, year: 4), Car(id: 4, year: 5)])
    _ = marks.record(Self.written(5), before: first)
    #expect(ids(marks, since: first).contains(5) == false)
  }

  @Test func `A mark knows of earlier marks, and whether anything was written since`() {
    var marks = WriteMarks()
    let first = marks.mark()
    _ = marks.record(Self.written(1))
    let second = marks.mark()
    #expect(!marks.isMarked(before: first) && marks.isMarked(before: second))
    #expect(!marks.isQuiet(since: first) && marks.isQuiet(since: second))
    _ = marks.release(first, of: Car.self)
    #expect(!marks.isMarked(before: second) && marks.isQuiet(since: second))
    _ = marks.record(Self.written(2), before: second)
    #expect(marks.isQuiet(since: second))
  }

  @Test func `What is remembered for long grows with the models, and not with the writes`() {
    var marks = WriteMarks()
    let first = marks.mark()
    for number in 0..<1_000 {
      let passing = marks.mark()
      _ = marks.record(Self.written(number % 3))
      _ = marks.release(passing, of: Car.self)
    }
    #expect(ids(marks, since: first) == [0, 1, 2])
  }

  @Test func `Marks by chance know what a naive list of writes knows`() {
    var random = Trials.random("marks")
    var marks = WriteMarks()
    var naive: [(number: UInt64, ids: Set<Int>)] = []
    for _ in 0..<5_000 {
      switch random.count(0...3) {
      case 0: naive.append((marks.mark(), []))
      case 1 where !naive.isEmpty:
        let (number, ids) = naive.remove(at: random.count(0...(naive.count - 1)))
        #expect(Set(self.ids(marks, since: number)) == ids)
        _ = marks.release(number, of: Car.self)
      default:
        let id = random.count(0...20)
        _ = marks.record(Self.written(id))
        for index in naive.indices { naive[index].ids.insert(id) }
      }
    }
    for (number, ids) in naive { #expect(Set(self.ids(marks, since: number)) == ids) }
  }

  @Test func `The last write of a model counts, in whichever span it was`() {
    var written = Self.written(1, year: 1)
    #expect(written.add(Self.written(1, 2, 3, year: 2)).count == 1)
    #expect(Set(written.kept) == Set([1, 2, 3].map { Car(id: $0, year: 2) }))
    #expect(written.add(Self.written(2, year: 3)).count == 1)
    #expect(written.kept.first { $0.id == 2 }?.year == 3)
  }

  @Test func `Of what was fetched, what was written is left, replaced or dropped`() {
    var written = Self.written(1, 9)
    _ = written.record([Car(id: 2, year: 7)]) { .answered($0) }
    _ = written.record([Car(id: 3)]) { .gone($0) }
    let fetched = written.applied(to: (1...4).map { Car(id: $0, year: 0) })
    #expect(fetched.models == [Car(id: 2, year: 7), Car(id: 4, year: 0)])
    #expect(fetched.listed.map(\.id) == [1, 2, 4])
    #expect(Set(fetched.kept.map(\.id)) == [1, 9])
    #expect(fetched.dropped == 2)
    #expect(fetched.note == "3 models were written in the meantime and stay as they are")
  }

  @Test func `Models without ids are known only to have been written`() {
    struct Note: Sendable { let text: String }
    var written = WrittenModels<Note>()
    #expect(written.isEmpty)
    _ = written.record([Note(text: "a")]) { .kept($0) }
    #expect(written.isUnknown)
    #expect(!written.isEmpty)
    #expect(written.applied(to: [Note(text: "b")]).models.count == 1)
  }

  @Test func `A log remembers for as long as a mark is held, and no longer`() {
    final class Held: Identifiable, Sendable { let id = 1 }
    let log = WriteLog<Held>()
    weak var seen: Held?
    var mark: WriteLog<Held>.Mark? = log.mark(of: nil)
    do {
      let model = Held()
      seen = model
      log.record { written in _ = written.record([model]) { .kept($0) } }
    }
    #expect(mark?.written.kept.count == 1)
    #expect(seen != nil)
    mark = nil
    #expect(seen == nil)
    log.record { _ in Issue.record("Nobody wants to know.") }
  }

  @Test func `To let go of a model may take a mark itself`() async {
    final class Calling: Identifiable, Sendable {
      let id = 1
      let log: WriteLog<Calling>
      init(_ log: WriteLog<Calling>) { self.log = log }
      deinit { _ = log.mark(of: nil) }
    }
    let log = WriteLog<Calling>()
    var (first, second): (WriteLog<Calling>.Mark?, WriteLog<Calling>.Mark?) = (
      log.mark(of: nil), nil
    )
    log.record { written in _ = written.record([Calling(log)]) { .kept($0) } }
    second = log.mark(of: nil)
    log.record { written in _ = written.record([Calling(log)]) { .kept($0) } }
    log.record { written in _ = written.record([Calling(log)]) { .kept($0) } }
    second = nil
    first = nil
    #expect(first == nil && second == nil)
  }
}
