import NotesModel
import SwiftUI

/// Writes a note, a new one, or one that the server has refused.
struct NoteEditor: View {
  @State private var draft: NoteDraft
  @State private var isSaving = false
  @Environment(\.dismiss) private var dismiss

  init(_ draft: NoteDraft) { _draft = State(initialValue: draft) }

  var body: some View {
    Form {
      if let failure = draft.failure { ErrorText(failure.explanation) }
      TextField("Title", text: $draft.title)
      if let error = draft.titleError { ErrorText(error) }
      TextEditor(text: $draft.text)
        .frame(minHeight: 200)
        .accessibilityLabel("Text")
      if let error = draft.textError { ErrorText(error) }
      if let error = draft.error { ErrorText(error) }
    }
    .navigationTitle("Edit")
    .toolbar {
      ToolbarItem(placement: .confirmationAction) {
        Button("Save") { save() }.disabled(isSaving)
      }
    }
  }

  private func save() {
    isSaving = true
    Task {
      if await draft.save() { dismiss() }
      isSaving = false
    }
  }
}
