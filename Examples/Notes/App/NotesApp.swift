import Foundation
import NotesModel
import SwiftUI

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
#endif

/// Notes that are written with and without a connection.
@main
struct NotesApp: App {
  @State private var notebook = Result { try Notebook(server: server(), file: file()) }

  var body: some Scene {
    WindowGroup {
      switch notebook {
      case .success(let notebook): NoteListView(notebook).onAppear { Self.comeForward() }
      case .failure(let error):
        ContentUnavailableView(
          "Your notes cannot be opened", systemImage: "externaldrive.badge.exclamationmark",
          description: Text(error.localizedDescription))
      }
    }
  }

  /// Returns the server in the environment's `NOTES_SERVER`, or one on this device.
  private static func server() throws -> URL {
    let text = ProcessInfo.processInfo.environment["NOTES_SERVER"] ?? "http://127.0.0.1:8080"
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }

  private static func file() throws -> String {
    let files = FileManager.default
    let folder = try files.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    ).appending(path: "EvocationNotes")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: "notes.sqlite").path
  }

  /// `swift run` starts the app without a bundle, and macOS then leaves it behind other windows.
  private static func comeForward() {
    #if canImport(AppKit) && !targetEnvironment(macCatalyst)
      NSApplication.shared.setActivationPolicy(.regular)
      NSApplication.shared.activate()
    #endif
  }
}
