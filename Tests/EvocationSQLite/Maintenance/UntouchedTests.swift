import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Files that are refused, with logs that nobody has moved into them.
@Suite(.patient) struct UntouchedTests {
  private static let ends = ["", "-wal", "-shm"]
  private let folder: TemporaryFolder
  private let kept: [String: Data]

  init() async throws {
    folder = try TemporaryFolder()
    let path = folder.path("kept.sqlite")
    let first = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(first, indexes: ["year"])
    try await cars.store((0..<200).map { Car(id: $0, name: "name \($0)", year: $0) })
    await first.close()
    let second = try SQLiteDatabase(path: path)
    // The first page stays out of the log, so that damage in the file counts.
    try await second.write { db in
      _ = try db.execute("UPDATE car SET name = name || '!' WHERE id % 5 = 0")
    }
    var kept: [String: Data] = [:]
    for end in Self.ends { kept[end] = try Data(contentsOf: URL(filePath: path + end)) }
    self.kept = kept
    await second.close()
  }

  private func content(_ name: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let pairs = try names.filter { $0.hasPrefix(name) }.map {
      (String($0.dropFirst(name.count)), try Data(contentsOf: URL(filePath: folder.path($0))))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  private func damage(_ random: inout SeededGenerator, _ files: inout [String: Data]) {
    let end = files["-wal"] != nil && random.count(0...5) == 0 ? "-wal" : ""
    guard var data = files[end] else { return }
    switch random.count(0...9) {
    case 0: data = data.prefix(random.count(1...(data.count - 1)))
    case 1:
      let place = random.count(0...(data.count - 1))
      data[place] ^= UInt8(random.count(1...255))
    default:
      // The head and the first page, without which there is no database.
      for _ in 0...random.count(4...40) {
        data[random.count(0...min(4_095, data.count - 1))] ^= UInt8(random.count(1...255))
      }
    }
    files[end] = Data(data)
  }

  @Test(arguments: [["", "-wal"], ["", "-wal", "-shm"], [""]])
  func `A file that is refused is as it was, byte for byte, and so is its log`(
    ends: [String]
  ) async throws {
    var random = Trials.random("untouched \(ends)")
    var refused = 0
    for round in 0..<250 {
      let name = "\(round).sqlite"
      var files = kept.filter { ends.contains($0.key) }
      damage(&random, &files)
      for (end, data) in files { try data.write(to: URL(filePath: folder.path(name + end))) }
      do {
        let database = try SQLiteDatabase(path: folder.path(name))
        await database.close()
      } catch let error as SQLiteError {
        refused += 1
        var found = try content(name)
        // What processes share about the log is nobody's data, and is made anew when there is none.
        if ends.contains("-shm") { (found["-shm"], files["-shm"]) = (nil, nil) }
        #expect(found == files, "\(round): \(error)")
      }
      for end in Self.ends { try? FileManager.default.removeItem(atPath: folder.path(name + end)) }
    }
    #expect(refused > 10)
  }

  @Test(arguments: [true, false])
  func `A file in which damage is found later is closed as it is`(isChecked: Bool) async throws {
    let path = folder.path("late.sqlite")
    var file = try #require(kept[""])
    // The log has the table's pages, and not those of its index, which begin with 2 or 10. Pages of
    // Evocation's own indexes have nothing yet.
    for start in stride(from: 4_096, to: file.count, by: 4_096)
    where [2, 10].contains(file[start]) && file[start + 3...start + 4] != Data([0, 0]) {
      file.replaceSubrange(start..<start + 4_096, with: repeatElement(0xAA, count: 4_096))
    }
    try file.write(to: URL(filePath: path))
    try kept["-wal"]?.write(to: URL(filePath: path + "-wal"))
    let database = try SQLiteDatabase(path: path)
    if isChecked {
      #expect(try await database.check().isEmpty == false)
    } else {
      let error = await #expect(throws: SQLiteError.self) {
        try await database.read {
          try $0.rows(#"SELECT sum(year) FROM car INDEXED BY "car(year)""#)
        }
      }
      #expect(error?.code == .damaged)
    }
    await database.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == file)
    #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == kept["-wal"])
  }

  @Test func `A log without its file is no reason to refuse a new one`() async throws {
    for (name, content) in [("none.sqlite", nil), ("empty.sqlite", Data())] {
      let path = folder.path(name)
      try content?.write(to: URL(filePath: path))
      try kept["-wal"]?.write(to: URL(filePath: path + "-wal"))
      let database = try SQLiteDatabase(path: path)
      #expect(try await database.read { try $0.rows("SELECT 1 FROM sqlite_schema") }.isEmpty)
      await database.close()
    }
  }

  @Test func `A sound file with a log that nobody moved is opened with all of it`() async throws {
    for (index, ends) in [["", "-wal"], ["", "-wal", "-shm"]].enumerated() {
      let path = folder.path("sound\(index).sqlite")
      for end in ends { try kept[end]?.write(to: URL(filePath: path + end)) }
      let database = try SQLiteDatabase(path: path)
      let cars = try SQLiteRepository<Car>(database, indexes: ["year"])
      #expect(try await cars.find(["id": 5]).value.map(\.name) == ["name 5!"])
      await database.close()
      #expect(try content("sound\(index).sqlite").keys.sorted() == [""])
    }
  }
}
