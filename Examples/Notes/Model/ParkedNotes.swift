public import Evocation
import Foundation
public import Observation

/// The changes that the server has refused, for a screen on which the user decides about each.
@MainActor @Observable
public final class ParkedNotes {
  /// A change that waits for the user.
  public typealias Entry = Outbox.Entry<Note>

  /// The refused changes, the oldest first.
  public private(set) var entries: [Entry] = []

  /// Why the last decision had no effect; nil if it had one.
  public private(set) var error: String?

  @ObservationIgnored private let outbox: Outbox

  /// Begins without entries; they come with ``follow()``.
  public init(_ notebook: Notebook) { outbox = notebook.evocation.outbox }

  /// Shows the parked changes, until its task is canceled.
  public func follow() async {
    let events = outbox.events()
    await read()
    for await _ in events { await read() }
  }

  /// Sends a change again as it is.
  public func retry(_ entry: Entry) async { await decide { try await $0.retry(entry) } }

  /// Gives a change up; the note is again as the server has it.
  public func discard(_ entry: Entry) async { await decide { try await $0.discard(entry) } }

  private func decide(_ body: (Outbox) async throws -> Void) async {
    do {
      try await body(outbox)
      error = nil
    } catch {
      self.error = error.localizedDescription
    }
    await read()
  }

  private func read() async {
    do { entries = try await outbox.parked(Note.self) } catch {
      self.error = error.localizedDescription
    }
  }
}
