package import Evocation
package import EvocationTesting
import Foundation

/// Compares a repository with an outbox with what every one must do, and returns each violation.
///
/// It checks the transactions, the entries and models that they return, that a transaction is all or
/// nothing, and which observers a commit notifies. It also checks writes with an outbox, and writes of
/// answers from the remote repository. ``RepositoryContract`` checks what every repository must do.
package struct OutboxRepositoryContract<Model: Codable & Identifiable & Equatable & Sendable>:
  Sendable
{
  /// A rule that a repository broke.
  package typealias Violation = RepositoryContract<Model>.Violation

  private let models: [Model]
  private let change: @Sendable (Model) -> Model

  /// Makes the contract.
  ///
  /// - Parameters:
  ///   - models: At least three, with ids of their own.
  ///   - change: Gives the same model with another value somewhere, and the same id.
  package init(_ models: [Model], change: @escaping @Sendable (Model) -> Model) {
    self.models = models
    self.change = change
  }

  /// Checks everything.
  ///
  /// - Parameter make: Makes an empty repository, or empties the one there is.
  /// - Returns: What the repository broke; empty when it keeps the contract.
  package func violations<Subject: OutboxStore<Model>>(
    _ make: () async throws -> Subject
  ) async -> [Violation] {
    var violations: [Violation] = []
    for check in Self.entryChecks + Self.modelChecks + Self.commitChecks {
      do {
        let trial = Trial(repository: try await make(), models: models, change: change)
        for observation in try await check.body(trial) {
          violations.append(Violation(rule: check.rule, observation: observation))
        }
      } catch {
        violations.append(Violation(rule: check.rule, observation: "It failed: \(error)"))
      }
    }
    return violations
  }

  /// A rule and how it is tried; it gives what was seen instead.
  struct Check: Sendable {
    let rule: String
    let body: @Sendable (Trial) async throws -> [String]
  }

  typealias Entry = Outbox.Entry<Model>
  typealias Transaction = OutboxTransaction<Model>

  /// One check of one repository.
  struct Trial: Sendable {
    let repository: any OutboxStore<Model>
    let models: [Model]
    let change: @Sendable (Model) -> Model

    /// An entry with a name of its own, all of whose properties say something.
    func entry(
      _ id: String, _ model: Model, _ kind: Outbox.EntryKind = .update, base: Model? = nil,
      state: Outbox.EntryState = .pending, references: [Outbox.Reference] = []
    ) -> Entry {
      Entry(
        id: id, kind: kind, model: model, base: base,
        queuedAt: .init(timeIntervalSinceReferenceDate: 1_000.5), attempts: 3, state: state,
        wasAttempted: true, references: references)
    }

    func run<Value: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
      try await repository.transact(isShort: false, body)
    }

    func look<Value: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
      try await repository.look(isShort: false, body)
    }

    /// Adds entries, and gives them with their positions.
    func append(_ entries: Entry...) async throws -> [Entry] {
      try await run { transaction in
        try entries.map { entry in
          var entry = entry
          entry.position = try transaction.append(entry)
          return entry
        }
      }
    }

    /// All entries as text, the oldest first.
    func all() async throws -> [String] {
      try await look { try Self.texts($0.records(after: .min, limit: 1_000)) }
    }

    /// The ids of the entries that can be sent, and whether they were attempted.
    func pending() async throws -> [String] {
      try await look { transaction in
        try transaction.entries.pending(after: .min, limit: 1_000).map {
          "\($0.id) \($0.wasAttempted)"
        }
      }
    }

    /// The models that the repository holds, as text.
    func held() async throws -> [String] {
      try await repository.find(Criteria()).value.map { "\($0)" }
    }

    /// Entries with all that they hold.
    static func texts(_ records: [OutboxRecord<Model>]) throws -> [String] {
      records.map { record in record.entry.map(text) ?? "unreadable \(record.id)" }
    }

    static func text(_ entry: Entry) -> String {
      let base = entry.base.map { "\($0)" } ?? "nothing"
      let seen = entry.seen.map { "\($0)" } ?? "nothing"
      return "\(entry.id): \(entry.kind) \(entry.model) on \(base), \(entry.state), "
        + "\(entry.attempts) attempts, \(entry.wasAttempted), \(entry.queuedAt), "
        + "at \(entry.position), after \(entry.references), seen \(seen), version \(entry.version ?? "none"), "
        + "unit \(entry.unit.map { "\($0)" } ?? "none"), \(entry.priority), said \(said(entry))"
    }

    /// What the service said about an entry.
    static func said(_ entry: Entry) -> String {
      guard let words = entry.words else { return "nothing" }
      let fields = words.fields.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
      return "\(words.status ?? 0) \(words.message ?? "") \(fields)"
    }

    /// Nothing where two values are equal, and else a sentence.
    func same<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) -> [String] {
      found == wanted ? [] : ["\(what) gave \(found) instead of \(wanted)."]
    }
  }
}

/// Ends a transaction that is to leave nothing.
struct RolledBack: Error {}
