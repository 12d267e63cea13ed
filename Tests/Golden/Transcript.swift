import Evocation
import EvocationTesting
import Foundation

/// What an outsider can see of one way, by who sees it.
///
/// The lines of one watcher are in their order. Between two watchers there is none to rely on, so that
/// each has a section of its own.
final class Transcript: Sendable {
  private let sections = Lock<[String: [String]]>([:])

  func say(_ section: String, _ line: String) {
    sections.withLock { $0[section, default: []].append(line) }
  }

  func lines(_ section: String) -> [String] { sections.withLock { $0[section] ?? [] } }

  /// All of it, with the ids that were drawn at random numbered as they come.
  var text: String {
    let all = sections.withLock { $0 }.sorted { $0.key < $1.key }
    var text = all.map { "== \($0.key)\n\($0.value.joined(separator: "\n"))\n" }
      .joined(separator: "\n")
    let ids = text.matches(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/)
      .map { String($0.output.0) }
    var count = 0
    for id in ids where text.contains(id) {
      count += 1
      text = text.replacing(id, with: "<id \(count)>")
    }
    return text
  }
}

extension Transcript {
  func say<Value>(_ section: String, _ result: Evocation.Result<Value>) {
    say(section, "data: \(result.data.map { "\($0)" } ?? "none")")
    say(section, "origin: \(result.origin?.rawValue ?? "none"), fell back: \(result.didFallBack)")
    say(section, "pending: \(result.isPending), fetched: \(seconds(result.fetchedAt))")
    say(section, "error: \(text(result.error))")
    say(section, "synchronization: \(text(result.synchronizationError))")
    for type in [Evocation.RepositoryType.remote, .local] {
      guard let metadata = result.metadata[type] else { continue }
      say(
        section,
        "\(type.rawValue): \(metadata.role.rawValue), \(metadata.count) models, "
          + "\(metadata.attempts) attempts, \(metadata.duration), error: \(text(metadata.error)), "
          + "values: \(metadata.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })")
    }
    say(section, "trace: \(result.trace)")
  }

  /// Says a state of a cache, with what a list's page adds to it.
  func say<Cache>(_ section: String, _ state: CacheState<Cache>, _ models: String) {
    let flags: [(String, Bool)] = [
      ("refreshing", state.isRefreshing), ("first fetch", state.isFirstFetch),
      ("first fetch finished", state.justFinishedFirstFetch),
      ("first fetch succeeded", state.justFinishedSuccessfulFirstFetch),
      ("refresh succeeded", state.justFinishedSuccessfulRefresh), ("reading", state.isReading),
      ("stale", state.isStale), ("more", state.areMorePages),
      ("more before", state.areMorePreviousPages),
    ]
    let said = flags.filter(\.1).map(\.0).joined(separator: ", ")
    let age = state.cacheAge.map { "\($0)" } ?? "none"
    say(
      section,
      "\(models); fetched: \(seconds(state.fetchedAt)), age: \(age), next: \(state.next), "
        + "error: \(text(state.refreshError)) [\(said)]")
  }

  func say<Model>(_ section: String, _ change: RepositoryChange<Model>) {
    guard case .models(let stored, let updated, let removed) = change.extent else {
      return say(section, "unknown")
    }
    let changed = updated.map { "\($0.before) -> \($0.after)" }
    say(section, "stored \(stored), updated \(changed), removed \(removed)")
  }

  func say<Model>(_ section: String, _ entry: Outbox.Entry<Model>) {
    say(
      section,
      "\(entry.kind) \(entry.model) over \(entry.base.map { "\($0)" } ?? "nothing"), "
        + "queued: \(seconds(entry.queuedAt)), attempts: \(entry.attempts), \(text(entry.state)), "
        + "attempted: \(entry.wasAttempted), id: \(entry.id)")
  }

  private func text(_ state: Outbox.EntryState) -> String {
    guard case .waiting(let date, let reason) = state else { return "\(state)" }
    return "waiting until \(seconds(date)): \(reason)"
  }

  private func text(_ error: (any Error)?) -> String { error.map { "\($0)" } ?? "none" }

  /// The seconds since the manual clock's first date.
  private func seconds(_ date: Date?) -> String {
    date.map { "\($0.timeIntervalSinceReferenceDate) s" } ?? "never"
  }
}
