/// The proxies of an `Evocation`, by the identity of their model type.
///
/// It uses the identity and not the printed name, so that two types called `User` do not collide.
package final class Registry: Sendable {
  private struct State {
    var proxies: [ObjectIdentifier: any AnyProxy] = [:]
    /// Lines outlive their proxies, so that writes stay in order while a proxy is replaced.
    var lines: [ObjectIdentifier: WriteSerializer] = [:]
    /// Logs outlive them too, so that a fetch knows of writes through the next proxy.
    var logs: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  }

  /// Notified each time that observed caches are validated.
  package let validations = Broadcast<Void>()
  private let state = Lock(State())
  private let sessions: Sessions

  package init(_ sessions: Sessions) {
    self.sessions = sessions
  }

  func register<Model: Sendable>(
    _ type: Model.Type,
    _ make: (WriteSerializer, WriteLog<Model>, Proxy<Model>?) -> Proxy<Model>
  ) -> Proxy<Model> {
    let id = ObjectIdentifier(type)
    return state.change { state in
      // An object under a type's identity belongs to that type, so the cast cannot fail.
      let log = state.logs[id].map { unsafeDowncast($0, to: WriteLog<Model>.self) }
      let former = state.proxies[id].map { unsafeDowncast($0, to: Proxy<Model>.self) }
      let proxy = make(
        state.lines[id, default: WriteSerializer("\(type)")], log ?? WriteLog(sessions), former)
      state.lines[id] = proxy.line
      state.logs[id] = proxy.log
      return (proxy: proxy, old: state.proxies.updateValue(proxy, forKey: id))
    } afterwards: {
      $0.proxy
    }
  }

  /// Validates the observed caches of all model types.
  package func validate() async {
    validations.tell()
    await BackgroundWork.$current.withValue(BackgroundWork()) {
      await withTaskGroup { group in
        for proxy in all { group.addTask { await proxy.validateObserved() } }
      }
    }
  }

  /// All proxies, of any model type.
  package var all: [any AnyProxy] { state.withLock { Array($0.proxies.values) } }

  func unregister(_ id: ObjectIdentifier) {
    state.change { $0.proxies.removeValue(forKey: id) }
  }

  @inline(__always)
  package func proxy<Model: Sendable>(for type: Model.Type) -> Proxy<Model>? {
    guard let proxy = proxy(of: ObjectIdentifier(type)) else { return nil }
    // An object under a type's identity is that type's proxy, so the cast cannot fail. A checked
    // cast would cost more than the rest of the look-up.
    return unsafeDowncast(proxy, to: Proxy<Model>.self)
  }

  /// Returns the proxy of the model type with an identity.
  @inline(__always)
  package func proxy(of id: ObjectIdentifier) -> (any AnyProxy)? {
    state.withLock { $0.proxies[id] }
  }
}
