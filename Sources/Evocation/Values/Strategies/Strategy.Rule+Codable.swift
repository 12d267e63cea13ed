extension Strategy.Rule: Codable {
  private enum Field: String, CodingKey, CaseIterable {
    case target, fallback, synchronize, fallsBack, timeout, retry, maxAge, revalidates, joins
    case rollsBack, priority
  }

  private static let words: [String: Self] = [
    "remoteFirst": .remoteFirst, "localFirst": .localFirst,
    "remoteOnly": .remoteOnly, "localOnly": .localOnly,
  ]

  /// Reads an object with the fields of a rule, or the name of a ready-made rule.
  ///
  /// - Throws: ``StrategyError`` that names the path.
  public init(from decoder: any Decoder) throws {
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      self = try Self.named(word, decoder.codingPath)
      return
    }
    let fields = try StrategyFields(decoder, known: Field.allCases.map(\.rawValue))
    self.init(
      target: try fields.word(Field.target.rawValue) ?? .remote,
      fallback: try fields.word(Field.fallback.rawValue),
      synchronize: try Self.synchronization(fields),
      fallsBack: try fields.word(Field.fallsBack.rawValue) ?? .onError,
      timeout: try fields.seconds(Field.timeout.rawValue),
      retry: try fields.value(Field.retry.rawValue) { try Strategy.Retry(from: $0) },
      maxAge: try fields.seconds(Field.maxAge.rawValue),
      revalidates: try fields.flag(Field.revalidates.rawValue) ?? false,
      joins: try fields.flag(Field.joins.rawValue) ?? true ? .on : .off,
      rollsBack: try fields.flag(Field.rollsBack.rawValue) ?? false,
      priority: try fields.word(Field.priority.rawValue) ?? .normal
    )
  }

  /// Writes an object with the target and all fields that differ from their defaults.
  ///
  /// The ready-made ``localFirst`` is written by its name, because what it says of a read would lose
  /// the writes that it is used for after it was read back.
  public func encode(to encoder: any Encoder) throws {
    if isReadyMade, self == .localFirst {
      var container = encoder.singleValueContainer()
      return try container.encode("localFirst")
    }
    var container = encoder.container(keyedBy: Field.self)
    try container.encode(target, forKey: .target)
    try container.encodeIfPresent(fallback, forKey: .fallback)
    switch synchronize {
    case .off, .upsert: try container.encode(synchronize == .upsert, forKey: .synchronize)
    case .mirror, .outbox: try container.encode(synchronize.rawValue, forKey: .synchronize)
    }
    if fallsBack != .onError { try container.encode(fallsBack, forKey: .fallsBack) }
    try container.encodeIfPresent(timeout?.seconds, forKey: .timeout)
    try container.encodeIfPresent(retry, forKey: .retry)
    try container.encodeIfPresent(maxAge?.seconds, forKey: .maxAge)
    if revalidates { try container.encode(true, forKey: .revalidates) }
    if joins == .off { try container.encode(false, forKey: .joins) }
    if rollsBack { try container.encode(true, forKey: .rollsBack) }
    if priority != .normal { try container.encode(priority, forKey: .priority) }
  }

  private static func named(_ word: String, _ path: [any CodingKey]) throws -> Self {
    guard let rule = words[word] else {
      throw StrategyError.unreadable(
        path: path.map(\.stringValue).joined(separator: "."),
        reason: "\"\(word)\" is not a ready-made rule; use one of "
          + words.keys.sorted().joined(separator: ", ")
      )
    }
    return rule
  }

  private static func synchronization(
    _ fields: StrategyFields
  ) throws -> Strategy.Synchronization {
    if let flag = fields.flagIfAny(Field.synchronize.rawValue) { return flag ? .upsert : .off }
    return try fields.word(Field.synchronize.rawValue) ?? .upsert
  }
}

extension Strategy.Retry: Codable {
  private enum Field: String, CodingKey, CaseIterable {
    case attempts, delay, multiplier, maximumDelay, jitter, kinds
  }

  /// Reads an object with the fields of a retry; durations are in seconds.
  ///
  /// - Throws: ``StrategyError`` that names the path.
  public init(from decoder: any Decoder) throws {
    let fields = try StrategyFields(decoder, known: Field.allCases.map(\.rawValue))
    self.init(attempts: try fields.count(Field.attempts.rawValue) ?? 3)
    delay = try fields.seconds(Field.delay.rawValue) ?? delay
    multiplier = try fields.number(Field.multiplier.rawValue) ?? multiplier
    maximumDelay = try fields.seconds(Field.maximumDelay.rawValue) ?? maximumDelay
    jitter = try fields.number(Field.jitter.rawValue) ?? jitter
    kinds = try fields.words(Field.kinds.rawValue).map(Set.init) ?? kinds
  }

  /// Writes an object with every field.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Field.self)
    try container.encode(attempts, forKey: .attempts)
    try container.encode(delay.seconds, forKey: .delay)
    try container.encode(multiplier, forKey: .multiplier)
    try container.encode(maximumDelay.seconds, forKey: .maximumDelay)
    try container.encode(jitter, forKey: .jitter)
    try container.encode(kinds.map(\.rawValue).sorted(), forKey: .kinds)
  }
}
