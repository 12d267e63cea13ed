import Foundation
import Synchronization

/// A folder for database files, which is removed when the object is released or the process ends.
final class Scratch: Sendable {
  private static let folders = Mutex<Set<URL>>([])
  private static let removesAtExit: Void = {
    // What suites keep for all their rounds is never released.
    atexit { for folder in Scratch.folders.withLock({ $0 }) { Scratch.remove(folder) } }
  }()

  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "evocation-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Self.removesAtExit
    Self.folders.withLock { [folder] in _ = $0.insert(folder) }
  }

  deinit {
    Self.folders.withLock { [folder] in _ = $0.remove(folder) }
    Self.remove(folder)
  }

  /// Returns the path of a file in it.
  func path(_ name: String = "items") -> String {
    folder.appending(path: "\(name).sqlite").path
  }

  private static func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }
}
