internal import Foundation

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
    /// What was declared about a type outlives them too, so that no registration forgets it.
    var declared: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  }

  /// Notified each time that observed caches are validated.
  package let validations = Broadcast<Void>()
  private let state = Lock(State())
  private let sessions: Sessions

  package init(_ sessions: Sessions) {
    self.sessions = sessions
  }

  /// Returns what outlives the proxies of a model type, for a new one, and the present one.
  func parts<Model: Sendable>(of type: Model.Type) -> Parts<Model> {
    let id = ObjectIdentifier(type)
    return state.withLock { state in
      // An object under a type's identity belongs to that type, so the casts cannot fail.
      let log = state.logs[id].map { unsafeDowncast($0, to: WriteLog<Model>.self) }
      let parts = Parts<Model>(
        line: state.lines[id] ?? WriteSerializer("\(type)"), log: log ?? WriteLog(sessions),
        declared: state.declared[id].map { unsafeDowncast($0, to: OutboxLink<Model>.self) },
        former: state.proxies[id].map { unsafeDowncast($0, to: Proxy<Model>.self) })
      (state.lines[id], state.logs[id]) = (parts.line, parts.log)
      return parts
    }
  }

  /// What outlives the proxies of a model type, and its present proxy.
  struct Parts<Model: Sendable> {
    let line: WriteSerializer
    let log: WriteLog<Model>
    /// What was declared about the type so far; nil for nothing.
    let declared: OutboxLink<Model>?
    let former: Proxy<Model>?
  }

  /// Registers a proxy, in place of the one before it.
  func install<Model: Sendable>(_ proxy: Proxy<Model>, at date: Date) {
    let id = ObjectIdentifier(Model.self)
    // What is replaced is released after the lock, because that may run the app's code.
    state.change { state in
      let declared = state.declared.updateValue(proxy.outboxLink, forKey: id)
      proxy.becomePresent(at: date)
      return (state.proxies.updateValue(proxy, forKey: id), declared)
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

  /// Removes a proxy, and returns it.
  func unregister<Model: Sendable>(_ type: Model.Type) -> Proxy<Model>? {
    let id = ObjectIdentifier(type)
    return state.withLock { state in
      let proxy = state.proxies.removeValue(forKey: id)
        .map { unsafeDowncast($0, to: Proxy<Model>.self) }
      proxy?.log.unregister()
      return proxy
    }
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
