import Evocation

/// The credential of a service, which is renewed once for all waiting requests.
final class Credentials: Sendable {
  typealias Hook = @Sendable () async throws -> String?
  typealias Outcome = Result<String?, any Error>

  private struct State {
    /// The waiting requests, by the credential that the service refused.
    var waiters: [String?: [Promise<Outcome>]] = [:]
    /// The last credentials that the service refused, and the credential that replaced them.
    var refused: [String?] = []
    var renewed: String?
    /// The credentials that the service refused since the hook last returned another one.
    var unreplaced: [String?] = []
    /// The last credential that was sent; nil before the first request.
    var last: String??
    /// The credentials that were sent lately, since the last sign-out.
    var sent: [String] = []
    /// Those that were sent before a sign-out, and by no request of the app since; nil for none.
    var former: [String?] = []
    /// It is another one after each sign-out.
    var session = Session()
  }

  /// What happens to the credential.
  enum Change: Sendable {
    /// Another one has replaced one that the service refused.
    case replaced
    /// Another one was sent than with the request before.
    case sent(String?)
    case signedOut
  }

  let changes = Broadcast<Change>()

  /// The services whose hooks are running in this task.
  @TaskLocal private static var renewing: Set<ObjectIdentifier> = []

  private let state = Lock(State())

  /// Whether the hook itself sends this request, which would wait for its own end.
  var isRenewing: Bool { Self.renewing.contains(ObjectIdentifier(self)) }

  /// Returns the credential to try after the service has refused one.
  ///
  /// - The hook runs once for each refused credential. Requests that come while it runs wait for its
  ///   result.
  /// - Requests that come later with an old credential receive that result immediately.
  /// - The hook runs again if the result was itself refused, or if the hook failed.
  func renewed(_ refused: String?, by hook: @escaping Hook) async throws -> String? {
    let mine = Promise<Outcome>()
    let (known, isFirst) = state.withLock { state -> (String?, Bool) in
      if let renewed = state.renewed, renewed != refused, state.refused.contains(refused) {
        return (renewed, false)
      }
      let waiters = state.waiters[refused] ?? []
      state.waiters[refused] = waiters + [mine]
      return (nil, waiters.isEmpty)
    }
    if let known { return known }
    // A separate task, so that a canceled caller does not end the renewal for the others.
    if isFirst { Task { await renew(refused, by: hook) } }
    return try await mine.value(ifCancelled: .failure(CancellationError())).get()
  }

  /// Calls a handler each time another credential has replaced a refused one.
  func observe(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    changes.observe { if case .replaced = $0 { handler() } }
  }

  /// Records that the service has refused a credential.
  func recordRefused(_ credential: String?) {
    state.withLock { state in
      state.unreplaced = state.unreplaced.suffix(7).filter { $0 != credential } + [credential]
    }
  }

  /// Records the credential that the hook has returned for a request; nil replaces nothing.
  func recordGiven(_ credential: String?) {
    guard let credential else { return }
    let isReplacement = state.withLock { state in
      guard !state.unreplaced.isEmpty, !state.unreplaced.contains(credential) else { return false }
      state.unreplaced = []
      return true
    }
    if isReplacement { changes.tell(.replaced) }
  }

  /// The present session.
  var session: Session { state.withLock(\.session) }

  /// The last credential that was sent; nil before the first request.
  var last: String?? { state.withLock(\.last) }

  /// Records the credential of a message, at last as the app has completed it.
  ///
  /// `session` is that in which a request of the app began; nil for one of a stream.
  func recordSent(_ credential: String?, in session: Session?) {
    let isNews = state.withLock { state in
      let isOther = state.last != .some(credential)
      state.last = .some(credential)
      if let credential, state.sent.last != credential {
        state.sent = state.sent.suffix(7).filter { $0 != credential } + [credential]
      }
      guard session === state.session, state.former.contains(credential) else { return isOther }
      state.former.removeAll { $0 == credential }
      return true
    }
    if isNews { changes.tell(.sent(credential)) }
  }

  /// Records that the user has signed out.
  func recordSignedOut() {
    state.withLock { state in
      state.session = Session()
      // Where the user had a credential, nobody is signed in without one.
      let sent = state.sent.isEmpty ? [] : state.sent + [nil]
      state.former = (state.former.filter { !sent.contains($0) } + sent).suffix(16)
      (state.sent, state.last) = ([], nil)
    }
    changes.tell(.signedOut)
  }

  /// Whether credentials are known from before a sign-out.
  var hasFormer: Bool { state.withLock { !$0.former.isEmpty } }

  /// Whether a credential is from before a sign-out, and no request of the app was sent with it since.
  ///
  /// None at all counts as one of them, if there was one before.
  func isFormer(_ credential: String?) -> Bool { state.withLock { $0.former.contains(credential) } }

  private func renew(_ refused: String?, by hook: Hook) async {
    let renewing = Self.renewing.union([ObjectIdentifier(self)])
    let outcome: Outcome
    do {
      outcome = .success(try await Self.$renewing.withValue(renewing) { try await hook() })
    } catch {
      outcome = .failure(error)
    }
    let waiters = state.withLock { state in
      if case .success(let credential) = outcome {
        state.refused = state.refused.suffix(7).filter { $0 != credential } + [refused]
        state.renewed = credential
      }
      return state.waiters.removeValue(forKey: refused) ?? []
    }
    for waiter in waiters { waiter.fulfil(outcome) }
    if case .success(let credential) = outcome { recordGiven(credential) }
  }
}
