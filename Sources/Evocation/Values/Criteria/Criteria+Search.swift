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

extension Criteria.Predicate {
  /// Whether only a full-text index knows which models match.
  package var isFullText: Bool {
    switch self {
    case .matching: true
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text: false
    case .not(let part): part.isFullText
    case .all(let parts), .any(let parts): parts.contains(where: \.isFullText)
    }
  }

  /// Refuses criteria that only a full-text index can answer.
  ///
  /// - Throws: ``EvocationError/unsearchable(model:reason:)``.
  package func refuseFullText(
    _ model: @autoclosure () -> String, _ reason: @autoclosure () -> String
  ) throws(EvocationError) {
    if isFullText { throw .unsearchable(model: model(), reason: reason()) }
  }
}
