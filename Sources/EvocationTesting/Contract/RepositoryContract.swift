public import Evocation

/// What every repository must do, checked on real models and returned as a list of violations.
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
/// It needs no test framework: an empty list is a pass. `InMemoryRepository` is the
/// reference for what criteria give and in which order. Each check asks for an empty repository.
///
/// It checks reads and writes, one model at a time and many; criteria of every kind, orders, limits
/// and cursors; that a cancelled call throws `CancellationError` and does nothing; and, where the
/// repository is an `ObservableRepository`, that it tells each commit. What a repository may do
/// without is a ``Capability``: to refuse it with a permanent error that names it is no violation,
/// and is listed in the ``Report``:
///
/// ```swift
/// let report = await contract.report { InMemoryRepository<Car>() }
/// #expect(report.violations == [])
/// #expect(report.refused == [])
/// ```
public struct RepositoryContract<Model: Codable & Identifiable & Equatable & Sendable>: Sendable {
  /// A rule that a repository broke.
  public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule, as a sentence.
    public let rule: String

    /// What happened instead.
    public let observation: String

    /// The rule and what happened instead.
    public var description: String { "\(rule) \(observation)" }

    package init(rule: String, observation: String) {
      self.rule = rule
      self.observation = observation
    }
  }

  let models: [Model]
  let change: @Sendable (Model) -> Model

  /// Makes the contract.
  ///
  /// - Parameters:
  ///   - models: At least three, with ids of their own; the more they differ in their properties,
  ///     the more is checked.
  ///   - change: Gives the same model with another value somewhere, and the same id.
  public init(_ models: [Model], change: @escaping @Sendable (Model) -> Model) {
    self.models = models
    self.change = change
  }

  /// Checks everything.
  ///
  /// - Parameter make: Makes an empty repository, or empties the one there is.
  /// - Returns: What the repository broke; empty when it keeps the contract.
  public func violations<Subject: Repository<Model>>(
    _ make: () async throws -> Subject
  ) async -> [Violation] {
    await report(make).violations
  }

  /// Checks everything, and says what the repository refuses to do.
  ///
  /// - Parameter make: Makes an empty repository, or empties the one there is.
  /// - Returns: What the repository broke, and what it refused.
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
        var trial = Trial(try await make(), self, check.rule)
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
