extension Outbox {
  /// Follows one write through the outbox until it is delivered, parked or discarded.
  ///
  /// ```swift
  /// let result = await Evocation.updateOne(car)
  /// switch await result.delivery?.value() {
  /// case nil: print("not kept, or not to be sent")
  /// case .delivered: print("the service has it")
  /// case .parked(_, let reason): print("refused:", reason)
  /// case .discarded: print("taken back")
  /// }
  /// ```
  ///
  /// Any number of tasks can wait for it. ``Outbox/delivery(id:)`` finds it again by its id, also
  /// after a restart. A write that is merged into a waiting one has the delivery of that write.
  public struct Delivery: Sendable, Identifiable {
    /// What became of a write.
    public enum Outcome: Sendable, Hashable {
      /// The server has executed it.
      case delivered
      /// It is parked: it failed for good, and waits for your app.
      case parked(FailureKind, reason: String)
      /// Your app has discarded it, or taken it back before it was sent.
      case discarded
    }

    let rows: [OutboxRow]
    private let outbox: Outbox

    /// The id of the entry.
    ///
    /// For a write of several models, the ids of all entries, separated by commas.
    public var id: String { rows.map(\.id).joined(separator: ",") }

    init(_ rows: [OutboxRow], _ outbox: Outbox) {
      self.rows = rows
      self.outbox = outbox
    }

    /// Waits until the write is delivered, parked or discarded, and returns which.
    ///
    /// Of several entries, a parked one counts first, and then a discarded one. In a canceled task,
    /// it returns immediately, with `discarded` if nothing else is known. It cannot tell whether
    /// another process has sent an entry or discarded it, and returns `delivered` for both.
    public func value() async -> Outcome {
      let (rows, outbox) = (rows, outbox)
      let outcomes = OutboxObservation(outbox: outbox) { await $0.outcome(of: rows) }
      for await outcome in outcomes { return outcome }
      return .discarded
    }
  }

  /// Returns the delivery of a write that is still in the outbox, by its id; nil for none.
  ///
  /// - Throws: What the local repositories throw.
  public func delivery(id: String) async throws -> Delivery? {
    let ids = id.split(separator: ",").map(String.init)
    var rows: [OutboxRow] = []
    for channel in stores {
      rows += try await channel.look { entries in
        try ids.compactMap { try entries.row(withID: $0) }
      }
    }
    return rows.isEmpty ? nil : Delivery(rows, self)
  }

  /// Returns what became of entries; nil while one of them is still to be sent or cannot be read.
  fileprivate func outcome(of rows: [OutboxRow]) async -> Delivery.Outcome? {
    var outcome = Delivery.Outcome.delivered
    for row in rows {
      let channel = channels.first { $0.queue.hasSameBytes(as: row.instance.queue) }
      guard let channel else { return .discarded }
      do {
        switch try await channel.state(of: row) {
        case .parked(let kind, let reason)?: return .parked(kind, reason: reason)
        case .pending?, .sending?, .waiting?: return nil
        case nil: if fates.withLock({ $0.isDiscarded(row.id) }) { outcome = .discarded }
        }
      } catch {
        return nil
      }
    }
    return outcome
  }
}

extension Evocation.Result {
  /// The delivery of the write; nil for a write that the outbox does not send.
  public var delivery: Outbox.Delivery? {
    guard let queued = metadata[.local]?.queued?.delivery as? QueuedEntries,
      let outbox = queued.sender as? Outbox
    else { return nil }
    return Outbox.Delivery(queued.rows, outbox)
  }
}

/// The entries of this process that were discarded or got another id, up to a number of them.
struct EntryFates {
  private static var most: Int { 10_000 }

  private var discarded: Set<String> = []
  private var renewed: [String: String] = [:]

  mutating func noteDiscarded(_ ids: [String]) {
    if discarded.count >= Self.most { discarded = [] }
    discarded.formUnion(ids)
  }

  mutating func noteRenewed(_ id: String, as new: String) {
    if renewed.count >= Self.most { renewed = [:] }
    if id != new { renewed[id] = new }
  }

  func isDiscarded(_ id: String) -> Bool {
    var (id, steps) = (id, 0)
    while let next = renewed[id], steps < 100 { (id, steps) = (next, steps + 1) }
    return discarded.contains(id)
  }
}
