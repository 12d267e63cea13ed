import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

/// In which order writes go whose models refer to each other.
@Suite(.patient) struct OutboxOrderTests {
  private struct Press: Codable, Identifiable, Sendable, Hashable {
    var id: Int
  }

  private struct Author: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var press: Int?
  }

  private struct Book: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var author: Int
    var title = ""
  }

  /// What came to any of the services, in order.
  private let arrived: Lock<[String]>
  private let presses: ScriptedService<Press>
  private let authors: ScriptedService<Author>
  private let books: ScriptedService<Book>
  private let localAuthors = InMemoryRepository<Author>()
  private let localBooks = InMemoryRepository<Book>()

  init() {
    let arrived = Lock<[String]>([])
    let books = ScriptedService<Book> { request, _ in
      arrived.withLock { $0.append("\(request.kind) book") }
      return nil
    }
    (self.arrived, self.books) = (arrived, books)
    authors = ScriptedService { request, _ in
      arrived.withLock { $0.append("\(request.kind) author") }
      // As by a foreign key of its own.
      if request.kind == .remove, try await books.all.contains(where: { $0.author == 1 }) {
        throw Refused(.permanent)
      }
      return nil
    }
    presses = ScriptedService { _, _ in throw Refused(.permanent) }
  }

  private func register(_ evocation: Evocation = .flushedByHand()) -> Evocation {
    evocation.register(for: Press.self).repository(remote: presses)
      .repository(local: InMemoryRepository<Press>()).strategy(.offlineFirst)
    evocation.register(for: Author.self).repository(remote: authors)
      .repository(local: localAuthors).strategy(.offlineFirst)
      .sends(after: Press.self, by: \.press)
    evocation.register(for: Book.self).repository(remote: books).repository(local: localBooks)
      .strategy(.offlineFirst).sends(after: Author.self, by: \.author)
    return evocation
  }

  @Test func `a model is removed after those that refer to it, as the app removed them`()
    async throws
  {
    let evocation = register()
    let (author, book) = (Author(id: 1), Book(id: 1, author: 1))
    for repository in [authors.models, localAuthors] { _ = try await repository.store([author]) }
    for repository in [books.models, localBooks] { _ = try await repository.store([book]) }
    _ = await evocation.removeOne(book)
    _ = await evocation.removeOne(author)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(arrived.withLock { $0 } == ["remove book", "remove author"])
    #expect(try await authors.all.isEmpty)
  }

  @Test func `a removal waits for nothing that its model refers to`() async throws {
    let evocation = register()
    let (author, book) = (Author(id: 1), Book(id: 1, author: 1))
    _ = try await books.models.store([book])
    _ = try await localBooks.store([book])
    // It waits for a press that is refused.
    _ = await evocation.storeOne(Press(id: 1))
    _ = await evocation.storeOne(Author(id: author.id, press: 1))
    _ = await evocation.removeOne(book)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 1, parked: 1))
    #expect(arrived.withLock { $0 } == ["remove book"])
  }

  /// How the app has the book refer to a third author while a write of the second may have arrived.
  enum Change: CaseIterable { case update, resend }

  /// Where the author that is removed refers to a press that was stored since, the removal stays where
  /// the author's own write is, unless something is known to refer to the author.
  @Test(arguments: Change.allCases, [false, true])
  func `a model is removed after the write that leaves it, whatever became of those before that`(
    change: Change, hasPress: Bool
  ) async throws {
    let (evocation, arrived, gate) = (register(), arrived, Gate())
    let theirs = Book(id: 1, author: 1, title: "theirs")
    let books = ScriptedService([Book(id: 1, author: 1)]) { request, models in
      guard request.model.author == 3 else {
        _ = try await models.update([theirs])
        throw Refused(.transient)
      }
      arrived.withLock { $0.append("\(request.kind) book") }
      try await gate.pass()
      return nil
    }
    try evocation.proxy(for: Book.self).repository(remote: books).conflicts { _ in .theirs }
    _ = try await localBooks.store([Book(id: 1, author: 1)])
    let all = (1...3).map { Author(id: $0) }
    for repository in [authors.models, localAuthors] { _ = try await repository.store(all) }
    _ = await evocation.updateOne(Book(id: 1, author: 2))
    #expect(await evocation.outbox.flush().left == 1)
    _ = await evocation.updateOne(Author(id: 1, press: hasPress ? 1 : nil))
    if hasPress { _ = await evocation.storeOne(Press(id: 1)) }
    switch change {
    case .update: _ = await evocation.updateOne(Book(id: 1, author: 3))
    case .resend:
      let entry = try #require(try await evocation.outbox.entries(of: Book.self).first)
      try await evocation.outbox.resend(entry, as: Book(id: 1, author: 3))
    }
    _ = await evocation.removeOne(all[0])
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(1))
    for _ in 0..<1_000 { await Task.yield() }
    #expect(!arrived.withLock { $0.contains("remove author") })
    gate.open()
    #expect(await flush.value.left == 0)
    #expect(arrived.withLock { $0.suffix(2) } == ["update book", "remove author"])
  }

  @Test func `what waited for a write that was taken back before it left is sent by itself`()
    async throws
  {
    let evocation = register(Evocation(configuration: .init(clock: ManualClock())))
    _ = await evocation.storeOne(Press(id: 1))
    _ = await evocation.storeOne(Author(id: 1, press: 1))
    _ = await evocation.storeOne(Book(id: 1, author: 1))
    _ = await evocation.outbox.observe().first {
      $0.parked == 1 && $0.pending == 2 && !$0.isSending
    }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 2, parked: 1))
    #expect(!(await evocation.removeOne(Author(id: 1, press: 1)).isPending))
    try await eventually("the book to be sent") { books.requests.count == 1 }
    #expect(arrived.withLock { $0 } == ["store book"])
  }
}

/// Two model types of one name, each in a store of its own.
private enum Home {
  struct Item: Codable, Identifiable, Sendable, Hashable {
    var id: Int
  }
}

private enum Work {
  struct Item: Codable, Identifiable, Sendable, Hashable {
    var id: Int
  }
}

private struct Label: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var item: Int
}

extension OutboxOrderTests {
  @Test(arguments: [true, false])
  func `nothing waits for a model of another type that has the same name and id`(
    isFirst: Bool
  ) async throws {
    let refusing = ScriptedService<Work.Item>(service: "work") { _, _ in
      throw Refused(.permanent)
    }
    let labels = ScriptedService<Label>(service: "labels")
    let evocation = Evocation.flushedByHand()
    func registerHome() {
      evocation.register(for: Home.Item.self)
        .repository(remote: ScriptedService<Home.Item>(service: "home"))
        .repository(local: InMemoryRepository<Home.Item>()).strategy(.offlineFirst)
    }
    if isFirst { registerHome() }
    evocation.register(for: Work.Item.self).repository(remote: refusing)
      .repository(local: InMemoryRepository<Work.Item>()).strategy(.offlineFirst)
    if !isFirst { registerHome() }
    evocation.register(for: Label.self).repository(remote: labels)
      .repository(local: InMemoryRepository<Label>()).strategy(.offlineFirst)
      .sends(after: Home.Item.self, by: \.item)
    _ = await evocation.storeOne(Work.Item(id: 1))
    #expect(await evocation.outbox.flush().parked == 1)
    _ = await evocation.storeOne(Label(id: 1, item: 1))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 1))
    #expect(labels.requests.map(\.description) == ["store 1"])
  }
}
