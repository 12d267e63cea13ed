#if DEBUG
  import Evocation
  import EvocationSQLite
  import NotesModel
  import SwiftUI

  /// The screens with notes in memory, without a server and a file.
  struct NotesPreviews: PreviewProvider {
    static var previews: some View {
      if let notebook = try? notebook() {
        NoteListView(notebook).previewDisplayName("List")
        NavigationStack { NoteEditor(NoteDraft(notebook, editing: notes.first)) }
          .previewDisplayName("Editor")
        NavigationStack { SignOutView(notebook) }.previewDisplayName("Sign out")
      }
    }

    private static let notes = [
      Note(title: "Harbour", text: "The ferry leaves at seven."),
      Note(title: "Market", text: "Bread, plums, a jar of honey."),
    ]

    private static func notebook() throws -> Notebook {
      try Notebook(remote: InMemoryRepository(notes), local: Notebook.local(.inMemory()))
    }
  }
#endif
