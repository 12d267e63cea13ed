extension Evocation {
  /// Sets what ``shared`` is made with; called once, at the app's start.
  ///
  /// ```swift
  /// try Evocation.bootstrap(.init(callbackQueue: .main))
  /// ```
  ///
  /// The static calls then have the configuration's queue, clock, ledger, outbox and log.
  ///
  /// - Throws: ``EvocationError/alreadyStarted`` when ``shared`` was used before, or this was called
  ///   before; ``shared`` stays as it is.
  public static func bootstrap(_ configuration: Configuration) throws(EvocationError) {
    try Startup.ofShared.configure(configuration)
  }
}

/// The configuration that an instance will be made with, until it is made.
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
  /// - Throws: ``EvocationError/alreadyStarted`` when it is set already, or was taken.
  func configure(_ configuration: Evocation.Configuration) throws(EvocationError) {
    let isLate = state.withLock { state in
      guard case .open = state else { return true }
      state = .configured(configuration)
      return false
    }
    if isLate { throw .alreadyStarted }
  }

  /// Takes the configuration, which cannot be set any more.
  func begin() -> Evocation.Configuration {
    let state = state.withLock { state in
      defer { state = .started }
      return state
    }
    return if case .configured(let configuration) = state { configuration } else { .init() }
  }
}
