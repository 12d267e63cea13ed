import Evocation
import NotesModel
import SwiftUI

/// The changes that the server has refused: the user sends each again, corrects it, or discards it.
struct ParkedView: View {
  private let notebook: Notebook
  @State private var parked: ParkedNotes

  init(_ notebook: Notebook) {
    self.notebook = notebook
    _parked = State(initialValue: ParkedNotes(notebook))
  }

  var body: some View {
    List {
      if let error = parked.error { ErrorText(error) }
      ForEach(parked.entries) { entry in
        Section(entry.model.title) {
          Text(entry.failure?.explanation ?? "")
          if entry.kind != .remove {
            NavigationLink("Edit") { NoteEditor(NoteDraft(notebook, correcting: entry)) }
          }
          Button("Send again") { Task { await parked.retry(entry) } }
          Button("Discard the change", role: .destructive) {
            Task { await parked.discard(entry) }
          }
        }
      }
    }
    .navigationTitle("Refused changes")
    .task { await parked.follow() }
  }
}
