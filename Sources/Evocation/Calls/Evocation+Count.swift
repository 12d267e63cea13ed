/// How many models match.
enum Count: ReadAction {
  static var name: String { "count" }
  static var action: Strategy.Action { .find }
  static var givesModels: Bool { false }

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    Answer(count: try await repository.count(criteria))
  }
}

/// Whether a model matches, as a count of one or none.
enum Exists: ReadAction {
  static var name: String { "exists" }
  static var action: Strategy.Action { .find }
  static var givesModels: Bool { false }
  static var countsToOne: Bool { true }

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    Answer(count: try await repository.exists(criteria) ? 1 : 0)
  }
}

extension Evocation {
  /// Counts the models that match, by the rule for `find`.
  ///
  /// A limit and an offset count what `find` would give with them. Zero is not an error, but an
  /// empty answer to a rule that falls back on those. Nothing is synchronized, and local answers in
  /// the remote's place only while what it has of these criteria is fresh.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Int> {
    await perform(.read(Count.self, criteria ?? Criteria()) as Operation<Model>, rule).count { $0 }
  }

  /// Counts the models that match, by the rule for `find`.
  ///
  /// A limit and an offset count what `find` would give with them. Zero is not an error, but an
  /// empty answer to a rule that falls back on those. Nothing is synchronized, and local answers in
  /// the remote's place only while what it has of these criteria is fresh. The task can be
  /// cancelled; it ends when the callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Int>) -> Void
  ) -> Task<Void, Never> {
    submit(.read(Count.self, criteria ?? Criteria()) as Operation<Model>, rule) {
      callback($0.count { $0 })
    }
  }

  /// Says whether a model matches, by the rule for `find`.
  ///
  /// `false` is not an error, but an empty answer to a rule that falls back on those. Nothing is
  /// synchronized, and local answers in the remote's place only while what it has of these criteria
  /// is fresh.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public func exists<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Bool> {
    await perform(.read(Exists.self, criteria ?? Criteria()) as Operation<Model>, rule)
      .count { $0 > 0 }
  }

  /// Says whether a model matches, by the rule for `find`.
  ///
  /// `false` is not an error, but an empty answer to a rule that falls back on those. Nothing is
  /// synchronized, and local answers in the remote's place only while what it has of these criteria
  /// is fresh. The task can be cancelled; it ends when the callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public func exists<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Bool>) -> Void
  ) -> Task<Void, Never> {
    submit(.read(Exists.self, criteria ?? Criteria()) as Operation<Model>, rule) {
      callback($0.count { $0 > 0 })
    }
  }
}

// The same through ``Evocation/shared``.
extension Evocation {
  /// Counts the models that match, by the rule for `find`, through ``shared``.
  ///
  /// A limit and an offset count what `find` would give with them. Zero is not an error, but an
  /// empty answer to a rule that falls back on those. Nothing is synchronized, and local answers in
  /// the remote's place only while what it has of these criteria is fresh.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public static func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Int> {
    await shared.count(model: model, criteria: criteria, rule: rule)
  }

  /// Counts the models that match, by the rule for `find`, through ``shared``.
  ///
  /// A limit and an offset count what `find` would give with them. Zero is not an error, but an
  /// empty answer to a rule that falls back on those. Nothing is synchronized, and local answers in
  /// the remote's place only while what it has of these criteria is fresh. The task can be
  /// cancelled; it ends when the callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public static func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Int>) -> Void
  ) -> Task<Void, Never> {
    shared.count(model: model, criteria: criteria, rule: rule, callback: callback)
  }

  /// Says whether a model matches, by the rule for `find`, through ``shared``.
  ///
  /// `false` is not an error, but an empty answer to a rule that falls back on those. Nothing is
  /// synchronized, and local answers in the remote's place only while what it has of these criteria
  /// is fresh.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  public static func exists<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Bool> {
    await shared.exists(model: model, criteria: criteria, rule: rule)
  }

  /// Says whether a model matches, by the rule for `find`, through ``shared``.
  ///
  /// `false` is not an error, but an empty answer to a rule that falls back on those. Nothing is
  /// synchronized, and local answers in the remote's place only while what it has of these criteria
  /// is fresh. The task can be cancelled; it ends when the callback has returned.
  ///
  /// A `rule` stands in for the strategy's in this call; one that does not fit it is an error.
  @discardableResult
  public static func exists<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Bool>) -> Void
  ) -> Task<Void, Never> {
    shared.exists(model: model, criteria: criteria, rule: rule, callback: callback)
  }
}
