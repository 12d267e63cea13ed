import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// What an app sees of a service that does not do, or did not do, what it says.
///
/// Each kind of lie is told under each strategy, to a read and to a write. Of none comes a model that does not
/// match, a model that is gone from the device although the service has it, or a write that counts as done and is
/// not.
@Suite(.patient) struct HTTPLiesTests {
  enum Strategies: String, CaseIterable, Sendable {
    case remoteOnly, remoteFirst, cacheFirst, offlineFirst

    var strategy: Strategy {
      switch self {
      case .remoteOnly: .remoteOnly
      case .remoteFirst: .remoteFirst
      case .cacheFirst: .cacheFirst(maxAge: .seconds(60))
      case .offlineFirst: .offlineFirst
      }
    }
  }

  @Test(arguments: LyingService.Read.allCases, Strategies.allCases)
  func `a read shows what matches, or says why it cannot, and removes nothing`(
    lie: LyingService.Read, strategy: Strategies
  ) async throws {
    let service = LyingService()
    let (evocation, local) = try app(
      service, strategy, leavesOut: lie == .oneIsUnreadableAndLeftOut)
    if strategy != .remoteOnly {
      _ = try await evocation.cache(Thing.self).refresh(force: true)
      #expect(try await local.count(Criteria()) == 6)
    }
    service.read.append(lie)
    let result = await evocation.find(model: Thing.self, criteria: ["name": "odd"])
    let found = Self.text(result.data, of: [1, 3, 5], result.leftOut, result.error)
    let fallsBack = strategy != .remoteOnly && lie.seen.hasPrefix("error")
    #expect(found == (strategy == .offlineFirst || fallsBack ? "right" : lie.seen), "\(lie)")
    guard strategy != .remoteOnly else { return }
    _ = try? await evocation.cache(Thing.self).refresh(force: true)
    #expect(try await local.find(Criteria()).value.map(\.id) == Array(1...6))
  }

  private static func text(
    _ things: [Thing]?, of ids: [Int], _ leftOut: Int, _ error: (any Error)?
  ) -> String {
    if let error { return "error \((error as? HTTPError)?.code.rawValue ?? "\(error)")" }
    let found = (things ?? []).map(\.id).sorted()
    let all = found == ids ? "right" : "\(found.count) of \(ids.count)"
    return leftOut == 0 ? all : "\(all), \(leftOut) left out"
  }

  private func app(
    _ service: LyingService, _ strategy: Strategies, leavesOut: Bool = false
  ) throws -> (Evocation, InMemoryRepository<Thing>) {
    let url = try #require(URL(string: "https://example.com"))
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    var format = HTTPFormat.rest
    if leavesOut { format.elements = .leaveOut }
    let things = HTTPRepository<Thing>(
      HTTPService(url, configuration: configuration), "things", format: format)
    let (evocation, local) = (
      Evocation(
        configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false))),
      InMemoryRepository<Thing>()
    )
    evocation.register(for: Thing.self).repository(remote: things).repository(local: local)
      .strategy(strategy.strategy)
    return (evocation, local)
  }
}

extension HTTPLiesTests {
  @Test(arguments: LyingService.Write.allCases, Strategies.allCases)
  func `a write counts as done only if the service has it`(
    lie: LyingService.Write, strategy: Strategies
  ) async throws {
    let service = LyingService()
    let (evocation, local) = try app(service, strategy)
    _ = await evocation.find(model: Thing.self, rule: .init(target: .remote, synchronize: .mirror))
    service.write.append(lie)
    let expected = lie.seen
    let result = await evocation.updateOne(Thing(id: 1, name: "new"))
    var seen = result.error.map { Self.text(nil, of: [], 0, $0) } ?? "done"
    if result.isPending {
      let flushed = await evocation.outbox.flush()
      seen = flushed.parked > 0 ? "parked" : flushed.left > 0 ? "waits" : "delivered"
    }
    let isByOutbox = strategy == .offlineFirst
    #expect(seen == (isByOutbox ? expected.outbox : expected.online), "\(service.asked.elements)")
    #expect((service.things[1]?.name == "new") == expected.isDone)
    if seen == "done" || seen == "delivered" {
      #expect(service.things[1]?.name == "new")
    } else if isByOutbox {
      // What is not known to be done is not lost.
      #expect(try await local.findOne(["id": 1]).value?.name == "new")
    }
  }
}

extension LyingService.Read {
  /// What the app sees of a find of the three odd things.
  fileprivate var seen: String {
    switch self {
    case .passesOverConditions: "right, 3 left out"
    case .page, .refusalWith200, .truncated, .oneIsUnreadable: "error undecodable"
    case .oneIsUnreadableAndLeftOut: "2 of 3, 1 left out"
    }
  }
}

extension LyingService.Write {
  /// What the app sees online and by the outbox, and whether the service has it then.
  fileprivate var seen: (online: String, outbox: String, isDone: Bool) {
    switch self {
    case .refusalWith200: ("error client", "parked", false)
    case .pageAndNotDone: ("error undecodable", "waits", false)
    case .conflictOfAnother: ("error conflict", "parked", false)
    case .doneAnd500: ("error server", "waits", true)
    case .doneWithAPage, .doneWithoutAModel, .doneWithAnotherModel, .doneAndGone:
      ("done", "delivered", true)
    }
  }
}

/// Things 1 to 6, odd and even ones, at a service that lies once it is told to.
final class LyingService: HTTPTransport {
  enum Read: CaseIterable, Sendable {
    case passesOverConditions, page, refusalWith200, truncated, oneIsUnreadable
    case oneIsUnreadableAndLeftOut
  }

  enum Write: CaseIterable, Sendable {
    case refusalWith200, doneWithAPage, pageAndNotDone, doneWithoutAModel, doneWithAnotherModel
    case doneAnd500, conflictOfAnother, doneAndGone
  }

  let (read, write) = (Record<Read>(), Record<Write>())
  let asked = Record<String>()
  private let state = Lock(
    Dictionary(
      uniqueKeysWithValues: (1...6).map { id in
        (id, Thing(id: id, name: id % 2 == 1 ? "odd" : "even"))
      }))

  var things: [Int: Thing] { state.withLock { $0 } }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    asked.append("\(request.method) \(request.url.path())")
    let scripted = Scripted { [self] request in
      request.method == "GET" ? answer(request) : try change(request)
    }
    return try await scripted.send(request)
  }

  private static let page = "<!doctype html><title>Sign in</title>"

  private func answer(_ request: HTTPTransportRequest) -> Scripted.Answer {
    if let id = Int(request.url.lastPathComponent) {
      return things[id].map { (200, [:], Self.one($0)) } ?? (404, [:], "{}")
    }
    let all = things.values.sorted { $0.id < $1.id }
    let lie = read.elements.last
    let name = lie == .passesOverConditions ? nil : request.item("name")
    let found = all.filter { name == nil || $0.name == name }
    let json = Thing.json(found)
    let json200 = { (text: String) in
      (200, ["Content-Type": "application/json"], text) as Scripted.Answer
    }
    switch lie {
    case .page: return (200, ["Content-Type": "text/html"], Self.page)
    case .refusalWith200: return json200(#"{"error": "no such table"}"#)
    case .truncated: return json200(String(json.dropLast(json.count / 2)))
    case .oneIsUnreadable, .oneIsUnreadableAndLeftOut:
      let first = json.range(of: #""name":"odd""#)
      return json200(first.map { json.replacingCharacters(in: $0, with: #""name":7"#) } ?? json)
    case .passesOverConditions, nil: return json200(json)
    }
  }

  private static func one(_ thing: Thing) -> String {
    String(Thing.json([thing]).dropFirst().dropLast())
  }

  private func change(_ request: HTTPTransportRequest) throws -> Scripted.Answer {
    guard let id = Int(request.url.lastPathComponent) else { return (405, [:], "{}") }
    let lie = write.elements.last
    switch lie {
    case .refusalWith200: return (200, [:], #"{"error": "name is taken"}"#)
    case .pageAndNotDone: return (200, ["Content-Type": "text/html"], Self.page)
    case .conflictOfAnother: return (409, [:], #"{"message": "name is taken"}"#)
    case .doneWithAPage, .doneWithoutAModel, .doneWithAnotherModel, .doneAnd500, .doneAndGone, nil:
      break
    }
    state.withLock { $0[id]?.name = "new" }
    switch lie {
    case .doneWithAPage: return (200, ["Content-Type": "text/html"], Self.page)
    case .doneWithoutAModel: return (204, [:], "")
    case .doneWithAnotherModel: return (200, [:], Self.one(Thing(id: 9, name: "other")))
    case .doneAnd500: return (500, [:], "{}")
    case .doneAndGone: return (303, ["Location": "https://example.com/gone/1"], "")
    case .refusalWith200, .pageAndNotDone, .conflictOfAnother, nil:
      return (200, [:], things[id].map(Self.one) ?? "{}")
    }
  }
}
