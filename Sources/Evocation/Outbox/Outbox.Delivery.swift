extension Outbox {
  /// Follows one write through the outbox until it is delivered, parked or discarded.
  ///
  /// ```swift
  /// let result = await Evocation.updateOne(car)
  /// switch await result.delivery?.value() {
  /// case nil: print("not kept, or not to be sent")
  /// case .delivered: print("the service has it")
  /// case .parked(let failure): print("refused:", failure.message ?? failure.reason)
  /// case .discarded: print("taken back")
  /// }
  /// ```
  ///
  /// Any number of tasks can wait for it. ``Outbox/delivery(id:)`` finds it again by its id, also
  /// after a restart. A write that is merged into a waiting one has the delivery of that write.
  public struct Delivery: Sendable, Identifiable, PlainlyPrinted {
    /// What became of a write.
    public enum Outcome: Sendable, Hashable, PlainlyPrinted {
      /// The server has executed it.
      case delivered
      /// It is parked: it failed for good, and waits for your app.
      case parked(Failure)
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
      let rest = Lock(Outcomes(rows: rows[...]))
      let outcomes = OutboxObservation(outbox: outbox) { await $0.outcome(of: rest) }
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
  ///
  /// It does not ask again about those that are gone.
  fileprivate func outcome(of rest: Lock<Outcomes>) async -> Delivery.Outcome? {
    while let row = rest.withLock({ $0.rows.first }) {
      let channel = channels.first { $0.queue.hasSameBytes(as: row.instance.queue) }
      guard let channel else { return .discarded }
      do {
        let (id, isDiscarded) = deliveries.withLock { ($0.present(row.id), $0.isDiscarded(row.id)) }
        switch try await channel.deliveryState(of: row, as: id, orNone: isDiscarded) {
        case .parked(let failure): return .parked(failure)
        case .unsent: return nil
        case .gone:
          let isDiscarded = deliveries.withLock { $0.isDiscarded(row.id) }
          rest.withLock { $0.recordGone(isDiscarded) }
        }
      } catch {
        return nil
      }
    }
    return rest.withLock { $0.outcome }
  }
}

/// What became of the entries of a delivery so far.
private struct Outcomes {
  /// The entries that are not known to be gone.
  var rows: ArraySlice<OutboxRow>
  private(set) var outcome = Outbox.Delivery.Outcome.delivered

  init(rows: ArraySlice<OutboxRow>) { self.rows = rows }

  /// Records that the first entry is gone.
  mutating func recordGone(_ isDiscarded: Bool) {
    rows = rows.dropFirst()
    if isDiscarded { outcome = .discarded }
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

/// The entries of this process that were given up or got another id, up to a number of them.
///
/// Each is recorded inside the transaction that changes its entry, because whoever the commit wakes
/// asks immediately. If that transaction fails, the entry stays, and counts only once it is gone.
struct DeliveryRecords {
  /// The number of entries after which the older half is forgotten.
  private static var most: Int { 100_000 }

  private var discarded: Set<String> = []
  private var discardedEarlier: Set<String> = []
  private var renewed: [String: String] = [:]

  mutating func recordDiscarded(_ ids: some Sequence<String>) {
    for id in ids {
      if discarded.count >= Self.most / 2 { (discardedEarlier, discarded) = (discarded, []) }
      discarded.insert(id)
    }
  }

  /// Records that the server has executed an entry, also if a discard of it has failed before.
  mutating func recordDelivered(_ id: String) {
    discarded.remove(id)
    discardedEarlier.remove(id)
  }

  mutating func recordRenewed(_ id: String, as new: String) {
    if renewed.count >= Self.most { renewed = [:] }
    if id != new { renewed[id] = new }
  }

  /// Returns the id that an entry has now.
  func present(_ id: String) -> String {
    var (id, steps) = (id, 0)
    while let next = renewed[id], steps < 100 { (id, steps) = (next, steps + 1) }
    return id
  }

  func isDiscarded(_ id: String) -> Bool {
    let id = present(id)
    return discarded.contains(id) || discardedEarlier.contains(id)
  }
}
