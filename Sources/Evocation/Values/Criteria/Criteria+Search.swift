extension Criteria {
  /// Returns criteria for models whose text has these words, by a full-text index.
  ///
  /// ```swift
  /// let found = try await Evocation.find(Article.self, where: .matching("quick bro*"), limit: 20)
  /// ```
  ///
  /// All words must be in the model's text, in any order, without case and accents. A phrase is in
  /// quotes, and an asterisk at the end of a word or behind a phrase makes it a prefix. Everything
  /// else only separates words, so you can pass what a user types. A text without words matches all
  /// models.
  ///
  /// The best matches come first, unless the criteria have an order of their own. Such an order has no
  /// cursor: continue with an offset, or sort by a key.
  ///
  /// A `SQLiteRepository` finds words if its indexes have `SQLiteIndex.fullText`, and an
  /// `HTTPRepository` if its format has `filters.matching`. Every other repository throws
  /// ``EvocationError/unsearchable(model:reason:)``. Services find words in their own way, so what is
  /// found in one repository says nothing about others: like an answer with a limit, such an answer is
  /// not mirrored, and the server is asked each time.
  public static func matching(_ words: String) -> Criteria {
    Criteria(.matching(words))
  }
}

extension Criteria.Of {
  /// Returns criteria for models whose text has these words, by a full-text index.
  ///
  /// The words are those of ``Criteria/matching(_:)``.
  public static func matching(_ words: String) -> Self {
    Self(.matching(words))
  }
}

extension Criteria {
  /// Returns criteria that give a parameter of the service a value, such as the `q` of a search.
  ///
  /// ```swift
  /// let words = Criteria.parameter("q", "fox")
  /// let found = await Evocation.find(model: Article.self, criteria: words.limit(20))
  /// ```
  ///
  /// Only the service knows which models match, so it is asked each time, and its answer is not mirrored.
  /// A cache and a list of such criteria show the models that the service listed, in its order, also
  /// without a connection. An `HTTPRepository` sends it as a query item. Of a key that its
  /// `HTTPFormat.parameters` names, an equality is such a parameter too. Local repositories throw
  /// ``EvocationError/unsearchable(model:reason:)``.
  public static func parameter(_ key: Key, _ value: (any CriteriaValue)?) -> Criteria {
    Criteria(.parameter(key, Operand(value)))
  }

  /// Returns criteria in which equalities of some keys give parameters their values.
  package func declaring(_ parameters: Set<Key>) -> Criteria {
    guard !parameters.isEmpty, let predicate else { return self }
    var declared = self
    declared.predicate = predicate.declaring(parameters)
    return declared
  }

  /// The criteria without the conditions on parameters, which only the service knows.
  package var withoutParameters: Criteria {
    guard let predicate, predicate.parameter != nil else { return self }
    var rest = self
    let known = predicate.conjuncts.filter { $0.parameter == nil }
    rest.predicate = known.isEmpty ? nil : .all(known)
    return rest
  }
}

extension Criteria.Of {
  /// Returns criteria that give a parameter of the service a value.
  ///
  /// See ``Criteria/parameter(_:_:)``.
  public static func parameter(_ key: Criteria.Key, _ value: (any CriteriaValue)?) -> Self {
    Self(Criteria.parameter(key, value))
  }
}

extension Criteria.Predicate {
  /// Whether only one repository knows which models match: its index of words, or its service.
  package var isOpaque: Bool {
    switch self {
    case .matching, .parameter: true
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text: false
    case .not(let part): part.isOpaque
    case .all(let parts), .any(let parts): parts.contains(where: \.isOpaque)
    }
  }

  /// The name of a parameter of the service; nil if there is none.
  package var parameter: Criteria.Key? {
    switch self {
    case .parameter(let key, _): key
    case .matching, .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text: nil
    case .not(let part): part.parameter
    case .all(let parts), .any(let parts): parts.lazy.compactMap(\.parameter).first
    }
  }

  fileprivate func declaring(_ parameters: Set<Criteria.Key>) -> Self {
    switch self {
    case .comparison(let key, .equal, let operand) where parameters.contains(key):
      .parameter(key, operand)
    case .all(let parts): .all(parts.map { $0.declaring(parameters) })
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter,
      .any, .not:
      self
    }
  }

  /// Refuses criteria that a repository cannot answer, because only another one knows which match.
  ///
  /// - Throws: ``EvocationError/unsearchable(model:reason:)``; for words with the reason of `words`.
  package func refuseOpaque(
    _ model: @autoclosure () -> String, words: @autoclosure () -> String
  ) throws(EvocationError) {
    guard isOpaque else { return }
    throw .unsearchable(model: model(), reason: parameter.map(Self.reason(of:)) ?? words())
  }

  /// The reason for which a local repository does not find by a parameter.
  package static func reason(of parameter: Criteria.Key) -> String {
    "only the service knows which models its parameter \"\(parameter)\" finds; ask the remote, or use a "
      + "cache or a list, which shows what the service listed"
  }
}

extension EvocationError {
  /// Whether an error says that the repository cannot find by such criteria, though others may.
  package static func isUnsearchable(_ error: (any Error)?) -> Bool {
    guard case .unsearchable? = error as? EvocationError else { return false }
    return true
  }
}
