public import Evocation
import Foundation
public import Observation

/// A note while the user writes it.
///
/// It remembers the note that the user began with. If a fetch brings another state while the user
/// writes, saving replaces nothing unseen.
@MainActor @Observable
public final class NoteDraft {
  /// The title, as typed so far.
  public var title: String
  /// The text, as typed so far.
  public var text: String

  /// Why the note was not saved; nil if it was.
  public private(set) var error: String?

  /// What the server said about the change that the user corrects; nil if nobody has refused it.
  ///
  /// It comes from the file, so it is the same after a restart of the app.
  public let failure: Outbox.Failure?

  /// What the server said about the title, for the line below the field; nil if nothing.
  public var titleError: String? { failure?.fields["title"]?.joined(separator: " ") }

  /// What the server said about the text, for the line below the field; nil if nothing.
  public var textError: String? { failure?.fields["text"]?.joined(separator: " ") }

  @ObservationIgnored private let notebook: Notebook
  @ObservationIgnored private let begun: Note
  @ObservationIgnored private let entry: Outbox.Entry<Note>?
  @ObservationIgnored private let isNew: Bool

  /// Begins with a note, or with a new one.
  public convenience init(_ notebook: Notebook, editing note: Note? = nil) {
    self.init(notebook, note ?? Note(), isNew: note == nil)
  }

  /// Begins with a change that the server has refused; saving sends it again.
  public convenience init(_ notebook: Notebook, correcting entry: ParkedNotes.Entry) {
    self.init(notebook, entry.model, entry: entry)
  }

  private init(
    _ notebook: Notebook, _ note: Note, isNew: Bool = false, entry: Outbox.Entry<Note>? = nil
  ) {
    (self.notebook, begun, self.isNew, self.entry) = (notebook, note, isNew, entry)
    failure = entry?.failure
    (title, text) = (note.title, note.text)
  }

  /// Saves the note on the device; the outbox sends it.
  ///
  /// - Returns: Whether the user is done with the draft: it is saved, or given up for another state
  ///   of the note.
  public func save() async -> Bool {
    do {
      error = nil
      return try await saved(Note(id: begun.id, title: title, text: text))
    } catch {
      self.error = error.localizedDescription
      return false
    }
  }

  private func saved(_ mine: Note) async throws -> Bool {
    let evocation = notebook.evocation
    var note = mine
    if let entry {
      try await evocation.outbox.resend(entry, as: note)
      return true
    }
    // A fetch may have brought another state of the note since the user began to write.
    let present =
      isNew ? begun : try await evocation.findOne(Note.self, id: mine.id, rule: .localOnly)
    if present != begun {
      let conflict = Outbox.Conflict(kind: .update, base: begun, mine: mine, theirs: present)
      switch try await notebook.conflicts.resolution(of: conflict) {
      case .mine: break
      case .merged(let merged): note = merged
      case .theirs: return true
      case .park: return false
      }
    }
    _ = try await evocation.storeOrUpdate([note]).get()
    return true
  }
}
