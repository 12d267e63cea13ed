import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct DamageTests {
  private static let pageSize = 4096
  private let folder: TemporaryFolder
  private let path: String
  private let sound: Data

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path()
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database, indexes: ["year"])
    try await cars.store((0..<1000).map { Car(id: $0, name: "name \($0)", year: $0) })
    await database.close()
    sound = try Data(contentsOf: URL(filePath: path))
  }

  private func put(_ content: Data) throws {
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    try content.write(to: URL(filePath: path))
  }

  /// The pages of `sqlite_schema`: the first, and those that it points to where it has no cells of
  /// its own (https://sqlite.org/fileformat.html, "B-tree Pages").
  private var schemaPages: Set<Int> {
    func number(_ place: Int, _ count: Int) -> Int {
      sound[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    guard sound[100] == 5 else { return [0] }
    let places = (0..<number(103, 2)).map { number(112 + 2 * $0, 2) } + [108]
    return Set(places.map { number($0, 4) - 1 } + [0])
  }

  private func content() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  /// Finds all in two ways and checks the file; gives the problems and the errors of the finds.
  private func look() async throws -> (problems: [String], errors: [any Error]) {
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database, indexes: ["year"])
    var errors: [any Error] = []
    for criteria in [Criteria(), Criteria.Key("year") >= 0] {
      do { _ = try await cars.find(criteria) } catch { errors.append(error) }
    }
    let problems = try await database.check()
    await database.close()
    return (problems, errors)
  }

  /// Looks, and gives whether anything was told, in the way that damage has to be.
  private func isTold(_ place: String) async throws -> Bool {
    do {
      let (problems, errors) = try await look()
      // What decodes no more is of the form of a row still.
      let ofPages = errors.compactMap { $0 as? SQLiteError }.filter { $0.underlying == nil }
      for error in ofPages { #expect(error.code == .damaged, "\(place)") }
      // Where reading met the form of a page, the check has to meet it too.
      if !ofPages.isEmpty { #expect(!problems.isEmpty, "\(place)") }
      return !problems.isEmpty
    } catch let error as SQLiteError {
      // The number of the format is a byte like others, and a greater one is a newer library's.
      #expect([.damaged, .newerSchema].contains(error.code), "\(place): \(error)")
      return true
    }
  }

  @Test func `A page that is none is damage to who reads it, and the rest is still there`()
    async throws
  {
    // The pages of tables begin with 13, those of indexes with 10: neither can be 0xFF.
    let pages = (1..<sound.count / Self.pageSize).filter { page in
      let content = sound[page * Self.pageSize..<(page + 1) * Self.pageSize]
      return content.first == 13 && content.range(of: Data("name ".utf8)) != nil
    }
    let page = try #require(pages.dropFirst(3).first)
    var content = sound
    content[page * Self.pageSize] ^= 0xFF
    try put(content)
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database, indexes: ["year"])
    let error = await #expect(throws: SQLiteError.self) { try await cars.find(Criteria()) }
    #expect(error?.code == .damaged)
    #expect(error?.failureKind == .permanent)
    #expect(
      error?.description == "Reading the table \"car\" in \"\(path)\" failed: the file is damaged; "
        + "restore it from a backup.")
    for check in SQLiteDatabase.IntegrityCheck.allCases {
      #expect(try await database.check(check).isEmpty == false)
    }
    #expect(try await cars.findOne(["id": 0]).value?.name == "name 0")
    let write = await #expect(throws: SQLiteError.self) {
      try await cars.storeOrUpdate((0..<1000).map { Car(id: $0, name: "other") })
    }
    #expect(write?.code == .damaged)
    #expect(try await cars.findOne(["id": 0]).value?.name == "name 0")
    await database.close()
    #expect(try self.content() == content)
    try put(sound)
    let (problems, errors) = try await look()
    #expect(problems.isEmpty)
    #expect(errors.isEmpty)
  }

  @Test func `A flipped byte is told or harmless, and never ends the process`() async throws {
    var random = Trials.random("flips")
    var told = 0
    for _ in 0..<Trials.count(150) {
      // Not in the schema: a table of another name, or with another column, is another table.
      var place = 0
      while schemaPages.contains(place / Self.pageSize) {
        place = random.count(0...(sound.count - 1))
      }
      let change = UInt8(random.count(1...255))
      var content = sound
      content[place] ^= change
      try put(content)
      told += try await isTold("\(place)") ? 1 : 0
      #expect(try self.content() == content, "\(place)")
    }
    #expect(told > 0)
  }

  @Test func `A flipped byte beside the number of the format is told or harmless`() async throws {
    let database = try SQLiteDatabase(path: path)
    let root = try await database.read { access in
      try access.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'evocation_format'")
        .first?["rootpage"]
    }
    await database.close()
    guard case .integer(let number) = root else {
      Issue.record("The table of the format has no page.")
      return
    }
    let page = (Int(number) - 1) * Self.pageSize
    // The head of the page and its only cell, which lies at the end.
    for place in Array(0..<10) + Array(Self.pageSize - 6..<Self.pageSize) {
      for bit in 0..<8 {
        var content = sound
        content[page + place] ^= 1 << UInt8(bit)
        try put(content)
        _ = try await isTold("\(place), bit \(bit)")
        #expect(try self.content() == content, "\(place), bit \(bit)")
      }
    }
  }

  @Test func `A flipped byte in the header is refused by name, or harmless`() async throws {
    for place in 0..<100 {
      var content = sound
      content[place] ^= 0xFF
      try put(content)
      do {
        _ = try await look()
      } catch let error as SQLiteError {
        let codes: [SQLiteError.Code] = [.damaged, .notADatabase, .readOnly]
        #expect(codes.contains(error.code), "\(place): \(error)")
        #expect(try self.content() == content, "\(place)")
      }
    }
  }

  @Test func `A truncated file is refused wherever it ends`() async throws {
    var random = Trials.random("cuts")
    let ends = [1, 2, 15, 16, 50, 99, 100, 511, 512, 4095, 4096, 4097, 8192, sound.count - 1]
    for end in ends + (0..<30).map({ _ in random.count(1...(sound.count - 1)) }) {
      let content = sound.prefix(end)
      try put(content)
      let error = await #expect(throws: SQLiteError.self, "\(end)") { _ = try await look() }
      // Less than a header says nothing of what it was once.
      #expect(
        error?.code == .damaged || (end < 100 && error?.code == .notADatabase), "\(end)")
      #expect(try self.content() == content, "\(end)")
    }
    try put(sound)
    #expect(try await look().problems.isEmpty)
  }

  @Test func `An empty file is a new database`() async throws {
    try put(Data())
    let (problems, errors) = try await look()
    #expect(problems.isEmpty)
    #expect(errors.isEmpty)
  }

  @Test func `Damage is not written over by what makes a table`() async throws {
    // As a tool of another kind leaves it: not in WAL mode, which opening would write down.
    var content = Data(sound.prefix(3 * Self.pageSize))
    (content[18], content[19]) = (1, 1)
    try put(content)
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .damaged)
    #expect(try self.content() == content)
  }
}
