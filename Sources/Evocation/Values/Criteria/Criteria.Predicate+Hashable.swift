extension Criteria.Predicate {
  private enum Identity: Hashable {
    case comparison(Criteria.Key, Criteria.Comparison, Criteria.Operand)
    case isIn(Criteria.Key, Set<Criteria.Scalar>)
    case between(Criteria.Key, Criteria.Scalar, Criteria.Scalar)
    case isNull(Criteria.Key)
    case hasPrefix(Criteria.Key, ByteText)
    case contains(Criteria.Key, Criteria.Operand)
    case text(Criteria.Key, Criteria.TextComparison, ByteText, Criteria.CompareOptions)
    case matching(ByteText)
    case parameter(Criteria.Key, Criteria.Operand)
    /// The text of a join, which the compiler compares without a call for each level.
    case join(String)
  }

  /// Whether both match the same models by the same terms, in any order; text is compared by bytes.
  ///
  /// The order of the parts of *and* and *or*, and of the values of a list, does not matter.
  /// Neither does a value that is in a list twice.
  public static func == (left: Self, right: Self) -> Bool {
    left.identity == right.identity
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }

  private var identity: Identity {
    switch self {
    case .comparison(let key, let comparison, let value): .comparison(key, comparison, value)
    case .isIn(let key, let values): .isIn(key, Set(values))
    case .between(let key, let lower, let upper): .between(key, lower, upper)
    case .isNull(let key): .isNull(key)
    case .hasPrefix(let key, let prefix): .hasPrefix(key, ByteText(prefix))
    case .contains(let key, let value): .contains(key, value)
    case .text(let key, let comparison, let text, let options):
      .text(key, comparison, ByteText(text), options)
    case .matching(let words): .matching(ByteText(words))
    case .parameter(let key, let value): .parameter(key, value)
    case .all, .any, .not: .join(sortedText)
    }
  }
}
