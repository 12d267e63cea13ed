import EvocationSQLite
import Foundation

/// Plays all types of a seed, or some of them, each on values that follow from the seed and its name.
struct TypeTrials {
  let seed: UInt64

  /// Which to play: the second of three parts is `1/3`; nil for all.
  var only: String?

  /// Plays the types; prints what differs, and returns a status.
  func play(_ types: [any GeneratedType.Type]) async -> Int32 {
    var status: Int32 = 0
    do {
      for problem in try await problems(of: types) {
        print(problem)
        status = 1
      }
    } catch {
      print("\(error)")
      status = 2
    }
    return status
  }

  /// Returns what differs, each with the type's name.
  func problems(of types: [any GeneratedType.Type]) async throws -> [String] {
    let folder = URL.temporaryDirectory.appending(path: "types-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let part = (only ?? "0/1").split(separator: "/").compactMap { Int($0) }
    var problems: [String] = []
    for (number, type) in types.enumerated() where number % part[1] == part[0] {
      if only != nil { FileHandle.standardOutput.write(Data("play \(type)\n".utf8)) }
      // A table of a type that differs may not be what the next one takes for granted.
      let database = try SQLiteDatabase(path: folder.appending(path: "\(number / 25)").path)
      problems += await Self.problems(of: type, seed: seed ^ Self.number(of: type), database)
      await database.close()
    }
    return problems
  }

  /// A number that is the same in every run, whatever else is played.
  private static func number(of type: any GeneratedType.Type) -> UInt64 {
    "\(type)".utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }

  private static func problems<Model: GeneratedType>(
    of type: Model.Type, seed: UInt64, _ database: SQLiteDatabase
  ) async -> [String] {
    await TypeTrial.play(type, seed: seed, database: database).map { "\(type): \($0)" }
  }
}
