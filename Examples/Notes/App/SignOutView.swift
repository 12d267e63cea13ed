import NotesModel
import SwiftUI

/// Signs the user out, and warns before unsent changes are lost.
struct SignOutView: View {
  @State private var request: SignOutRequest

  init(_ notebook: Notebook) { _request = State(initialValue: SignOutRequest(notebook)) }

  var body: some View {
    Form {
      switch request.phase {
      case .ready:
        Text("Signing out removes your notes from this device. The server keeps them.")
        Button("Sign out", role: .destructive) { Task { await request.signOut() } }
      case .sending:
        ProgressView("Sending your changes")
      case .unsent(let count):
        Text("\(count) changes are not sent yet, and would be lost.")
        Button("Try again") { Task { await request.signOut() } }
        Button("Sign out and lose them", role: .destructive) {
          Task { await request.signOutAnyway() }
        }
      case .signedOut:
        Text("You are signed out. This device has no notes any more.")
      case .failed(let sentence):
        ErrorText(sentence)
        Button("Try again") { Task { await request.signOut() } }
      }
    }
    .navigationTitle("Sign out")
  }
}
