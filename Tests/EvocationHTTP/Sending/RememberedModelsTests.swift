import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationHTTP
@testable import EvocationValues

@Suite(.timeLimit(.minutes(1))) struct RememberedModelsTests {
  private let known = RememberedModels()

  @Test func `A read that began before a write teaches nothing`() throws {
    let url = try #require(URL(string: "http://localhost/cars/1"))
    let writes = known.writes
    known.wrote("1", .init(version: "\"new\"", url: url))
    known.read("1", .init(version: "\"old\"", url: url), writes: writes)
    #expect(known.version(of: "1", at: url) == "\"new\"")
    known.read("1", .init(version: "\"newer\"", url: url), writes: known.writes)
    #expect(known.version(of: "1", at: url) == "\"newer\"")
    known.wrote("1", .init())
    #expect(known.isEmpty)
  }

  @Test func `A write that was not answered leaves the version, and what is known no more`() {
    known.wrote("1", .init(version: "\"1\""))
    known.doubt("1", ["name"])
    known.doubt("2", [])
    #expect(known["1"]?.version == "\"1\"" && known["1"]?.doubted == ["name"])
    #expect(known["2"]?.doubted == [])
    known.read("1", .init(version: "\"2\""), writes: known.writes)
    #expect(known["1"]?.doubted == nil)
  }

  @Test func `What is used is kept, and the rest is bounded`() throws {
    let url = try #require(URL(string: "http://localhost/cars/1"))
    for id in 0..<10_000 {
      known.wrote("\(id)", .init(version: "\"\(id)\"", url: url))
      #expect(known.version(of: "0", at: url) == "\"0\"")
    }
    let kept = (0..<10_000).filter { known.version(of: "\($0)", at: url) != nil }
    #expect(kept.first == 0 && kept.last == 9999 && kept.count < 5000)
  }

  @Test func `A list that was read is known as if each of its models had been read alone`() {
    var random = Trials.random("remembered lists")
    for _ in 0..<Trials.count(200) {
      var steps = RememberedSteps(ids: 8, longest: 5)
      for _ in 0..<30 { steps.step(&random) }
      for id in 0..<8 { #expect(steps.version(of: id) == steps.expected["\(id)"]) }
    }
  }

  @Test func `However many lists are read, no version is older than the last that was read`() {
    var random = Trials.random("many remembered lists")
    for _ in 0..<Trials.count(5) {
      var steps = RememberedSteps(ids: 5_000, longest: 1_500)
      for _ in 0..<20 {
        steps.step(&random)
        guard random.chance(20) else { continue }
        let ids = (0..<5_000).filter { id in
          steps.version(of: id).map { $0 != steps.expected["\(id)"] } ?? false
        }
        #expect(ids == [])
      }
    }
  }

  @Test func `A list that gave way to later ones leaves no older version of its models`() {
    known.wrote("one", .init(version: "1"))
    known.read(.init(nil, count: 1) { [("one", .init(version: "2"))] }, writes: known.writes)
    for start in [0, 1_500] {
      let list = RememberedModels.List(nil, count: 1_500) {
        (start..<start + 1_500).map { ("\($0)", .init(version: "3")) }
      }
      known.read(list, writes: known.writes)
    }
    #expect(known["one"] == nil && known["2999"]?.version == "3")
  }

  @Test func `A list that is read time after time takes no room from others`() throws {
    let first = RememberedModels.List(nil, count: 1) { [("one", .init(version: "1"))] }
    known.read(first, writes: known.writes)
    let url = try #require(URL(string: "http://localhost/cars"))
    for time in 0..<5 {
      let list = RememberedModels.List(HTTPRequest(method: "GET", url: url), count: 1_500) {
        (0..<1_500).map { ("\($0)", .init(version: "\(time)")) }
      }
      known.read(list, writes: known.writes)
    }
    #expect(known["one"]?.version == "1" && known["1499"]?.version == "4")
  }

  @Test func `What is forgotten while a list is recorded stays forgotten`() {
    let known = known
    known.read(.init(nil, count: 1) { [("1", .init(version: "old"))] }, writes: 0)
    let list = RememberedModels.List(nil, count: 1) {
      known.forgetAll()
      return [("1", .init(version: "1"))]
    }
    known.read(list, writes: 0)
    #expect(known["1"] == nil && known.isEmpty)
  }

  @Test func `A list that two threads record is recorded once, in its place`() {
    let known = known
    let calls = Lock(0)
    let list = RememberedModels.List(nil, count: 1) {
      // The other thread is faster, and a newer list comes.
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      if isFirst {
        #expect(known["1"]?.version == "1")
        known.read(.init(nil, count: 1) { [("1", .init(version: "2"))] }, writes: 0)
      }
      return [("1", .init(version: "1"))]
    }
    known.read(list, writes: 0)
    #expect(known["1"]?.version == "2")
  }

  /// A model that asks for what is remembered when it is released.
  private final class Asking: Sendable {
    let known: RememberedModels
    let released: Lock<Int>

    init(_ known: RememberedModels, _ released: Lock<Int>) {
      (self.known, self.released) = (known, released)
    }

    deinit { released.withLock { [writes = known.writes] in $0 += writes >= 0 ? 1 : 0 } }
  }

  /// What lets go of a model of which nothing but its state is kept, or of the list that has it.
  enum LettingGo: CaseIterable {
    case wrote, read, forget, forgetWritten, forgetAll, manyWrites, use, longLists, recording
  }

  @Test(arguments: LettingGo.allCases)
  func `A model may ask for what is remembered while it is released`(_ way: LettingGo) {
    let (known, released) = (known, Lock(0))
    let asking: @Sendable () -> RememberedModels.Entry = {
      .init(version: "1", model: Asking(known, released))
    }
    known.wrote("1", asking())
    #expect(released.withLock { $0 } == 0)
    switch way {
    case .wrote: known.wrote("1", .init())
    case .read: known.read("1", .init(version: "2"), writes: known.writes)
    case .forget: known.forget(["1"])
    case .forgetWritten: known.forget(written: ["1"])
    case .forgetAll: known.forgetAll()
    case .manyWrites: for id in 2..<10_000 { known.wrote("\(id)", .init(version: "1")) }
    case .use:
      let others = 2...RememberedModels.room + 1
      for id in others { known.wrote("\(id)", .init(version: "1")) }
      known.wrote("new", .init(version: "1"))
      #expect(released.withLock { $0 } == 0)
      for id in others { _ = known["\(id)"] }
    case .longLists:
      for _ in 0..<2 {
        let held = Asking(known, released)
        let list = RememberedModels.List(nil, count: RememberedModels.room) { [held] in
          [("2", .init(version: "1", model: held))]
        }
        known.read(list, writes: known.writes)
      }
      // The first list made room for the second one.
      #expect(known["2"] != nil && released.withLock { $0 } == 2)
    case .recording:
      known.read(.init(nil, count: 1) { [("1", .init(version: "2"))] }, writes: known.writes)
      #expect(known["1"]?.version == "2")
    }
    #expect(released.withLock { $0 } >= 1)
  }
}

/// Reads, writes and removals, with what is known after them.
private struct RememberedSteps {
  let ids: Int
  let longest: Int
  private let known = RememberedModels()
  /// The versions by id.
  private(set) var expected: [String: String] = [:]
  private var count = 0

  init(ids: Int, longest: Int) { (self.ids, self.longest) = (ids, longest) }

  func version(of id: Int) -> String? { known["\(id)"]?.version }

  mutating func step(_ random: inout SeededGenerator) {
    count += 1
    let (id, version) = ("\(random.count(0...ids - 1))", "\(count)")
    switch random.count(0...9) {
    case 0: known.wrote(id, .init(version: version))
    case 1: known.read(id, .init(version: version), writes: known.writes)
    case 2:
      known.forget([id])
      expected[id] = nil
      return
    case 3 where random.chance(20):
      known.forgetAll()
      expected = [:]
      return
    case 4:
      known.read(id, .init(version: version), writes: known.writes - 1)
      return
    default: return readList(version, &random)
    }
    expected[id] = version
  }

  private mutating func readList(_ version: String, _ random: inout SeededGenerator) {
    let first = random.count(0...ids - 1)
    let listed = (first..<min(ids, first + random.count(0...longest))).map { id in
      // Some come without a version.
      ("\(id)", RememberedModels.Entry(version: id % 5 == 0 ? nil : version))
    }
    let isLate = random.chance(20)
    let request = random.chance(50) ? HTTPRequest(method: "GET", url: URL(filePath: "/cars")) : nil
    known.read(
      .init(request, count: listed.count) { listed },
      writes: isLate ? known.writes - 1 : known.writes)
    if isLate { return }
    for (id, entry) in listed { expected[id] = entry.version }
  }
}
