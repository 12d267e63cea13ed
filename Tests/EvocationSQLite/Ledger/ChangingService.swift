import Evocation
import EvocationTesting
import Foundation

@testable import SQLiteSupport

/// A part, as a service has it that lists what changed.
struct LoggedPart: Codable, Identifiable, Equatable, Sendable {
  var id: Int
  var kind = 1
  var name = ""
}

/// A service that counts its changes, and lists those since a number.
final class ChangingService: ChangesRepository {
  struct Outage: Error, Equatable {}

  private struct State {
    var number = 0
    var parts: [Int: LoggedPart] = [:]
    /// By id the number of the last change; the removed ones are among them.
    var changed: [Int: Int] = [:]
    var oldest = 0
    var asked: [String?] = []
    var finds = 0
    var failures = 0
    var gate: Gate?
    var listsChanges = true
    var givesMarks = true
  }

  private let state = Lock(State())

  init(_ parts: [LoggedPart] = []) { put(parts) }

  /// The marks that it was asked with, an empty text for none.
  var asked: [String] { state.withLock { $0.asked.map { $0 ?? "" } } }
  var finds: Int { state.withLock { $0.finds } }
  var parts: [LoggedPart] { state.withLock { $0.parts.values.sorted { $0.id < $1.id } } }
  var listsChanges: Bool { state.withLock { $0.listsChanges } }

  func set(listsChanges: Bool) { state.withLock { $0.listsChanges = listsChanges } }
  func set(givesMarks: Bool) { state.withLock { $0.givesMarks = givesMarks } }
  func set(gate: Gate?) { state.withLock { $0.gate = gate } }
  func fail(times: Int) { state.withLock { $0.failures = times } }

  /// Forgets what changed until now, so that all marks there are are too old.
  func forgetChanges() { state.withLock { $0.oldest = $0.number + 1 } }

  func put(_ parts: [LoggedPart]) {
    state.withLock { state in
      for part in parts {
        state.number += 1
        state.parts[part.id] = part
        state.changed[part.id] = state.number
      }
    }
  }

  func drop(_ ids: [Int]) {
    state.withLock { state in
      for id in ids where state.parts.removeValue(forKey: id) != nil {
        state.number += 1
        state.changed[id] = state.number
      }
    }
  }

  func changes(
    _ criteria: Criteria, since mark: String?
  ) async throws -> Response<Changes<LoggedPart>?> {
    if criteria.order.contains(where: { $0.key == "name" }) { return Response(nil) }
    let (parts, gate) = try state.withLock { state in
      state.asked.append(mark)
      state.failures -= 1
      if state.failures >= 0 { throw Outage() }
      return (state, state.gate)
    }
    // It answers what it had when it was asked.
    let changes = try await Self.changes(parts, criteria, since: mark)
    try await gate?.pass()
    return Response(changes, metadata: ["number": parts.number])
  }

  private static func changes(
    _ state: State, _ criteria: Criteria, since mark: String?
  ) async throws -> Changes<LoggedPart> {
    let next = state.givesMarks ? "\(state.number)" : nil
    let matching = try await InMemoryRepository(Array(state.parts.values)).find(criteria).value
    guard let number = mark.flatMap(Int.init), number >= state.oldest else {
      return Changes(matching, mark: next, isWhole: true)
    }
    let ids = state.changed.filter { $0.value > number }.keys
    let gone = ids.filter { id in !matching.contains { $0.id == id } }
    return Changes(matching.filter { ids.contains($0.id) }, removed: gone, mark: next)
  }

  func find(_ criteria: Criteria) async throws -> Response<[LoggedPart]> {
    let (parts, gate) = state.withLock { state in
      state.finds += 1
      return (Array(state.parts.values), state.gate)
    }
    let answer = try await InMemoryRepository(parts).find(criteria)
    try await gate?.pass()
    return answer
  }

  func store(_ models: [LoggedPart]) async throws -> Response<[LoggedPart]> { write(models) }
  func update(_ models: [LoggedPart]) async throws -> Response<[LoggedPart]> { write(models) }
  func storeOrUpdate(_ models: [LoggedPart]) async throws -> Response<[LoggedPart]> {
    write(models)
  }

  func remove(_ models: [LoggedPart]) async throws -> Response<[LoggedPart]> {
    drop(models.map(\.id))
    return Response(models)
  }

  private func write(_ models: [LoggedPart]) -> Response<[LoggedPart]> {
    put(models)
    return Response(models)
  }
}
