import Foundation

/// A folder for database files, which goes when it is let go.
final class Scratch: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "evocation-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a file in it.
  func path(_ name: String = "items") -> String {
    folder.appending(path: "\(name).sqlite").path
  }
}
