internal import Evocation

/// A registration that is followed: its service, and the store that the service's changes arrive in.
struct LiveTarget<Model: Sendable>: Sendable {
  let proxy: Proxy<Model>
  let binding: LocalBinding<Model>
  let local: any Repository<Model>
  let live: any LiveRepository<Model>

  /// Returns nil if the registration has no local repository, or its service sends no changes.
  init?(_ proxy: Proxy<Model>) {
    let wiring = proxy.wiring
    guard let local = wiring.local, let live = wiring.live else { return nil }
    (self.proxy, self.local, self.live) = (proxy, local, live)
    (binding, registration) = (wiring.binding, wiring.registration)
  }

  /// The registration of the service.
  let registration: Registration

  /// Whether another one has the same registration and store.
  func isSame(as other: LiveTarget) -> Bool {
    registration === other.registration && binding === other.binding
  }

  /// The name of the service; nil if the repository names none.
  var service: String? { (live as? any SharedService)?.service }

  /// The name under which a ledger records the service's mark.
  ///
  /// It names what sends the changes, because a mark says nothing to another service.
  var source: String {
    let name = (live as? any SharedService)?.liveName ?? stableName(of: type(of: live))
    return LiveStatus.source + " " + name
  }
}
