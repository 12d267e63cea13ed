import Foundation

/// A folder for database files, which is removed when the object is released.
final class Scratch: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "evocation-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns the path of a file in it.
  func path(_ name: String = "items") -> String {
    folder.appending(path: "\(name).sqlite").path
  }
}
