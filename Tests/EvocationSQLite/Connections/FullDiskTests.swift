import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

import class Fixtures.ChildProcess

@testable import SQLiteSupport

@Suite(.patient) struct FullDiskTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  @Test func `A store that the database has no room for keeps nothing, and a later one fits`()
    async throws
  {
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store([Car(id: 1, name: "a")])
    try await database.write { _ = try $0.execute("PRAGMA max_page_count = 20") }
    let many = (2..<500).map { Car(id: $0, name: String(repeating: "x", count: 500)) }
    let error = await #expect(throws: SQLiteError.self) { try await cars.store(many) }
    #expect(error?.code == .full)
    #expect(
      error?.description
        == "Writing the table \"car\" in \"\(path)\" failed: the disk is full; free "
        + "space and try again.")
    #expect(try await cars.find(Criteria()).value.map(\.id) == [1])
    try await cars.store([Car(id: 2, name: "b")])
    try await database.write { _ = try $0.execute("PRAGMA max_page_count = 20000") }
    try await cars.storeOrUpdate(many)
    #expect(try await cars.find(Criteria()).value.count == 499)
    #expect(try await database.check().isEmpty)
  }

  #if os(macOS) || os(Linux)
    @Test func `A file that the system lets grow no further is full`() async throws {
      let text = try await Child.shell(
        "ulimit -f 1024; trap '' XFSZ; exec \"$0\" fill \"$1\"", path
      ).text
      let lines = text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasSuffix("failed: the disk is full; free space and try again.") == true)
      #expect(lines.last == "kept all: true")
      // Here there is room.
      let database = try SQLiteDatabase(path: path)
      #expect(try await database.check().isEmpty)
      try await database.write { _ = try $0.execute("INSERT INTO note VALUES (-1, 'fits')") }
    }
  #endif

  #if os(Linux)
    @Test func `A disk that is full is told, and used again once there is room`() async throws {
      let text = try await Child.shell(
        """
        exec unshare --mount --map-root-user sh -c '
          mount -t tmpfs -o size=1m none "$1" || exit 1
          head -c 500000 /dev/zero >"$1/x.ballast"
          exec "$0" fill "$1/x"
        ' "$0" "$1"
        """, folder.url.path
      ).text
      let lines = text.split(separator: "\n")
      guard lines.count > 1 else {
        print("Not tested, because no file system can be mounted here: \(text)")
        return
      }
      #expect(lines.first?.hasSuffix("failed: the disk is full; free space and try again.") == true)
      #expect(lines.dropFirst() == ["kept all: true", "goes on: true", "problems: []"])
    }
  #endif
}
