internal import Foundation

/// What belongs to one service of a model type: it begins when the service is registered, and ends when
/// another one is, or none.
///
/// A fetch holds the registration in which it asked. Once that is over, what it fetched is another
/// service's, or another user's of the same one, and is not saved where the next one's models are. Records
/// of such fetches count as stale.
package final class Registration: Sendable {
  private struct State {
    var isOver = false
    /// Whether a record of another service was met.
    var hasMetForeign = false
    /// The tags of the records that were written for this registration since then.
    var own: Set<ByteText> = []
  }

  /// The name under which a ledger records what the service answered; nil if it has none.
  package let name: String?
  /// When it took the place of another one in this process; nil if it did not.
  fileprivate let since: Date?
  fileprivate let service: ServiceIdentity?
  private let state = Lock(State())

  /// Creates the registration of no service.
  package convenience init() { self.init(nil, since: nil) }

  fileprivate init(_ service: ServiceIdentity?, since: Date?) {
    self.service = service
    self.since = since
    name = service?.name
  }

  /// Whether another service is registered, or none.
  package var isOver: Bool { state.withLock { $0.isOver } }

  fileprivate func end() { state.withLock { $0.isOver = true } }

  /// Whether the record of a tag may be another service's, or another user's of the same one.
  ///
  /// A record that this process wrote for this registration never is, whatever its date and name are. So
  /// two processes with different services do not have each other fetch forever.
  package func isForeign(_ record: FetchRecord, of tag: String) -> Bool {
    // Records of earlier versions, and of services without a name, name none.
    let isNamed = record.service == nil || record.service == name
    if isNamed, since.map({ record.fetchedAt > $0 }) ?? true { return false }
    return state.withLock { state in
      state.hasMetForeign = true
      return !state.own.contains(ByteText(tag))
    }
  }

  /// How many tags it remembers; of more, some are fetched once more.
  private static var mostOwn: Int { 1_000 }

  /// Records that the record of a tag was written for this registration.
  package func recordWritten(_ tag: String) {
    state.withLock { state in
      guard state.hasMetForeign || since != nil else { return }
      if state.own.count >= Self.mostOwn { state.own = [] }
      state.own.insert(ByteText(tag))
    }
  }
}

/// A remote repository's service with its route, which tells it from any other.
///
/// Values are not told apart by what they contain: a repository that is a value is the service that was
/// registered with it, and the same value, registered once more, is another service.
package struct ServiceIdentity: Sendable {
  private final class Token: Sendable {}

  /// The name, which is the same after a restart; nil if it has none.
  fileprivate let name: String?
  /// Identifies the service in this process.
  private let object: ObjectIdentifier
  /// What is identified, retained so that no other object can have its identity.
  private let retained: any Sendable

  package init<Model: Sendable>(_ remote: any Repository<Model>) {
    let shared = remote.role((any SharedService).self)
    name = shared?.routeName
    if let service = shared?.identity {
      (object, retained) = (ObjectIdentifier(service), service)
    } else if type(of: remote) is AnyClass {
      (object, retained) = (ObjectIdentifier(remote as AnyObject), remote)
    } else {
      let token = Token()
      (object, retained) = (ObjectIdentifier(token), token)
    }
  }

  /// Whether two repositories certainly ask the same service in the same way.
  fileprivate func isSame(as other: ServiceIdentity) -> Bool {
    object == other.object && name == other.name
  }
}

/// Which registration of a model type is the present one, and which store its models are in.
struct Registrations: Sendable {
  /// Nil while there is none, so that nothing keeps the app's repository.
  private var present: Registration?
  /// Whether the last one had a service, and when it took the place of another one.
  private var last: (hasService: Bool, since: Date?)?
  /// The store of the present registration, or of the last one.
  private var lastStore: StoreID?
  /// Identifies the proxy that is registered.
  private var owner: ObjectIdentifier?

  /// The store of the present registration; nil if there is none.
  var store: StoreID? { present == nil ? nil : lastStore }

  /// Takes over what a proxy has now, and returns its registration.
  ///
  /// There are these cases: a proxy that is not registered any more has a registration of its own; one
  /// without repositories is about to get them, and until a chain has set the local one, that of the proxy
  /// before it is in use; the same service in the same store stays registered; any other one ends the
  /// registration before it. In another store, no record is of the former one.
  mutating func take(
    _ service: ServiceIdentity?, in store: StoreID?, by proxy: ObjectIdentifier, isNew: Bool,
    at date: Date
  ) -> Registration {
    if isNew { owner = proxy }
    guard owner == proxy, service != nil || store != nil else {
      return Registration(service, since: nil)
    }
    let isOtherStore = store != nil && lastStore != nil && store != lastStore
    lastStore = store ?? lastStore
    if let present, !isOtherStore, Self.areSame(present.service, service) { return present }
    end()
    let since = last.flatMap { $0.hasService ? date : $0.since }
    let next = Registration(service, since: isOtherStore ? nil : since)
    present = next
    return next
  }

  private static func areSame(_ one: ServiceIdentity?, _ other: ServiceIdentity?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.isSame(as: other)
  }

  /// Ends the present registration; the next one is another.
  private mutating func end() {
    guard let present else { return }
    present.end()
    last = (present.service != nil, present.since)
    self.present = nil
  }

  /// Does the same, and has no proxy be the registered one.
  mutating func unregister() {
    end()
    owner = nil
  }
}
