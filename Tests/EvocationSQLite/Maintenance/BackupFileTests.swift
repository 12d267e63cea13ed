import Foundation
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite struct BackupFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    (ENOSPC, SQLiteError.Code.full), (EDQUOT, .full), (EIO, .diskFailed), (EMFILE, .cannotOpen),
    (EXDEV, .cannotOpen),
  ])
  func `A copy that the system refuses is told with the system's reason`(
    number: Int32, code: SQLiteError.Code
  ) throws {
    let path = folder.path()
    let error = try BackupFile(path).refusal(number)
    #expect(error.code == code)
    #expect(error.description.hasPrefix("Writing the backup in \"\(path)\" failed: "))
    #expect(error.description.contains("disk is full") == (code == .full))
    #expect(error.description.contains("cannot write the file") == (number == EXDEV))
  }

  @Test func `A copy whose folder is gone is told as that, and leaves nothing`() throws {
    let folder = try TemporaryFolder()
    let file = try BackupFile(folder.path())
    try Data([1]).write(to: URL(filePath: file.temporary.path))
    try FileManager.default.removeItem(at: folder.url)
    let error = #expect(throws: SQLiteError.self) { try file.publish() }
    #expect(
      error?.description == "Writing the backup in \"\(folder.path())\" failed: the system cannot "
        + "write the file: No such file or directory.")
  }
}
