/// The proxies of an `Evocation`, by the identity of their model type.
///
/// Identity, and not the printed name: two types called `User` do not collide.
final class Registry: Sendable {
  private struct State {
    var proxies: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    /// Lines outlive their proxies, so that writes stay in order while a proxy is replaced.
    var lines: [ObjectIdentifier: WriteLine] = [:]
    /// Logs do too, so that a fetch knows what was written through the next proxy.
    var logs: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  }

  private let state = Lock(State())

  func register<Model: Sendable>(
    _ type: Model.Type, _ make: (WriteLine, WriteLog<Model>) -> Proxy<Model>
  ) -> Proxy<Model> {
    let id = ObjectIdentifier(type)
    // What is replaced is let go of after the lock, because that may end an app's own objects.
    let (proxy, old) = state.withLock { state in
      // What is kept under a type's identity is that type's, so the cast cannot fail.
      let log = state.logs[id].map { unsafeDowncast($0, to: WriteLog<Model>.self) }
      let proxy = make(state.lines[id, default: WriteLine("\(type)")], log ?? WriteLog())
      state.lines[id] = proxy.line
      state.logs[id] = proxy.log
      return (proxy, state.proxies.updateValue(proxy, forKey: id))
    }
    withExtendedLifetime(old) {}
    return proxy
  }

  func unregister(_ id: ObjectIdentifier) {
    let old = state.withLock { $0.proxies.removeValue(forKey: id) }
    withExtendedLifetime(old) {}
  }

  func proxy<Model: Sendable>(for type: Model.Type) -> Proxy<Model>? {
    guard let proxy = lookUp(ObjectIdentifier(type)) else { return nil }
    // What is kept under a type's identity is that type's proxy, so the cast cannot fail; a
    // checked one would cost more than the rest of the look-up.
    return unsafeDowncast(proxy, to: Proxy<Model>.self)
  }

  private func lookUp(_ id: ObjectIdentifier) -> (any AnyObject & Sendable)? {
    state.withLock { $0.proxies[id] }
  }
}
