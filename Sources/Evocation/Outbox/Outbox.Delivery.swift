extension Outbox {
  /// What becomes of one write that the outbox sends.
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
  /// It can be waited for by as many tasks as like to, and asked for again by its id, also after a restart
  /// (``Outbox/delivery(id:)``). A write that is merged into one that waits has the delivery of that.
  public struct Delivery: Sendable, Identifiable {
    /// What became of a write.
    public enum Outcome: Sendable, Hashable {
      /// The remote has carried it out.
      case delivered
      /// It is not sent again by itself.
      case parked(FailureKind, reason: String)
      /// The app has discarded it, or taken it back before it left.
      case discarded
    }

    let rows: [OutboxRow]
    private let outbox: Outbox

    /// The entry's id; of a write of several models the ids of all entries, with commas between them.
    public var id: String { rows.map(\.id).joined(separator: ",") }

    init(_ rows: [OutboxRow], _ outbox: Outbox) {
      self.rows = rows
      self.outbox = outbox
    }

    /// Waits until the write is delivered, parked or discarded, and says which.
    ///
    /// Of several entries one that is parked counts first, and then one that was discarded. In a task that is
    /// cancelled it returns at once, and says that the write is discarded if nothing else is known. Whether
    /// another process has sent an entry or discarded it is not told apart: both are delivered.
    public func value() async -> Outcome {
      let (rows, outbox) = (rows, outbox)
      let outcomes = OutboxObservation(outbox: outbox) { await $0.outcome(of: rows) }
      for await outcome in outcomes { return outcome }
      return .discarded
    }
  }

  /// The delivery of a write that is in the outbox still, by its id; nil where it is there no more.
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

  /// What became of entries; nil while one of them is to be sent, or where that cannot be read.
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
  /// What becomes of the write; nil for one that the outbox does not send.
  public var delivery: Outbox.Delivery? {
    guard let queued = metadata[.local]?.queued?.delivery as? QueuedEntries,
      let outbox = queued.sender as? Outbox
    else { return nil }
    return Outbox.Delivery(queued.rows, outbox)
  }
}

/// Which entries were discarded, and which got another id, of the last ones of this process.
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
