/// The outbox's part in signing out of everything.
extension Outbox {
  /// Checks that there are no entries.
  ///
  /// - Throws: ``EvocationError/unsentWrites(_:)`` if there are entries.
  package func checkIsEmpty() async throws {
    let status = try await status()
    let count = status.pending + status.parked
    if count > 0 { throw EvocationError.unsentWrites(count) }
  }

  /// Returns what the entries of the stores concern, if events are observed; else nothing.
  package func subjects(in stores: Set<ObjectIdentifier>) async throws -> [Subject] {
    guard listeners.isObserved else { return [] }
    var subjects: [Subject] = []
    for channel in channels where stores.contains(channel.store) {
      subjects += try await channel.subjects()
    }
    return subjects
  }

  /// Records that all entries of the stores are given up, before the stores delete them.
  package func recordGivenUp(in stores: Set<ObjectIdentifier>) async throws {
    for channel in channels where stores.contains(channel.store) {
      var position = Int64.min
      while true {
        let (queue, after) = (channel.queue, position)
        let rows = try await channel.look { try $0.rows(of: queue, after: after, limit: 1_000) }
        guard let last = rows.last else { break }
        deliveries.withLock { $0.recordDiscarded(rows.lazy.map(\.id)) }
        position = last.position
      }
    }
  }

  /// Keeps or discards the entries, except those in stores that are emptied as a whole.
  package func settle(_ unsent: UnsentWrites, besides stores: Set<ObjectIdentifier>) async throws {
    for channel in channels where !stores.contains(channel.store) {
      switch unsent {
      case .block: break
      case .keep: try await channel.transact { try $0.entries.setHeld(true) }
      case .discard: try await channel.discardAll()
      }
    }
    guard unsent == .discard else { return }
    // Those who signed out before have nothing any more that waits for them.
    for channel in channels where !stores.contains(channel.store) {
      try await channel.transact { try $0.entries.releaseIfEmpty() }
    }
  }

  /// Reports that signing out is done.
  package func reportSettled(_ unsent: UnsentWrites, _ discarded: [Subject]) {
    switch unsent {
    case .block: handle(.emptied)
    case .keep: handle(.held(Set(channels.map(\.store))))
    case .discard:
      for subject in discarded { tell(.discarded(subject)) }
      handle(.emptied)
      lookAgain()
    }
  }
}
