import Evocation
import Foundation
public import Observation

/// A user's wish to sign out, which first sends what is unsent.
@MainActor @Observable
public final class SignOutRequest {
  /// How far it is.
  public enum Phase: Equatable, Sendable {
    /// The user has not confirmed it yet.
    case ready
    /// The outbox sends what is unsent.
    case sending
    /// So many changes could not be sent, and would be lost.
    case unsent(Int)
    /// The device has no notes any more.
    case signedOut
    /// It failed, for the reason in the sentence.
    case failed(String)
  }

  /// What the screen shows.
  public private(set) var phase = Phase.ready

  @ObservationIgnored private let evocation: Evocation

  /// Creates a request; nothing happens before ``signOut(sendingFor:)``.
  public init(_ notebook: Notebook) { evocation = notebook.evocation }

  /// Sends what can be sent within seconds, and signs out if nothing is left.
  public func signOut(sendingFor deadline: Duration = .seconds(5)) async {
    phase = .sending
    await evocation.outbox.flush(deadline: deadline)
    await finish(.block)
  }

  /// Signs out, and gives up what is unsent.
  public func signOutAnyway() async { await finish(.discard) }

  private func finish(_ unsent: Outbox.UnsentWrites) async {
    do {
      try await evocation.signOut(unsent)
      phase = .signedOut
    } catch EvocationError.unsentWrites(let count) {
      phase = .unsent(count)
    } catch {
      phase = .failed(error.localizedDescription)
    }
  }
}
