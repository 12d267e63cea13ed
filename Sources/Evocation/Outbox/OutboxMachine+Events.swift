// The machine's events, and the effects that it returns.
extension OutboxMachine {
  /// An instance in a store.
  struct Instance: Sendable, Hashable {
    let store: Store
    let reference: Outbox.Reference
  }

  /// An entry that is being sent.
  package struct Item: Sendable, Hashable {
    let instance: Instance
    let position: Int64
    let id: String
    /// Whether an earlier attempt may have arrived.
    let isRepeated: Bool
  }

  /// What the end of an attempt shows about the server.
  package enum Health: Sendable {
    case well
    case failing(retryAfter: Duration?)
    case unknown
  }

  /// How an attempt has ended.
  package struct Ending: Sendable {
    var health: Health
    /// Whether the server has executed the entry, and its answer is saved.
    var isSent = false

    static let sent = Ending(health: .well, isSent: true)
    static let well = Ending(health: .well)
    static let unknown = Ending(health: .unknown)
  }

  /// Whether an entry that was found is sent.
  enum Verdict: Sendable {
    case taken(Item)
    /// Something holds it back, and others may be sent.
    case passed
    /// All others go first, or one of those that are put off is chosen.
    case later
    /// Nothing more can be sent now.
    case full
  }

  /// When an entry is offered, among those that were found.
  enum Offer: Sendable {
    /// Before all others, if it is of low urgency, and that has its turn with its server.
    case turn
    /// In its order.
    case first
    /// After all others that could be sent.
    case last
  }

  /// The purpose of looking through a store.
  struct Look: Sendable, Hashable {
    /// Whether to look for entries, and not only to renew the lease.
    var forEntries: Bool
    /// The position to begin with, because of a change that the store does not know; nil for where the
    /// last look ended.
    var from: Int64?
    /// Whether to try waiting entries too.
    var atOnce: Bool
    /// Whether to check if the entries still wait for the user to sign in.
    var asksWhetherHeld: Bool
    /// Whether the entries no longer wait for the user to sign in.
    var release: Bool
  }

  /// The result of looking through a store.
  package enum Found: Sendable {
    /// All entries were looked at, or as many as can be sent now.
    ///
    /// The lease is the time at which it ends; nil if there are no entries, so that none was taken.
    case looked(lease: Duration?, due: Duration?, isAtEnd: Bool)
    /// Another process sends for this long.
    case denied(Duration)
    /// The entries wait for the user to sign in again.
    case held
    /// The store failed.
    case failed
    /// No model type of the store was registered.
    case unregistered
  }

  package enum Event: Sendable {
    /// The entries of a queue are to be sent.
    case opened(Store, queue: String, service: String)
    case closed(Store, queue: String)
    /// Entries of the store may have changed.
    case touched(Store)
    case looked(Store, Found)
    /// The store failed to save what became of an entry.
    case troubled(Store)
    /// An attempt has ended, and its result is saved.
    case ended(Item, Ending)
    /// The server refused an item's attempt, and Evocation asks the app's resolver.
    case resolving(Item)
    case connection(isOnline: Bool)
    case paused
    /// A server wants another credential.
    case unauthorized(Item, String)
    /// The credential for a server was renewed.
    case authorized(service: String)
    /// The stores say that their entries wait for the user to sign in again.
    case held(Set<Store>)
    /// Nothing is left to be sent, so other processes need not wait for this one's leases.
    case emptied
    /// The lease on the store was returned.
    case released(Store)
    case resumed
    case flush(began: Bool)
    case timer
  }

  enum Effect: Sendable {
    case look(Store, Look)
    /// Returns the lease on a store.
    case release(Store)
    /// Passes the event `timer` at this time, or earlier.
    case wake(Duration)
    case notify(Outbox.Event)
    /// Validates observed caches, because connectivity has returned.
    case validate
  }

  /// Which process may send the entries of a store.
  enum Lease: Sendable, Hashable {
    case none
    case mine(until: Duration)
    /// Another process, as this one found at a time.
    case others(until: Duration, found: Duration)
    /// The lease is being returned.
    ///
    /// No look at the store begins until that is done.
    case returning
  }

  /// How much of a store to look through.
  enum LookReason: Int, Sendable, Comparable {
    case none, forNew, afresh
    /// As `afresh`, and waiting entries are tried too.
    case atOnce

    static func < (left: LookReason, right: LookReason) -> Bool { left.rawValue < right.rawValue }
  }
}
