import Evocation

/// The versions that the user has chosen to keep, by the ids of the notes.
actor Choices {
  private var choices: [String: Outbox.Resolution<Note>] = [:]

  func keep(_ choice: Outbox.Resolution<Note>, for id: String) {
    choices[id] = choice
  }

  /// Returns the choice for a note once.
  func take(for id: String) -> Outbox.Resolution<Note>? {
    choices.removeValue(forKey: id)
  }
}

let choices = Choices()
