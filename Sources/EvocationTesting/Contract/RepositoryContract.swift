public import Evocation
public import Foundation

/// Compares a repository with the one in memory, and returns each violation as a sentence.
///
/// ```swift
/// let contract = RepositoryContract(models) { car in
///   var car = car
///   car.year += 1
///   return car
/// }
/// let violations = await contract.violations { InMemoryRepository<Car>() }
/// ```
///
/// It works with any test framework: an empty list is a pass. `InMemoryRepository` is the reference
/// for answers and their order. Each check creates an empty repository.
///
/// The contract checks reads and writes of one model and of many, criteria of every kind, orders,
/// limits and cursors. A canceled call must throw `CancellationError` and do nothing. An
/// `ObservableRepository` must report each commit. A repository may reject a ``Capability`` with a
/// permanent error that names it. The ``Report`` lists these:
///
/// ```swift
/// let report = await contract.report { InMemoryRepository<Car>() }
/// #expect(report.violations == [])
/// #expect(report.refused == [])
/// ```
public struct RepositoryContract<Model: Codable & Identifiable & Equatable & Sendable>: Sendable {
  /// A rule that the repository broke.
  public struct Violation: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The rule, as a sentence.
    public let rule: String

    /// What the contract observed instead.
    public let observation: String

    /// The rule and the observation.
    public var description: String { "\(rule) \(observation)" }

    package init(rule: String, observation: String) {
      self.rule = rule
      self.observation = observation
    }
  }

  let models: [Model]
  let change: @Sendable (Model) -> Model

  /// Creates the contract.
  ///
  /// - Parameters:
  ///   - models: At least three models with different ids. The more their properties differ, the
  ///     more the contract checks.
  ///   - change: Returns the model with the same id and another value.
  public init(_ models: [Model], change: @escaping @Sendable (Model) -> Model) {
    self.models = models
    self.change = change
  }

  /// Checks everything.
  ///
  /// - Parameter make: Creates an empty repository, or empties an existing one.
  /// - Returns: The violations; empty if the repository keeps the contract.
  public func violations<Subject: Repository<Model>>(
    _ make: () async throws -> Subject
  ) async -> [Violation] {
    await report(make).violations
  }

  /// Checks everything, and reports also what the repository rejects.
  ///
  /// - Parameter make: Creates an empty repository, or empties an existing one.
  /// - Returns: The violations, and what the repository rejects.
  public func report<Subject: Repository<Model>>(
    _ make: () async throws -> Subject
  ) async -> Report {
    var report = Report()
    let count = (try? await InMemoryRepository(models).count(Criteria())) ?? 0
    guard count >= 3 else {
      report.violations = [
        Violation(
          rule: "The contract needs at least three models with different ids.",
          observation: "It has \(count): pass more models to RepositoryContract.")
      ]
      return report
    }
    for check in Self.checks {
      do {
        var trial = Trial(repository: try await make(), contract: self, rule: check.rule)
        defer { report.add(trial.report) }
        try await check.body(&trial)
      } catch {
        report.violations.append(Violation(rule: check.rule, observation: "It failed: \(error)"))
      }
    }
    return report
  }

  private static var checks: [Check] {
    writingChecks + readingChecks + criteriaChecks + cancellingChecks + observingChecks
  }
}
