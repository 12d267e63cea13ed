import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// An app's own error, which Swift prints with all that the service said.
private struct Rejection: ClassifiedError {
  var failureKind: FailureKind
  var problem = "The given data was invalid."
  var problems = ["title": ["The title is too long."]]

  private init(_ kind: FailureKind) { failureKind = kind }

  static let permanent = Rejection(.permanent)
  static let transient = Rejection(.transient)
  static let conflict = Rejection(.conflict)

  var serviceWords: ServiceWords? {
    ServiceWords(status: 422, message: problem, fields: problems)
  }
}

/// What a service said about a refused write, which stays with the write.
@Suite(.patient) struct OutboxFailureTests {
  private typealias Service = ScriptedService<Memo>

  private let refusal = Lock<(any Error)?>(Rejection.permanent)
  private let lines = Lock<[String]>([])

  private func evocation(
    _ models: [Memo] = [], refusing id: Int? = nil, log: Evocation.Log = .off
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: ManualClock(), log: log, chance: { 0.5 }, outbox: .init(sendsAutomatically: false)))
    let service = Service(models) { [refusal] request, _ in
      if id == nil || request.model.id == id, let error = refusal.withLock({ $0 }) { throw error }
      return nil
    }
    evocation.register(for: Memo.self).repository(remote: service)
      .repository(local: InMemoryRepository<Memo>()).strategy(.offlineFirst)
    return evocation
  }

  /// Has the service refuse a write, and returns its entry.
  private func refused(in evocation: Evocation) async throws -> Outbox.Entry<Memo> {
    _ = await evocation.storeOne(Memo(title: "too long"))
    _ = await evocation.outbox.flush()
    return try #require(try await evocation.outbox.entries(of: Memo.self).first)
  }

  private func said(_ failure: Outbox.Failure?) -> Bool {
    failure?.status == 422 && failure?.message == "The given data was invalid."
      && failure?.fields == ["title": ["The title is too long."]]
  }

  @Test
  func `a repository of an app's own says its words, and whoever asks about the write has them`()
    async throws
  {
    let evocation = evocation()
    var events = evocation.outbox.events().makeAsyncIterator()
    var states = evocation.outbox.syncStates(of: Memo.self).makeAsyncIterator()
    #expect(await states.next() == [:])
    let delivery = try #require(await evocation.storeOne(Memo()).delivery)
    _ = await evocation.outbox.flush()
    let entry = try #require(try await evocation.outbox.parked(Memo.self).first)
    let failure = try #require(entry.failure)
    #expect(said(failure))
    #expect(failure.kind == .permanent && failure.reason == "Rejection (permanent)")
    #expect(entry.lastFailure == failure)
    #expect(await delivery.value() == .parked(failure))
    while let state = await states.next()?[1], state != .parked(reason: failure.reason) {}
    var told: Outbox.Subject?
    while told == nil, let event = await events.next() {
      if case .parked(let subject) = event { told = subject }
    }
    #expect(told?.failure == failure && told?.reason == failure.reason)
  }

  @Test func `a write that waits has the words of the last attempt, and is not parked`()
    async throws
  {
    refusal.withLock { $0 = Rejection.transient }
    let evocation = evocation()
    var events = evocation.outbox.events().makeAsyncIterator()
    let entry = try await refused(in: evocation)
    #expect(entry.failure == nil)
    #expect(said(entry.lastFailure) && entry.lastFailure?.kind == .transient)
    var told: Outbox.Subject?
    while told == nil, let event = await events.next() {
      if case .willRetry(let subject) = event { told = subject }
    }
    #expect(told?.failure == entry.lastFailure)
    refusal.withLock { $0 = nil }
    #expect(await evocation.outbox.flush().sent == 1)
  }

  @Test
  func
    `a conflict that is parked keeps what the service said about it, with a resolver or without`()
    async throws
  {
    refusal.withLock { $0 = Rejection.conflict }
    for resolves in [false, true] {
      let evocation = evocation([Memo()])
      if resolves {
        try evocation.proxy(for: Memo.self).conflicts { _ in throw EvocationError.noData }
      }
      _ = await evocation.find(model: Memo.self)
      _ = await evocation.updateOne(Memo(title: "mine"))
      _ = await evocation.outbox.flush()
      let failure = try await evocation.outbox.parked(Memo.self).first?.failure
      #expect(said(failure) && failure?.kind == .conflict)
      #expect(failure?.reason.contains("no data") == resolves)
    }
  }

  @Test(arguments: [true, false])
  func `a write that is sent again has no words any more, and then those of the new answer`(
    resends: Bool
  ) async throws {
    let evocation = evocation()
    let entry = try await refused(in: evocation)
    #expect(said(entry.failure))
    if resends {
      try await evocation.outbox.resend(entry, as: Memo(title: "shorter"))
    } else {
      try await evocation.outbox.retry(entry)
    }
    let pending = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    #expect(pending.failure == nil && pending.lastFailure == nil && pending.words == nil)
    refusal.withLock { $0 = Refused(.permanent) }
    _ = await evocation.outbox.flush()
    let failure = try await evocation.outbox.parked(Memo.self).first?.failure
    #expect(failure?.message == nil && failure?.fields == [:] && failure?.status == nil)
    #expect(failure?.kind == .permanent)
  }

  @Test func `of a unit, only the write that was refused has the words`() async throws {
    refusal.withLock { $0 = Rejection.transient }
    let evocation = evocation(refusing: 2)
    _ = try await evocation.together { writes in
      for id in 2...3 { try await writes.storeOne(Memo(id: id)) }
    }
    _ = await evocation.outbox.flush()
    refusal.withLock { $0 = Rejection.permanent }
    _ = await evocation.outbox.flush()
    let entries = try await evocation.outbox.parked(Memo.self)
    #expect(entries.map(\.model.id) == [2, 3])
    #expect(said(entries.first?.failure))
    #expect(entries.last?.failure == Outbox.Failure(reason: entries.first?.failure?.reason ?? ""))
    try await evocation.outbox.retry(try #require(entries.last))
    #expect(try await evocation.outbox.entries(of: Memo.self).allSatisfy { $0.lastFailure == nil })
  }

  @Test(arguments: [true, false])
  func `no log, no event, no state and no trace prints what the service said`(
    showsValues: Bool
  ) async throws {
    let log = Evocation.Log(levels: Set(Evocation.Log.Level.allCases), showsValues: showsValues) {
      [lines] line in lines.withLock { $0.append("\(line)") }
    }
    let evocation = evocation(log: log)
    var printed: [String] = []
    let events = Lock<[Outbox.Event]>([])
    let reading = Task {
      for await event in evocation.outbox.events() { events.withLock { $0.append(event) } }
    }
    var states = evocation.outbox.syncStates(of: Memo.self).makeAsyncIterator()
    let delivery = try #require(await evocation.storeOne(Memo()).delivery)
    for refusal in [Rejection.transient, .permanent] {
      self.refusal.withLock { $0 = refusal }
      _ = await evocation.outbox.flush()
    }
    let online = await evocation.storeOne(Memo(id: 9), rule: .remoteOnly)
    #expect(online.error is Rejection)
    let entry = try #require(try await evocation.outbox.parked(Memo.self).first)
    try await eventually("the event") {
      events.withLock { $0.contains { if case .parked = $0 { true } else { false } } }
    }
    reading.cancel()
    let last = await states.next()
    let values: [Any] = [
      events.withLock { $0 }, online.trace, entry.failure as Any, entry.state, entry,
      await delivery.value(), last as Any, try await evocation.outbox.status(),
    ]
    for value in values {
      printed += ["\(value)", String(reflecting: value)]
      var text = ""
      dump(value, to: &text)
      printed.append(text)
    }
    log.flush()
    let logged = lines.withLock { $0 }
    #expect(logged.contains { $0.contains("storeOne Memo") })
    printed += logged
    for text in printed {
      #expect(!text.contains("too long") && !text.contains("invalid"), "\(text)")
    }
    #expect("\(entry.failure as Any)".contains("422"))
  }

  @Test func `megabytes of words are cut to what a form can show`() throws {
    let long = String(repeating: "é", count: 100_000)
    var fields = ["a": Array(repeating: long, count: 1_000), "z": ["last"]]
    for number in 0..<10_000 { fields["b\(number)"] = ["no"] }
    fields[long] = ["no"]
    let words = ServiceWords(status: 422, message: long, fields: fields)
    let bytes =
      (words.message ?? "").utf8.count
      + words.fields.reduce(0) {
        $0 + $1.key.utf8.count + $1.value.reduce(0) { $0 + $1.utf8.count }
      }
    #expect(bytes <= 32_768 && words.fields.count <= 100)
    #expect(words.message?.utf8.count == 4_096 && words.message?.allSatisfy { $0 == "é" } == true)
    #expect(words.fields["a"]?.count == 10 && words.fields[long] == nil)
    // So are those that are read.
    let written = try JSONEncoder().encode(["message": long])
    let read = try JSONDecoder().decode(ServiceWords.self, from: written)
    #expect(read == ServiceWords(message: long))
    let odd = "\u{1F1E8}" + String(repeating: "\u{301}", count: 5_000)
    #expect(ServiceWords(message: odd).message?.utf8.count ?? .max <= 4_096)
  }

  @Test func `a failure is written as JSON and read again`() throws {
    let failure = Outbox.Failure(
      kind: .conflict, reason: "no", status: 409, message: "a", fields: ["b": ["c"]])
    let data = try JSONEncoder().encode(failure)
    #expect(try JSONDecoder().decode(Outbox.Failure.self, from: data) == failure)
  }

  @Test func `an error of several writes says what the one said that ended them`() {
    struct Broken: PartialError {
      var done = ["1"]
      var failed = ["2"]
      var unsent = ["3"]
      let underlying: any Error
      var failureKind: FailureKind { FailureKind(underlying) }
    }
    #expect(
      Broken(underlying: Rejection.permanent).serviceWords == Rejection.permanent.serviceWords)
    #expect(Broken(underlying: EvocationError.noData).serviceWords == nil)
  }
}
