import Evocation

final class NoteArchive: CallbackRepository {
  private let drawer = Drawer()

  func find(criteria: Criteria?, completion: @escaping Completion<[Note]>) {
    let folder = criteria?["folder"] as? String
    drawer.open { notes in
      let found = notes.values.filter { folder == nil || $0.folder == folder }
      completion(.init(data: found.sorted { $0.id < $1.id }))
    }
  }

  func findOne(criteria: Criteria?, completion: @escaping Completion<Note>) {
    find(criteria: criteria) { completion(.init(data: $0.data?.first, error: $0.error)) }
  }

  func store(models: [Note], completion: @escaping Completion<[Note]>) {
    drawer.open { notes in
      let known = models.filter { notes[$0.id] != nil }
      guard known.isEmpty else {
        return completion(.init(error: EvocationError.alreadyExists(known.map { "\($0.id)" })))
      }
      for note in models { notes[note.id] = note }
      completion(.init(data: models))
    }
  }

  func storeOne(model: Note, completion: @escaping Completion<Note>) {
    store(models: [model]) { completion(.init(data: $0.data?.first, error: $0.error)) }
  }

  func update(models: [Note], completion: @escaping Completion<[Note]>) {
    drawer.open { notes in
      let known = models.filter { notes[$0.id] != nil }
      for note in known { notes[note.id] = note }
      completion(.init(data: known))
    }
  }

  func updateOne(model: Note, completion: @escaping Completion<Note>) {
    update(models: [model]) { completion(.init(data: $0.data?.first, error: $0.error)) }
  }

  func remove(models: [Note], completion: @escaping Completion<[Note]>) {
    drawer.open { notes in
      completion(.init(data: models.compactMap { notes.removeValue(forKey: $0.id) }))
    }
  }

  func storeOrUpdate(models: [Note], completion: @escaping Completion<[Note]>) {
    drawer.open { notes in
      for note in models { notes[note.id] = note }
      completion(.init(data: models))
    }
  }
}
