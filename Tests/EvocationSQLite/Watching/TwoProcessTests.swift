#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import EvocationTesting
  import Foundation
  import TestSupport
  import TestTraits
  import Testing

  /// An app and its extension, two processes on one file.
  @Suite(.patient) struct TwoProcessTests {
    private let folder: TemporaryFolder
    private let service = Service()
    private let app: SharedApp

    init() async throws {
      folder = try TemporaryFolder()
      let database = try SQLiteDatabase(path: folder.path())
      app = try SharedApp(
        local: SQLiteRepository<NumberedNote>(database), service: service.answer)
    }

    private func other() async throws -> OtherApp { try await OtherApp(folder.path()) }

    private func words(_ notes: [NumberedNote]?) -> String {
      notes.map { SharedApp.words($0) } ?? "-"
    }

    @Test func `Each sees the other's models as they come`() async throws {
      let other = try await other()
      try other.does("observe")
      #expect(await other.says("models") == "models")
      var answers = app.evocation.observe(model: NumberedNote.self).makeAsyncIterator()
      #expect(await answers.next()?.data == [])
      for number in 1...3 {
        _ = await app.evocation.storeOrUpdate([NumberedNote(id: 1, number: number)])
        #expect(words(await answers.next()?.data) == "1:\(number)")
        #expect(await other.says("models") == "models 1:\(number)")
        try other.does("write 2:\(number)")
        #expect(await other.says("wrote") == "wrote pending -")
        #expect(words(await answers.next()?.data) == "1:\(number) 2:\(number)")
        #expect(await other.says("models") == "models 1:\(number) 2:\(number)")
        _ = await app.evocation.removeOne(NumberedNote(id: 2, number: number))
        #expect(words(await answers.next()?.data) == "1:\(number)")
        #expect(await other.says("models") == "models 1:\(number)")
      }
    }

    @Test func `What one has fetched is fresh for the other, and what it invalidates is not`()
      async throws
    {
      let other = try await other()
      service.notes = "1:1 2:1"
      #expect(await app.evocation.find(model: NumberedNote.self).origin == .remote)
      try other.does("find")
      #expect(await other.says("found") == "found local 1:1 2:1")
      try await app.evocation.invalidate(NumberedNote.self)
      try other.does("find")
      try other.isAnswered(try await other.isAsked("find"), "1:2 2:2 3:2")
      #expect(await other.says("found") == "found remote 1:2 2:2 3:2")
      let known = await app.evocation.find(model: NumberedNote.self)
      #expect(known.origin == .local)
      #expect(words(known.data) == "1:2 2:2 3:2")
      #expect(service.questions == ["find"])
    }

    @Test func `A cache that the other has fetched is shown with its age`() async throws {
      let other = try await other()
      var states = app.cache.observe().makeAsyncIterator()
      #expect(await states.next()?.state == .noCache)
      let before = Date()
      try other.does("fetch")
      try other.isAnswered(try await other.isAsked("find"), "1:1")
      #expect(await other.says("fetched") == "fetched successful -")
      while let state = await states.next() {
        guard let date = state.fetchedAt, state.cache != nil else { continue }
        #expect(words(state.cache) == "1:1")
        #expect((before...Date()).contains(date))
        break
      }
      #expect(service.questions == [])
    }

    @Test func `A list goes on where the other has left it, and shows what the other loads`()
      async throws
    {
      let other = try await other()
      service.notes = "1:1 2:1 3:1 4:1 5:1 6:1"
      #expect(try await app.list.refresh() == .successful)
      try other.does("watch")
      #expect(await other.says("listed 1:1 2:1") == "listed 1:1 2:1")
      #expect(await app.list.goToNextPage() == .successful)
      #expect(await other.says("listed 1:1 2:1 3:1 4:1") == "listed 1:1 2:1 3:1 4:1")
      var states = app.list.observe().makeAsyncIterator()
      try other.does("next")
      try other.isAnswered(try await other.isAsked("find 4 2"), "5:1 6:1")
      #expect(await other.says("paged") == "paged successful -")
      while let state = await states.next(), state.cache?.cache.count != 6 {}
      #expect(words(try await app.list.value(from: .cache)) == "1:1 2:1 3:1 4:1 5:1 6:1")
    }

    /// What the service has after it has changed, which no page of before may stand beside.
    private static let second = "11:2 12:2 13:2 14:2"

    @Test(arguments: [false, true])
    func `A page for a list that the other has refreshed meanwhile is not added to it`(
      isObserved: Bool
    ) async throws {
      let other = try await other()
      service.notes = "1:1 2:1 3:1 4:1"
      #expect(try await app.list.refresh() == .successful)
      var states = isObserved ? app.list.observe().makeAsyncIterator() : nil
      let first = await states?.next()?.fetchedAt
      let gate = Gate()
      service.gate = gate
      async let page = app.list.goToNextPage()
      #expect(await gate.arrivals(1))
      service.gate = nil
      try other.does("refresh")
      try other.isAnswered(try await other.isAsked("find 0 2"), "11:2 12:2")
      #expect(await other.says("refreshed") == "refreshed successful -")
      // Where it is observed, this process has taken over the other's list before the page comes.
      while let state = await states?.next(),
        state.fetchedAt == first || words(state.cache?.cache) != "11:2 12:2"
      {}
      // The page of the first generation comes now; what is asked for next is of the second.
      service.notes = Self.second
      gate.open()
      _ = await page
      try other.does("list")
      let list = await other.says("list")
      #expect(["list 11:2 12:2", "list \(Self.second)"].contains(list))
      #expect("list " + words(try await app.list.value(from: .cache)) == list)
    }

    @Test func `A refresh replaces the list whole, though the other pages on`() async throws {
      let other = try await other()
      service.notes = "1:1 2:1 3:1 4:1 5:1 6:1"
      #expect(try await app.list.refresh() == .successful)
      try other.does("next")
      let first = try await other.isAsked("find 2 2")
      let gate = Gate()
      service.gate = gate
      service.notes = Self.second
      async let refresh = app.list.refresh(force: true)
      #expect(await gate.arrivals(1))
      // The other's page comes before the app's refresh is saved, and belongs to what it replaces.
      try other.isAnswered(first, "3:1 4:1")
      #expect(await other.says("paged") == "paged successful -")
      try other.does("next")
      let second = try await other.isAsked("find 4 2")
      gate.open()
      #expect(try await refresh == .successful)
      try other.isAnswered(second, "5:1 6:1")
      // It asks again for a page of the new list, or gives up.
      let end = await other.says("")
      if end.hasPrefix("asked") {
        #expect(end.hasSuffix("find 2 2"))
        try other.isAnswered(
          try #require(Int(end.split(separator: " ").dropFirst().first ?? "")), "13:2 14:2")
        #expect(await other.says("paged") == "paged successful -")
      } else {
        #expect(end.hasPrefix("paged"))
      }
      let list = words(try await app.list.value(from: .cache))
      #expect(["11:2 12:2", Self.second].contains(list))
      try other.does("list")
      #expect(await other.says("list") == "list \(list)")
    }

    @Test func `What the other has not sent lies over every answer, and counts as pending`()
      async throws
    {
      let other = try await other()
      service.notes = "1:1 2:1"
      #expect(try await app.cache.refresh(force: true) == .successful)
      var statuses = app.evocation.outbox.observe().makeAsyncIterator()
      var states = app.evocation.outbox.syncStates(of: NumberedNote.self).makeAsyncIterator()
      #expect(await statuses.next()?.pending == 0)
      #expect(await states.next() == [:])
      try other.does("write 2:5 3:5")
      #expect(await other.says("wrote") == "wrote pending -")
      while let status = await statuses.next(), status.pending != 2 {}
      while let now = await states.next(), now != [2: .pending, 3: .pending] {}
      // The service knows nothing of it, and takes nothing away.
      #expect(try await app.cache.refresh(force: true) == .successful)
      #expect(words(try await app.cache.value(from: .cache)) == "1:1 2:5 3:5")
      #expect(try await app.list.refresh(force: true) == .successful)
      #expect(words(try await app.list.value(from: .cache)).contains("2:5"))
      try other.does("send")
      // The service is asked for the second note too, because no version says whether it has changed.
      for _ in 1...3 {
        let asked = await other.says("asked").split(separator: " ", maxSplits: 3)
        let answer = asked[2] == "find" ? "2:1" : String(asked[3])
        try other.isAnswered(try #require(Int(asked[1])), answer)
      }
      #expect(await other.says("sent") == "sent 2 -")
      while let status = await statuses.next(), status.pending != 0 {}
      while let now = await states.next(), now != [:] {}
    }

    @Test func `What one has queued the other can send, and nothing is sent twice`() async throws {
      let other = try await other()
      try other.does("outbox")
      #expect(await other.says("pending") == "pending 0 -")
      _ = await app.evocation.storeOrUpdate([NumberedNote(id: 1, number: 1)])
      #expect(await other.says("pending 1") == "pending 1 -")
      try other.does("send")
      let asked = await other.says("asked").split(separator: " ", maxSplits: 3)
      // This process leaves alone what the other is sending.
      #expect(await app.evocation.outbox.flush().sent == 0)
      try other.isAnswered(try #require(Int(asked[1])), String(asked[3]))
      #expect(await other.says("sent") == "sent 1 -")
      #expect(await other.says("pending 0") == "pending 0 -")
      #expect(try await app.evocation.outbox.status().pending == 0)
      #expect(service.questions == [])
    }
  }

  /// What the app's process is answered.
  private final class Service: Sendable {
    private struct State {
      var notes = ""
      var questions: [String] = []
      var gate: Gate?
    }

    private let state = Lock(State())

    /// What it has when it is asked.
    var notes: String {
      get { state.withLock { $0.notes } }
      set { state.withLock { $0.notes = newValue } }
    }

    /// Where answers wait that are asked for from now on.
    var gate: Gate? {
      get { state.withLock { $0.gate } }
      set { state.withLock { $0.gate = newValue } }
    }

    var questions: [String] { state.withLock { $0.questions } }

    @Sendable func answer(_ question: String) async throws -> [NumberedNote] {
      let (notes, gate) = state.withLock { state in
        state.questions.append(question)
        return (SharedApp.notes(state.notes), state.gate)
      }
      try await gate?.pass()
      let words = question.split(separator: " ").compactMap { Int($0) }
      guard question.hasPrefix("find"), words.count == 2 else { return notes }
      return Array(notes.dropFirst(words[0]).prefix(words[1]))
    }
  }
#endif
