import Evocation

/// A service with a version for each note, which remembers the keys of what it did.
///
/// It belongs to one simulation, and is used by its one thread.
final class Service: @unchecked Sendable {
  enum Request: Hashable, Sendable {
    case find(id: Int?)
    case store(Note)
    case update(Note)
    case storeOrUpdate(Note)
    case remove(Note)

    /// What is written; nil for a read.
    var note: Note? {
      switch self {
      case .find: nil
      case .store(let note), .update(let note), .storeOrUpdate(let note), .remove(let note): note
      }
    }

    var isRemoval: Bool { if case .remove = self { true } else { false } }
  }

  typealias Answer = Result<[Note], ServiceError>

  /// What a request did.
  struct Effect {
    let key: String
    let device: Int
    let request: Request
    let answer: [Note]
  }

  private(set) var notes: [Int: Note] = [:]
  private(set) var effects: [Effect] = []
  /// All states that a note has had, each with the step in which it began.
  private(set) var history: [Int: [(step: Int, note: Note?)]] = [:]
  /// The first id of each note whose id the service gave.
  private(set) var firstIDs: [Int: Int] = [:]
  private(set) var conflicts = 0
  private var answers: [String: [Note]] = [:]
  private var lastVersion = 0
  private var lastID = 1_000
  let options: Options

  init(_ options: Options) { self.options = options }

  /// The id that a note had first, by which all that was written to it is known.
  func firstID(_ id: Int) -> Int { firstIDs[id] ?? id }

  /// Whether it has done what has a key, or has been in the state that it asks for.
  func hasDone(_ key: String, _ entry: Outbox.Entry<Note>) -> Bool {
    if answers[key] != nil { return true }
    let states = history[entry.model.id] ?? []
    return states.contains { $0.note == (entry.kind == .remove ? nil : entry.model) }
  }

  func answer(_ request: Request, _ key: String, of device: Int, at step: Int) -> Answer {
    if case .find(let id) = request {
      let found = id.map { id in notes[id].map { [$0] } ?? [] } ?? Array(notes.values)
      return .success(found.sorted { $0.id < $1.id })
    }
    if options.honoursKeys, let answer = answers[key] { return .success(answer) }
    guard let note = request.note else { return .success([]) }
    if options.refusesSome, note.write % 13 == 0, !request.isRemoval {
      return .failure(ServiceError(failureKind: .permanent))
    }
    let present = notes[note.id]
    switch request {
    case .find: return .success([])
    case .store:
      if present != nil { return conflict(present) }
    case .update:
      guard let present else {
        return options.missingIsConflict ? conflict(nil) : .success([])
      }
      if isOld(note, present) { return conflict(present) }
    case .storeOrUpdate:
      if let present {
        if isOld(note, present) { return conflict(present) }
      } else if options.checksVersions, note.version != 0 {
        return conflict(nil)
      }
    case .remove:
      if let present, options.checksRemovals, isOld(note, present) {
        return conflict(present)
      }
    }
    return .success(act(request, note, key, device, at: step))
  }

  /// Another app's write, past the network.
  func edit(_ note: Note, at step: Int) { set(note.id, stamped(note), at: step) }
  func remove(_ id: Int, at step: Int) { set(id, nil, at: step) }

  private func act(
    _ request: Request, _ note: Note, _ key: String, _ device: Int, at step: Int
  ) -> [Note] {
    var answer: [Note] = []
    if request.isRemoval {
      if let removed = notes[note.id] {
        answer = [removed]
        set(note.id, nil, at: step)
      }
    } else {
      var kept = stamped(note)
      if note.id < 0 {
        lastID += 1
        kept.id = lastID
        firstIDs[lastID] = note.id
      }
      set(kept.id, kept, at: step)
      answer = [kept]
    }
    answers[key] = answer
    effects.append(Effect(key: key, device: device, request: request, answer: answer))
    return answer
  }

  private func stamped(_ note: Note) -> Note {
    lastVersion += 1
    var note = note
    note.version = lastVersion
    return note
  }

  private func set(_ id: Int, _ note: Note?, at step: Int) {
    notes[id] = note
    history[id, default: []].append((step, note))
  }

  private func isOld(_ note: Note, _ present: Note) -> Bool {
    options.checksVersions && note.version != present.version
  }

  private func conflict(_ present: Note?) -> Answer {
    conflicts += 1
    return .failure(
      ServiceError(failureKind: .conflict, note: options.saysCurrent ? present : nil))
  }
}
