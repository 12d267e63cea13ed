import Evocation

/// The credential of a service: renewed once for all requests that wait.
final class Credentials: Sendable {
  typealias Hook = @Sendable () async throws -> String?
  typealias Outcome = Result<String?, any Error>

  private struct State {
    /// Who waits, by the credential that was refused.
    var waiters: [String?: [Promise<Outcome>]] = [:]
    /// The last credentials that were refused, and the one that came after them.
    var refused: [String?] = []
    var renewed: String?
    /// The credentials that were refused since another one was given; empty where none was.
    var unreplaced: [String?] = []
  }

  private let replacements = Notifier()

  /// Whose hooks are under way in this task.
  @TaskLocal private static var renewing: Set<ObjectIdentifier> = []

  private let state = Lock(State())

  /// Whether this is a request of the hook itself, which would wait for its own end.
  var isRenewing: Bool { Self.renewing.contains(ObjectIdentifier(self)) }

  /// The credential to try after the service has refused one.
  ///
  /// The hook is asked once for each credential that was refused: who comes while it is being asked
  /// waits for the same answer, and who comes later, with an old credential, gets that answer at
  /// once. One that was refused itself, or that failed, is asked for anew.
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
    // A task of its own, so that a caller who is cancelled ends it for nobody else.
    if isFirst { Task { await renew(refused, by: hook) } }
    let outcome = await withCancellationHandler {
      await mine.value
    } onCancel: {
      mine.fulfil(.failure(CancellationError()))
    }
    return try outcome.get()
  }

  /// Calls a handler each time after a credential that was refused has been replaced by another.
  func observe(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    replacements.observe(handler)
  }

  /// Takes that the service has refused a credential.
  func noteRefused(_ credential: String?) {
    state.withLock { state in
      state.unreplaced = state.unreplaced.suffix(7).filter { $0 != credential } + [credential]
    }
  }

  /// Takes the credential that the hook has given for a request; none at all replaces nothing.
  func noteGiven(_ credential: String?) {
    guard let credential else { return }
    let isReplacement = state.withLock { state in
      guard !state.unreplaced.isEmpty, !state.unreplaced.contains(credential) else { return false }
      state.unreplaced = []
      return true
    }
    if isReplacement { replacements.tell() }
  }

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
    if case .success(let credential) = outcome { noteGiven(credential) }
  }
}
