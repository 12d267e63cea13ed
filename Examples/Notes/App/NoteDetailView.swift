import Evocation
import Foundation
import NotesModel
import SwiftUI

/// One note, which changes on the screen when it changes on the device.
struct NoteDetailView: View {
  private let notebook: Notebook
  @State private var found: ObservedModels<Note>
  @State private var isEditing = false

  init(_ notebook: Notebook, _ id: Note.ID) {
    self.notebook = notebook
    _found = State(initialValue: notebook.note(id))
  }

  var body: some View {
    if let note = found.models.first {
      ScrollView {
        Text(note.text).frame(maxWidth: .infinity, alignment: .leading).padding()
      }
      .navigationTitle(note.title)
      .toolbar {
        ToolbarItem(placement: .primaryAction) {
          Button("Edit") { isEditing = true }
        }
      }
      .navigationDestination(isPresented: $isEditing) {
        NoteEditor(NoteDraft(notebook, editing: note))
      }
    } else if found.result != nil {
      ContentUnavailableView("This note was removed", systemImage: "note.text")
    }
  }
}
