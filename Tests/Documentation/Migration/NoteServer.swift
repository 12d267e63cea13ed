/// A service that keeps notes, and can be down.
actor NoteServer {
  private var notes: [Int: Note] = [:]
  private var isUp = true

  init(_ notes: [Note]) {
    self.notes = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0) })
  }

  func goDown() {
    isUp = false
  }

  func notes(in folder: String?) throws -> [Note] {
    try answer()
    return notes.values.filter { folder == nil || $0.folder == folder }.sorted { $0.id < $1.id }
  }

  func put(_ new: [Note], onlyKnown: Bool = false) throws -> [Note] {
    try answer()
    let put = onlyKnown ? new.filter { notes[$0.id] != nil } : new
    for note in put { notes[note.id] = note }
    return put
  }

  func delete(_ old: [Note]) throws -> [Note] {
    try answer()
    return old.compactMap { notes.removeValue(forKey: $0.id) }
  }

  private func answer() throws {
    guard isUp else { throw Offline() }
  }
}
