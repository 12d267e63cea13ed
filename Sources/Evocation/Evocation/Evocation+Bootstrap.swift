extension Evocation {
  /// Sets the configuration of ``shared``; call it once, when your app starts.
  ///
  /// ```swift
  /// try Evocation.bootstrap(.init(callbackQueue: .main))
  /// ```
  ///
  /// The static calls then use the queue, clock, ledger, outbox and log of the configuration.
  ///
  /// - Throws: ``EvocationError/alreadyStarted`` if your app has used ``shared`` or called this
  ///   before. ``shared`` then stays as it is.
  public static func bootstrap(_ configuration: Configuration) throws(EvocationError) {
    try Startup.ofShared.configure(configuration)
  }
}

/// The configuration of an instance that is created later.
final class Startup: Sendable {
  private enum State {
    case open
    case configured(Evocation.Configuration)
    case started
  }

  static let ofShared = Startup()

  private let state = Lock(State.open)

  /// Sets the configuration.
  ///
  /// - Throws: ``EvocationError/alreadyStarted`` if it is already set, or if the instance has taken
  ///   it.
  func configure(_ configuration: Evocation.Configuration) throws(EvocationError) {
    let isLate = state.withLock { state in
      guard case .open = state else { return true }
      state = .configured(configuration)
      return false
    }
    if isLate { throw .alreadyStarted }
  }

  /// Returns the configuration for the instance; no caller can set it afterwards.
  func begin() -> Evocation.Configuration {
    let state = state.withLock { state in
      defer { state = .started }
      return state
    }
    return if case .configured(let configuration) = state { configuration } else { .init() }
  }
}
