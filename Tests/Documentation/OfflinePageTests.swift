import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The samples of the page on the outbox, word for word.
@Suite(.patient) struct OfflinePageTests {
  struct Note: Codable, Identifiable, Hashable, Sendable {
    var id = UUID()
    var text: String
  }

  struct Remark: Codable, Identifiable, Hashable, Sendable {
    var id = UUID()
    var noteID: UUID
    var text: String
  }

  /// What a service says to a text that is too long.
  struct TooLong: ClassifiedError {
    var failureKind: FailureKind { .permanent }
    var serviceWords: ServiceWords? {
      ServiceWords(status: 422, fields: ["text": ["At most 10 letters."]])
    }
  }

  /// What a form shows above its fields and below each.
  private struct Form {
    var message: String?
    var errors: [String: String] = [:]
  }

  private let note = Note(text: "a")
  private let notes = InMemoryRepository<Note>()

  /// An app that sends when it is told to.
  private func app(_ service: some Repository<Note>) -> Evocation {
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Note.self)
      .repository(remote: service).repository(local: notes).strategy(.offlineFirst)
    return evocation
  }

  @Test func `a model type is registered for the outbox`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "notes.sqlite").path
    let service = HTTPService(try #require(URL(string: "https://example.com")))
    let database = try SQLiteDatabase(path: path)
    try Evocation.shared.register(
      Note.self, remote: HTTPRepository(service, "notes"), local: SQLiteRepository(database),
      strategy: .offlineFirst)
    Evocation.shared.unregister(Note.self)
  }

  @Test func `a strategy of one's own sends by the outbox`() throws {
    let outbox = Strategy.Rule(target: .local, synchronize: .outbox)
    let reads = Strategy.Rule(target: .remote, fallback: .local, synchronize: .mirror)
    let strategy = try Strategy(rules: [
      .find: reads, .findOne: reads,
      .store: outbox, .storeOne: outbox,
      .update: outbox, .updateOne: outbox,
      .remove: outbox, .removeOne: outbox,
    ])
    #expect(strategy.explain().warnings.isEmpty)
  }

  @Test func `a write that can wait lets others pass`() async throws {
    let evocation = app(InMemoryRepository([note]))
    _ = try await notes.store([note])
    do {
      let receipts = Strategy.Rule(target: .local, synchronize: .outbox, priority: .utility)
      _ = await evocation.updateOne(note, rule: receipts)
    }
    #expect(try await evocation.outbox.entries(of: Note.self).map(\.priority) == [.utility])
  }

  @Test func `a write is answered, pending, seen and sent`() async throws {
    let service = InMemoryRepository<Note>()
    let evocation = app(service)
    do {
      let result = await evocation.storeOne(note)
      if let error = result.error { print("Not saved:", error) }
      if result.isPending { print("Saved, and will be sent") }
      #expect(result.isPending && result.error == nil)
    }
    let note = note
    let tasks = [
      Task {
        for await status in evocation.outbox.observe() {
          print(status.pending, status.parked, status.isSending, status.pause == .offline)
        }
      },
      Task {
        for await states in evocation.outbox.syncStates(of: Note.self) {
          switch states[note.id] {
          case nil: print("sent")
          case .pending: print("waits")
          case .parked(let reason): print("refused:", reason)
          }
        }
      },
      Task {
        for await event in evocation.outbox.events() {
          guard case .parked(let subject) = event else { continue }
          print(subject.model, subject.modelID, "was refused:", subject.reason)
        }
      },
    ]
    defer { for task in tasks { task.cancel() } }
    let result = await evocation.outbox.flush(deadline: .seconds(20))
    print(result.sent, "sent,", result.left, "left,", result.parked, "refused")
    if let reason = result.reason { print(reason) }
    #expect(result == .init(sent: 1, left: 0, parked: 0))
    #expect(try await service.find(Criteria()).value == [note])
  }

  @Test @MainActor func `a view shows the outbox`() async throws {
    let evocation = app(InMemoryRepository<Note>())
    _ = await evocation.storeOne(note)
    let outbox = ObservedOutbox(evocation.outbox)
    print(outbox.status.pending, "to be sent,", outbox.status.parked, "refused")
    try await eventually("the entry in the status") { outbox.status.pending > 0 }
    #expect(outbox.status.parked == 0)
  }

  @Test func `what is parked is edited and sent again, or discarded`() async throws {
    let service = RepositoryMock<Note> { call in
      guard case .storeOne(let note) = call else { return [] }
      guard note.text.count <= 10 else { throw TooLong() }
      return [note]
    }
    let evocation = app(service)
    let note = Note(text: "much longer than it may be")
    _ = await evocation.storeOne(note)
    #expect(await evocation.outbox.flush().parked == 1)
    var form = Form()
    for entry in try await evocation.outbox.entries(of: Note.self, id: note.id) {
      guard let failure = entry.failure else { continue }
      form.message = failure.message ?? "The server refused this change."
      for (field, texts) in failure.fields { form.errors[field] = texts.joined(separator: " ") }
    }
    #expect(form.message == "The server refused this change.")
    #expect(form.errors == ["text": "At most 10 letters."])
    for entry in try await evocation.outbox.parked(Note.self) {
      print(entry.kind, entry.model.text, entry.failure?.reason ?? "")
      var shorter = entry.model
      shorter.text = String(entry.model.text.prefix(10))
      try await evocation.outbox.resend(entry, as: shorter)
    }
    #expect(await evocation.outbox.flush() == .init(sent: 1, left: 0, parked: 0))
    #expect(try await notes.find(Criteria()).value.map(\.text) == ["much longe"])
    var edited = note
    edited.text = "b"
    _ = await evocation.updateOne(edited)
    try await evocation.outbox.discard(note)
    #expect(try await notes.find(Criteria()).value.map(\.text) == ["much longe"])
  }

  @Test func `a conflict is resolved by the app`() async throws {
    let service = InMemoryRepository([Note(id: note.id, text: "theirs")])
    let evocation = app(service)
    let proxy = try evocation.proxy(for: Note.self)
    proxy.conflicts { conflict in
      guard let theirs = conflict.theirs else { return .mine }
      if conflict.kind == .remove || theirs == conflict.base { return .mine }
      return .merged(Note(id: theirs.id, text: theirs.text + "\n" + conflict.mine.text))
    }
    _ = await evocation.storeOne(note)
    #expect(await evocation.outbox.flush(deadline: .seconds(20)).left == 0)
    #expect(try await service.find(Criteria()).value.map(\.text) == ["theirs\na"])
  }

  @Test func `a model that refers to another is sent after it`() async throws {
    let service = InMemoryRepository<Note>()
    let evocation = app(service)
    let remarks = RepositoryMock<Remark> { call in
      guard case .storeOne(let remark) = call else { return [] }
      let sent = try await service.find(["id": remark.noteID]).value
      #expect(sent.count == 1)
      return [remark]
    }
    try evocation
      .register(Remark.self, remote: remarks, local: InMemoryRepository(), strategy: .offlineFirst)
      .sends(after: Note.self, by: \.noteID)
    _ = await evocation.storeOne(note)
    _ = await evocation.storeOne(Remark(noteID: note.id, text: "b"))
    #expect(await evocation.outbox.flush(deadline: .seconds(20)).left == 0)
    #expect(remarks.calls.count == 1)
  }

  @Test func `what a registration declares is there with it, and the next registration keeps it`()
    async throws
  {
    let (service, database) = (InMemoryRepository<Note>(), try SQLiteDatabase.inMemory())
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    let remarks = RepositoryMock<Remark> { call in
      guard case .storeOne(let remark) = call else { return [] }
      let sent = try await service.find(["id": remark.noteID]).value
      #expect(sent.count == 1)
      return [remark]
    }
    func open(_ declares: Bool) throws {
      try evocation.register(
        Note.self, remote: service, local: SQLiteRepository(database), strategy: .offlineFirst)
      guard declares else {
        try evocation.register(
          Remark.self, remote: remarks, local: SQLiteRepository(database), strategy: .offlineFirst)
        return
      }
      try evocation.register(
        Remark.self, remote: remarks, local: SQLiteRepository(database), strategy: .offlineFirst
      ) { remark in
        remark.sends(after: Note.self, by: \.noteID).conflicts { try .mergedByFields($0) }
      }
    }
    try open(true)
    try open(false)
    evocation.unregister(Remark.self)
    try open(false)
    let note = Note(text: "a")
    _ = await evocation.storeOne(note)
    _ = await evocation.storeOne(Remark(noteID: note.id, text: "b"))
    #expect(await evocation.outbox.flush(deadline: .seconds(20)).left == 0)
    #expect(remarks.calls.contains { if case .storeOne = $0 { true } else { false } })
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try evocation.register(
        Remark.self, remote: remarks, local: SQLiteRepository(database), strategy: .offlineFirst
      ) { _ in throw Refused() }
    }
  }

  @Test func `a screen stays on a model whose id the server makes`() async throws {
    struct Draft: Codable, Identifiable, Sendable {
      let id: Int
      let title: String
    }
    let service = RepositoryMock<Draft> { call in
      guard case .storeOne(let draft) = call else { return [] }
      return [Draft(id: 7, title: draft.title)]
    }
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Draft.self).repository(remote: service)
      .repository(local: InMemoryRepository<Draft>()).strategy(.offlineFirst)
    let (shown, continuation) = AsyncStream.makeStream(of: Int?.self)
    let show: @Sendable (Draft?) -> Void = { continuation.yield($0?.id) }
    let screen = Task {
      let draft = Draft(id: .temporary(), title: "a")
      _ = await evocation.storeOne(draft)
      for await result in evocation.observe(Draft.self, id: draft.id) { show(result.data) }
    }
    var ids = shown.makeAsyncIterator()
    #expect(try #require(await ids.next() ?? nil) < 0)
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(await ids.next() == 7)
    screen.cancel()
  }

  @Test func `several writes are made as one`() async throws {
    let (service, remarks) = (InMemoryRepository([note]), InMemoryRepository<Remark>())
    let evocation = app(service)
    evocation.register(for: Remark.self).repository(remote: remarks)
      .repository(local: InMemoryRepository<Remark>()).strategy(.offlineFirst)
    _ = try await notes.store([note])
    let delivery = try await evocation.together { writes in
      try await writes.updateOne(note)
      try await writes.storeOne(Remark(noteID: note.id, text: "b"))
    }
    #expect(await evocation.outbox.flush(deadline: .seconds(20)).sent == 2)
    #expect(await delivery.value() == .delivered)
    #expect(try await remarks.find(Criteria()).value.map(\.text) == ["b"])
  }

  @Test func `the app says whether there is a connection`() throws {
    let health = try #require(URL(string: "http://127.0.0.1:9/health"))
    let connectivity = ProbedConnectivity(every: .seconds(30)) {
      (try? await URLSession.shared.data(from: health)) != nil
    }
    let evocation = Evocation(configuration: .init(outbox: .init(connectivity: connectivity)))
    evocation.unregister(Note.self)
  }

  @Test func `signing out is refused while something is unsent`() async throws {
    let evocation = app(InMemoryRepository<Note>())
    _ = await evocation.storeOne(note)
    do {
      try await evocation.outbox.settle(.block)
    } catch EvocationError.unsentWrites(let count) {
      print(count, "changes were not sent; sign out all the same?")
    }
    await #expect(throws: EvocationError.unsentWrites(1)) {
      try await evocation.outbox.settle(.block)
    }
    try await evocation.outbox.settle(.discard)
    #expect(try await evocation.outbox.status().pending == 0)
  }
}
