public import Evocation
internal import Foundation

// What an inspection needs of a model type's entries.
extension OutboxChannel {
  /// Returns the oldest entries.
  func inspected(_ limit: Int, showsValues: Bool) async throws -> [Inspection.Entry] {
    let records = try await typed.repository.look(isShort: false) { transaction in
      try transaction.records(after: .min, limit: limit)
    }
    let sending = typed.outbox?.sendingPositions(in: store) ?? []
    return records.map { record in
      .init(
        record, of: model, isSending: sending.contains(record.position), showsValues: showsValues)
    }
  }

  /// Sends an entry again; false if it is gone or cannot be decoded.
  func retry(_ entry: Inspection.Entry) async throws -> Bool {
    guard case .entry(let found)? = try await record(of: entry) else { return false }
    try await typed.outbox?.retry(found)
    return true
  }

  /// Discards an entry; false if it is gone.
  func discard(_ entry: Inspection.Entry) async throws -> Bool {
    switch try await record(of: entry) {
    case .entry(let found)?: try await typed.outbox?.discard(found)
    case .unreadable(let found)?: try await typed.outbox?.discard(found)
    case nil: return false
    }
    return true
  }

  private func record(of entry: Inspection.Entry) async throws -> OutboxRecord<Model>? {
    try await typed.repository.look(isShort: false) { transaction in
      try transaction.record(at: entry.position).flatMap { $0.id == entry.id ? $0 : nil }
    }
  }
}

extension Outbox {
  /// Sends an entry of an inspection again, as ``retry(_:)-(Outbox.Entry<Model>)`` does.
  ///
  /// - Throws: `EvocationError.entryNotFound` if it is gone or cannot be decoded, and what
  ///   the local repository throws.
  public func retry(_ entry: Inspection.Entry) async throws {
    for channel in channels where try await channel.retry(entry) { return }
    throw EvocationError.entryNotFound(id: entry.id)
  }

  /// Discards an entry of an inspection and all later ones on its model, as
  /// ``discard(_:)-(Outbox.Entry<Model>)`` does.
  ///
  /// - Throws: `EvocationError.entryNotFound`, and what the local repository throws.
  public func discard(_ entry: Inspection.Entry) async throws {
    for channel in channels where try await channel.discard(entry) { return }
    throw EvocationError.entryNotFound(id: entry.id)
  }

  /// Returns the outbox as an inspection has it; a store that cannot be read has no entries.
  func inspected(showsValues: Bool) async -> Inspection.Queue {
    let status = try? await status()
    var entries: [Inspection.Entry] = []
    for channel in channels {
      entries += (try? await channel.inspected(200, showsValues: showsValues)) ?? []
    }
    return Inspection.Queue(
      pending: status?.pending ?? 0, parked: status?.parked ?? 0,
      isSending: status?.isSending ?? false,
      pause: status?.pause.map { pause in
        switch pause {
        case .byApp: "paused by the app"
        case .offline: "offline"
        case .authorization(let reason):
          showsValues ? "the user has to sign in: \(reason)" : "the user has to sign in"
        }
      },
      entries: entries.sorted { ($0.queuedAt, $0.position) < ($1.queuedAt, $1.position) })
  }

  /// Returns what the outbox knows of a server.
  func inspected(_ service: String, named name: String, date: Date) -> Inspection.Service {
    let now = environment.time.now()
    let known = state.withLock { $0.machine.services[service] }
    var found = Inspection.Service(
      name: name, models: [], isWell: known?.pace.isWell ?? true,
      isRefusingCredential: known?.refusal != nil)
    if case .from(let end)? = known?.pace.room(at: now) {
      found.restsUntil = date.addingTimeInterval(end.subtracting(now).seconds)
    }
    return found
  }
}
