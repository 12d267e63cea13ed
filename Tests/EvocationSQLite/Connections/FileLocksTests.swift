import Foundation
import Testing

@testable import EvocationSQLite

/// A process that closes a file lets go of every lock that it has on it, those of SQLite too.
@Suite struct FileLocksTests {
  /// What opens a file beside SQLite, and why that is no file that it has open.
  private static let known: [String: [String]] = [
    // A file of a name of its own.
    "SystemFailure.swift": ["open(probe"],
    // The folder, and a copy that no other connection has.
    "BackupFile.swift": ["open(path"],
    // Before the process opens the first connection to it.
    "SQLiteDatabase.Configuration.FileProtection.swift": ["setAttributes([.protectionKey"],
  ]

  @Test func `No source opens a database's file beside SQLite`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/EvocationSQLite").standardized
    let files = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var found: [String: [String]] = [:]
    for case let file as URL in files where file.pathExtension == "swift" {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let code = lines.filter {
        !$0.drop(while: \.isWhitespace).hasPrefix("//") && !$0.contains("func open(")
          && !$0.contains("Connection.open(")
      }
      let calls =
        #/(?:^|\W)((?:open\((?![.)])|fopen|FileHandle\(|setAttributes\(|contents\(atPath|Data\(contentsOf|copyItem|createFile|makeFileSystemObjectSource)[\w\[.]*)/#
      let opening = code.flatMap { line in line.matches(of: calls).map { String($0.output.1) } }
      if !opening.isEmpty { found[file.lastPathComponent] = opening }
    }
    #expect(found == Self.known)
  }

  @Test func `A file's protection is what Apple's SQLite calls so`() {
    let flags = SQLiteDatabase.Configuration.FileProtection.allCases.map { ($0, $0.openFlag) }
    #expect(flags.map(\.1) == [0x0010_0000, 0x0020_0000, 0x0030_0000, 0x0040_0000])
    #expect(
      flags.map(\.0) == [
        .complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication, .none,
      ])
  }

  @Test func `Only before its first connection may a file be opened beside SQLite`() {
    let files = OpenFiles()
    var count = 0
    do {
      let first = files.claim("a") { count += 1 }
      let second = files.claim("a") { count += 1 }
      withExtendedLifetime((first, second)) {}
    }
    #expect(count == 1)
    withExtendedLifetime(files.claim("a") { count += 1 }) {}
    #expect(count == 2)
  }
}
