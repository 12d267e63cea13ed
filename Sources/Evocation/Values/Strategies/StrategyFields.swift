/// Reads the fields of one object in a strategy's JSON; its errors name the path.
struct StrategyFields {
  private let container: KeyedDecodingContainer<AnyKey>

  /// Opens an object.
  ///
  /// - Throws: ``StrategyError`` if the JSON is not an object, or has an unknown field.
  init(_ decoder: any Decoder, known: [String]) throws {
    let path = Self.path(decoder.codingPath)
    guard let container = try? decoder.container(keyedBy: AnyKey.self) else {
      throw StrategyError.unreadable(
        path: path, reason: "it has to be an object with \(Self.list(known))"
      )
    }
    let unknown = container.allKeys.map(\.stringValue).sorted().first { !known.contains($0) }
    if let unknown {
      throw StrategyError.unreadable(
        path: Self.path(decoder.codingPath + [AnyKey(unknown)]),
        reason: "there is no field of this name; use one of \(Self.list(known))"
      )
    }
    self.container = container
  }

  /// Reads a field with a closure; nil if the field is absent.
  func value<Value>(
    _ name: String, _ read: (any Decoder) throws -> Value
  ) throws -> Value? {
    guard has(name) else { return nil }
    return try read(container.superDecoder(forKey: AnyKey(name)))
  }

  /// Reads one of a type's words.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type = Word.self
  ) throws -> Word? where Word.RawValue == String {
    let words = Word.allCases.map { "\"\($0.rawValue)\"" }
    return try read(name, "one of \(Self.list(words))") { (text: String) in
      Word(rawValue: text)
    }
  }

  /// Reads a number.
  func number(_ name: String) throws -> Double? {
    try read(name, "a number") { $0 }
  }

  /// Reads a whole number.
  func count(_ name: String) throws -> Int? {
    try read(name, "a whole number") { $0 }
  }

  /// Reads a Boolean.
  func flag(_ name: String) throws -> Bool? {
    try read(name, "true or false") { $0 }
  }

  /// Reads a field if it is a Boolean.
  func flagIfAny(_ name: String) -> Bool? {
    try? container.decode(Bool.self, forKey: AnyKey(name))
  }

  /// Reads a duration in seconds.
  func seconds(_ name: String) throws -> Duration? {
    try read(name, "a number of seconds") { Duration(wireSeconds: $0) }
  }

  /// Reads a list of a type's words.
  func words<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type = Word.self
  ) throws -> [Word]? where Word.RawValue == String {
    let words = Word.allCases.map { "\"\($0.rawValue)\"" }
    return try read(name, "a list of \(Self.list(words))") { (texts: [String]) in
      let values = texts.compactMap(Word.init(rawValue:))
      return values.count == texts.count ? values : nil
    }
  }

  private func has(_ name: String) -> Bool {
    (try? container.decodeNil(forKey: AnyKey(name))) == false
  }

  private func read<Raw: Decodable, Value>(
    _ name: String, _ expected: String, _ convert: (Raw) -> Value?
  ) throws -> Value? {
    guard has(name) else { return nil }
    guard let raw = try? container.decode(Raw.self, forKey: AnyKey(name)),
      let value = convert(raw)
    else {
      throw StrategyError.unreadable(
        path: Self.path(container.codingPath + [AnyKey(name)]), reason: "\(expected) was expected"
      )
    }
    return value
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".")
  }

  private static func list(_ names: [String]) -> String {
    names.joined(separator: ", ")
  }
}
