import Evocation
import NotesModel
import SwiftUI

/// All notes, or those that a search finds.
struct NoteListView: View {
  private let notebook: Notebook
  @Bindable private var conflicts: ConflictQuestions
  @State private var notes: ObservedModels<Note>
  @State private var search: NoteSearch
  @State private var unsent: [Note.ID: Outbox.SyncState] = [:]
  @State private var refusal: String?
  @State private var isWriting = false
  @State private var isSigningOut = false

  init(_ notebook: Notebook) {
    self.notebook = notebook
    _conflicts = Bindable(notebook.conflicts)
    _notes = State(initialValue: notebook.notes())
    _search = State(initialValue: NoteSearch(notebook))
  }

  var body: some View {
    NavigationStack {
      List {
        OfflineBadge(notebook)
        if let error = refusal ?? notes.error?.localizedDescription { ErrorText(error) }
        ForEach(shown) { note in
          NavigationLink {
            NoteDetailView(notebook, note.id)
          } label: {
            NoteRow(note: note, state: unsent[note.id])
          }
        }
        .onDelete { rows in remove(rows.map { shown[$0] }) }
      }
      .overlay { if shown.isEmpty { nothing } }
      .searchable(text: $search.text, prompt: "Search on this device")
      .refreshable { await notes.refresh() }
      .navigationTitle("Notes")
      .toolbar { buttons }
      .navigationDestination(isPresented: $isWriting) { NoteEditor(NoteDraft(notebook)) }
      .navigationDestination(isPresented: $isSigningOut) { SignOutView(notebook) }
      .task { await followUnsent() }
    }
    .sheet(item: $conflicts.current) { question in
      ConflictDialog(question: question) { conflicts.answer($0) }
    }
  }

  private var shown: [Note] { search.text.isEmpty ? notes.models : search.results.models }

  @ViewBuilder private var nothing: some View {
    if !search.text.isEmpty {
      ContentUnavailableView.search(text: search.text)
    } else if notes.isFetching {
      ProgressView().accessibilityLabel("Fetching your notes")
    } else {
      ContentUnavailableView("No notes yet", systemImage: "note.text")
    }
  }

  @ToolbarContentBuilder private var buttons: some ToolbarContent {
    ToolbarItem(placement: .primaryAction) {
      Button("New note", systemImage: "square.and.pencil") { isWriting = true }
    }
    ToolbarItem(placement: .automatic) {
      Button("Sign out", systemImage: "rectangle.portrait.and.arrow.right") {
        isSigningOut = true
      }
    }
  }

  private func remove(_ notes: [Note]) {
    Task { refusal = await notebook.remove(notes) }
  }

  private func followUnsent() async {
    for await states in notebook.evocation.outbox.syncStates(of: Note.self) { unsent = states }
  }
}

/// A row of the list, which says whether the server has the note.
struct NoteRow: View {
  let note: Note
  let state: Outbox.SyncState?

  var body: some View {
    HStack {
      VStack(alignment: .leading) {
        Text(note.title.isEmpty ? "Untitled" : note.title).font(.headline)
        Text(note.text).lineLimit(1).foregroundStyle(.secondary)
      }
      Spacer()
      switch state {
      case .pending: Image(systemName: "arrow.up.circle").accessibilityLabel("Not sent yet")
      case .parked: Image(systemName: "exclamationmark.circle").accessibilityLabel("Refused")
      case nil: EmptyView()
      }
    }
    .accessibilityElement(children: .combine)
  }
}

/// A sentence about what went wrong.
struct ErrorText: View {
  let text: String

  init(_ text: String) { self.text = text }

  var body: some View {
    Label(text, systemImage: "exclamationmark.triangle")
      .foregroundStyle(.red)
      .accessibilityLabel("Error: \(text)")
  }
}
