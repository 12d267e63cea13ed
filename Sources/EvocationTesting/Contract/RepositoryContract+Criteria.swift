import Evocation

extension RepositoryContract {
  static var criteriaChecks: [Check] {
    [joining, choosing, turningRound, beginning, containing, folding, continuing]
  }

  typealias Questions =
    @Sendable (Criteria.Key, Criteria.Scalar, [Criteria.Scalar]) ->
    [Criteria]

  private static var joining: Check {
    Check(rule: "&&, between and isNull give what the reference gives.") {
      try await ask(&$0) { key, value, others in
        guard value != .null else { return [key.isNull] }
        let others = others.filter { $0 != .null }
        let ranges = others.map { key.between(value, and: $0) }
        return ranges + others.map { key != value && key != $0 } + [key.in(others)]
      }
    }
  }

  private static var choosing: Check {
    Check(rule: "|| gives the models that satisfy at least one side.") {
      try await ask(&$0, .or) { key, value, others in
        others.map { key == value || key == $0 } + [(key == value || key.isNull) && key == value]
      }
    }
  }

  private static var turningRound: Check {
    Check(rule: "! gives the models that do not satisfy it, also those without a value.") {
      try await ask(&$0, .not) { key, value, others in
        guard value != .null else { return [!key.isNull] }
        return [!(key == value), !(key < value), !key.in([value]), !(key == value && key.isNull)]
      }
    }
  }

  private static var beginning: Check {
    Check(rule: "hasPrefix gives the models whose text begins with it, byte by byte.") {
      try await ask(&$0, .prefix) { key, value, _ in
        guard case .text(let text) = value else { return [] }
        return ["", String(text.prefix(1)), text, text + "!", text.uppercased(), "%", "_"]
          .map { key.hasPrefix($0) }
      }
    }
  }

  private static var containing: Check {
    Check(rule: "contains gives the models whose text contains it, byte by byte.") {
      try await ask(&$0, .contains) { key, value, _ in
        guard case .text(let text) = value else { return [] }
        return [String(text.suffix(1)), text, text + "!", text.uppercased(), "%", "_"]
          .map { key.contains($0) }
      }
    }
  }

  private static var folding: Check {
    Check(rule: "Options leave out case and accents, as in the reference.") {
      try await ask(&$0, .options) { key, value, _ in
        guard case .text(let text) = value else { return [] }
        let other = text.uppercased()
        return [
          key.equals(other, options: .like), key.hasPrefix(other, options: .like),
          key.contains(String(other.suffix(1)), options: .like),
          key.equals(text + "!", options: .like),
        ]
      }
    }
  }

  private static var continuing: Check {
    Check(rule: "after gives the models that follow the cursor's, in the order asked for.") {
      trial in
      let models = try await trial.filled()
      let reference = InMemoryRepository(models)
      for order in try Self.orders(of: models) {
        for model in try await reference.find(order).value {
          let criteria = order.after(try order.cursor(at: model)).limit(2)
          let wanted = try await reference.find(criteria).value
          guard let found = try await trial.answer(.cursors, criteria) else { return }
          trial.expect(found, wanted, what: "after(\(model.id))")
        }
      }
    }
  }

  /// The order of ids, and that of each single value, both ways.
  private static func orders(of models: [Model]) throws -> [Criteria] {
    let keys = try Set(models.flatMap { try scalars(of: $0).map(\.key) })
    return [Criteria()]
      + keys.sorted { $0.name < $1.name }.flatMap {
        [Criteria().sorted(by: $0), Criteria().sorted(by: $0, descending: true)]
      }
  }

  /// The single values of a model.
  static func scalars(
    of model: Model
  ) throws -> [(key: Criteria.Key, value: Criteria.Scalar)] {
    let fields = try FieldEncoder.fields(of: model)
    return zip(fields.names, fields.values).compactMap { name, field in
      guard case .scalar(let value) = field else { return nil }
      return (Criteria.Key(name), value)
    }
  }

  /// Asks the repository and the reference the same of each single value of each model.
  ///
  /// All the questions need the capability, if there is one, and it may be refused. The others are also
  /// counted.
  static func ask(
    _ trial: inout Trial, _ capability: Capability? = nil, _ questions: Questions
  ) async throws {
    let models = try await trial.filled()
    let reference = InMemoryRepository(models)
    let values = try models.flatMap { try scalars(of: $0) }
    var asked: Set<Criteria> = []
    for (key, value) in values {
      let others = values.filter { $0.key == key && $0.value != value }.map(\.value)
      for criteria in questions(key, value, others) where asked.insert(criteria).inserted {
        guard let wanted = try? await reference.find(criteria).value else { continue }
        guard let found = try await trial.answer(capability, criteria) else {
          if capability == nil { continue }
          return
        }
        trial.expect(found, wanted, what: "A question about \(key)")
        if capability == nil { try await trial.expectCount(wanted.count, of: criteria) }
      }
    }
  }
}
