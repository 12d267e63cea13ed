/// The read that counts the models that match.
enum Count: ReadAction {
  static var name: String { "count" }
  static var action: Strategy.Action { .find }
  static var givesModels: Bool { false }

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    guard let several = repository as? FallbackRepository<Model> else {
      return Answer(count: try await repository.count(criteria))
    }
    let count = try await several.counted(criteria)
    return Answer(count: count.value, values: count.metadata)
  }
}

/// The read that asks whether a model matches, as a count of one or zero.
enum Exists: ReadAction {
  static var name: String { "exists" }
  static var action: Strategy.Action { .find }
  static var givesModels: Bool { false }
  static var countsToOne: Bool { true }

  static func ask<Model>(
    _ repository: any Repository<Model>, for criteria: Criteria
  ) async throws -> Answer<Model> {
    guard let several = repository as? FallbackRepository<Model> else {
      return Answer(count: try await repository.exists(criteria) ? 1 : 0)
    }
    let exists = try await several.anyExists(criteria)
    return Answer(count: exists.value ? 1 : 0, values: exists.metadata)
  }
}

extension Evocation {
  /// Counts the models that match, by the rule for `find`.
  ///
  /// A limit and an offset apply as in `find`. Zero is not an error; a rule with
  /// ``Strategy/FallbackCondition/onErrorOrEmpty`` takes it for an empty answer. Counting
  /// synchronizes nothing. Under `maxAge`, the local store answers only while the last find of the
  /// same criteria is fresh.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  public func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Int> {
    await perform(.read(Count.self, criteria ?? Criteria()) as Operation<Model>, rule).count { $0 }
  }

  /// Counts the models that match, by the rule for `find`.
  ///
  /// A limit and an offset apply as in `find`. Zero is not an error; a rule with
  /// ``Strategy/FallbackCondition/onErrorOrEmpty`` takes it for an empty answer. Counting
  /// synchronizes nothing. Under `maxAge`, the local store answers only while the last find of the
  /// same criteria is fresh. You can cancel the returned task. It ends when the callback has
  /// returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  @discardableResult
  public func count<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil,
    callback: @escaping @Sendable (Result<Int>) -> Void
  ) -> Task<Void, Never> {
    submit(.read(Count.self, criteria ?? Criteria()) as Operation<Model>, rule) {
      callback($0.count { $0 })
    }
  }

  /// Returns whether a model matches, by the rule for `find`.
  ///
  /// `false` is not an error; a rule with ``Strategy/FallbackCondition/onErrorOrEmpty`` takes it
  /// for an empty answer. The call synchronizes nothing. Under `maxAge`, the local store answers
  /// only while the last find of the same criteria is fresh.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
  public func exists<Model: Sendable>(
    model: Model.Type, criteria: Criteria? = nil, rule: Strategy.Rule? = nil
  ) async -> Result<Bool> {
    await perform(.read(Exists.self, criteria ?? Criteria()) as Operation<Model>, rule)
      .count { $0 > 0 }
  }

  /// Returns whether a model matches, by the rule for `find`.
  ///
  /// `false` is not an error; a rule with ``Strategy/FallbackCondition/onErrorOrEmpty`` takes it
  /// for an empty answer. The call synchronizes nothing. Under `maxAge`, the local store answers
  /// only while the last find of the same criteria is fresh. You can cancel the returned task. It
  /// ends when the callback has returned.
  ///
  /// A `rule` replaces the strategy's rule. If it does not fit the call, the result has an error.
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
