import Foundation

/// The tables of a page for those who come from another library, row by row.
struct MigrationTable {
  /// What they had, and what they write now: the code in either cell of a row.
  private let rows: [(former: [String], present: String)]

  init(page: String) throws {
    let file = Self.root.appendingPathComponent("Sources/Evocation/Evocation.docc")
      .appendingPathComponent(page)
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    rows = lines.filter { $0.hasPrefix("| ") }.map { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (Self.code(in: cells.first ?? ""), cells.dropFirst().joined(separator: "|"))
    }
  }

  /// What apps had: each piece of code, and each word in it, if something stands beside it.
  var formerNames: Set<String> {
    rows.filter { !$0.present.isEmpty }.reduce(into: []) { names, row in
      names.formUnion(row.former)
      names.formUnion(row.former.flatMap { Self.words(in: $0) })
    }
  }

  /// The words in the code that apps write now.
  var presentNames: Set<String> {
    Set(rows.flatMap { Self.code(in: $0.present) }.flatMap { Self.words(in: $0) })
  }

  /// The words of all Swift files in a folder.
  static func words(inFolder folder: String) throws -> Set<String> {
    let files = FileManager.default.enumerator(
      at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    return try (files?.allObjects ?? []).reduce(into: []) { words, file in
      guard let file = file as? URL, file.pathExtension == "swift" else { return }
      words.formUnion(Self.words(in: try String(contentsOf: file, encoding: .utf8)))
    }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func code(in cell: String) -> [String] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func words(in code: String) -> [String] {
    code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}
