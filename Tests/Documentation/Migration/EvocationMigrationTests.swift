import Evocation
import Testing

/// The samples of the page for those who come from Evocation 1.0.
@Suite(.serialized) struct EvocationMigrationTests {
  @Test func `an old repository and a new one stand behind one proxy`() async throws {
    let server = NoteServer([Note(id: 1, folder: "garden", text: "Water the beans.")])
    try start(server: server)
    defer { Evocation.shared.unregister(Note.self) }
    let board = Board()

    Evocation.find(model: Note.self, criteria: ["folder": "garden"]) { result in
      if let error = result.error { return board.show("Nothing to show: \(error)") }
      let notes = result.data ?? []
      board.show("\(notes.count) notes from \(result.origin?.rawValue ?? "nowhere")")
      if let error = result.synchronizationError { board.show("Not kept: \(error)") }
    }
    #expect(await board.lines(upTo: "1 notes") == ["1 notes from remote"])

    let seed = Note(id: 2, folder: "garden", text: "Order seed.")
    let stored = await Evocation.storeOne(seed)
    #expect(stored.data == seed && stored.origin == .local)
    #expect(stored.synchronizationError == nil)
    #expect(try await server.notes(in: nil).map(\.id) == [1, 2])

    let again = await Evocation.storeOrUpdate([seed])
    #expect(again.error == nil)
    #expect(await Evocation.removeOne(seed).data == seed)

    let result = await Evocation.find(model: Note.self)
    print(result.metadata[.remote]?["server"] as? String ?? "", result.trace)
    let notes = try result.get()
    #expect(notes.map(\.id) == [1])
    #expect(result.metadata[.remote]?["server"] as? String == "notes-1")

    await server.goDown()
    let offline = await Evocation.find(model: Note.self, criteria: ["folder": "garden"])
    #expect(offline.origin == .local && offline.data == notes)
  }

  @Test func `dictionaries of anything become criteria`() throws {
    let former: [String: Any] = ["folder": "garden", "id": 1]
    let criteria = try Criteria(dictionary: former)
    #expect(criteria == ["folder": "garden", "id": 1])
  }

  private func start(server: NoteServer) throws {
    let strategy = try Strategy(rules: [
      .find: .init(target: .remote, fallback: .local, synchronize: .mirror),
      .findOne: .remoteFirst,
      .store: .localFirst, .storeOne: .localFirst,
      .update: .localFirst, .updateOne: .localFirst,
      .remove: .remoteFirst, .removeOne: .remoteFirst,
    ])

    Evocation.shared
      .register(for: Note.self)
      .repository(remote: NoteService(server: server))
      .repository(local: NoteArchive())
      .strategy(strategy)

    try Evocation.shared.proxy(for: Note.self).validate()
  }
}
