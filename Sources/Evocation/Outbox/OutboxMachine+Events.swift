// What the machine is told, and what it answers.
extension OutboxMachine {
  /// An instance of a store.
  struct Instance: Sendable, Hashable {
    let store: Store
    let reference: Outbox.Reference
  }

  /// An entry that is sent.
  struct Item: Sendable, Hashable {
    let instance: Instance
    let position: Int64
    let id: String
    /// Whether an earlier attempt may have arrived.
    let isRepeated: Bool
  }

  /// What the end of an attempt says of the service.
  enum Health: Sendable {
    case well
    case failing(retryAfter: Duration?)
    case unknown
  }

  /// Whether an entry that was found is sent.
  enum Verdict: Sendable {
    case taken(Item)
    /// Something keeps it back; others may be sent.
    case passed
    /// Nothing more can be sent now.
    case full
  }

  /// What a store is looked through for.
  struct Look: Sendable, Hashable {
    /// Whether entries are looked for, and not only the lease renewed.
    var forEntries: Bool
    /// Whether it begins with the first entry, because something has changed that the store does not know.
    var afresh: Bool
    /// Whether entries that wait are tried too.
    var atOnce: Bool
    /// Whether it asks if the entries wait for the user to sign in still.
    var asksWhetherHeld: Bool
    /// Whether the entries wait no longer for the user to sign in.
    var release: Bool
  }

  /// What a look through a store came to.
  enum Found: Sendable {
    /// All was looked at, or as much as can be sent now. The lease ends at a moment; nil where none was
    /// taken, for want of entries.
    case looked(lease: Duration?, due: Duration?, isAtEnd: Bool)
    /// Another process sends for as long as this.
    case denied(Duration)
    /// The entries wait for the user to sign in again.
    case held
    /// The store failed.
    case failed
  }

  enum Event: Sendable {
    /// The entries of a queue are to be sent.
    case opened(Store, queue: String, service: String)
    case closed(Store, queue: String)
    /// Entries of the store may have changed.
    case touched(Store)
    case looked(Store, Found)
    /// The store failed to keep what became of an entry.
    case troubled(Store)
    /// An attempt has ended, and what it came to is kept.
    case ended(Item, Health, isSent: Bool)
    /// The remote refused an item's attempt, and the app is asked about it.
    case resolving(Item)
    case connection(isOnline: Bool)
    case paused
    /// A service wants another credential.
    case unauthorized(Item, String)
    /// A service's credential was renewed.
    case authorized(service: String)
    /// Entries of these stores wait for the user to sign in again, as the stores say.
    case held(Set<Store>)
    /// Nothing is left to be sent, so that other processes need not wait for this one's leases.
    case emptied
    /// The lease on the store was given back.
    case released(Store)
    case resumed
    case flush(began: Bool)
    case timer
  }

  enum Effect: Sendable {
    case look(Store, Look)
    /// Gives the lease on a store back.
    case release(Store)
    /// Calls again at this time, or before.
    case wake(Duration)
    case notify(Outbox.Event)
    /// Connectivity has returned.
    case validate
  }

  /// Who may send a store's entries.
  enum Lease: Sendable, Hashable {
    case none
    case mine(until: Duration)
    /// Another process, as was found at a moment.
    case others(until: Duration, found: Duration)
    /// It is being given back, and nothing is looked for until that is done.
    case returning
  }

  /// Whether a store is to be looked through.
  enum Wish: Int, Sendable, Comparable {
    case none, forNew, afresh
    /// As afresh, and those that wait are tried too.
    case atOnce

    static func < (left: Wish, right: Wish) -> Bool { left.rawValue < right.rawValue }
  }

}

extension OutboxMachine.Found {
  var isHeld: Bool { if case .held = self { true } else { false } }
}
