extension ModelSchema {
  /// What a key holds, as far as repositories tell values apart.
  package indirect enum Kind: Sendable, Hashable {
    case bool
    /// A whole number within the range of `Int64`.
    case integer
    /// A whole number that may be above the range of `Int64`.
    case unsigned
    case real
    case decimal
    case text
    case uuid
    case url
    case date
    case data
    /// Elements without keys, all of one kind.
    case list(Kind)
    /// Keys that are known.
    case object(ModelSchema)
    /// Anything: keys that depend on the value, as those of dictionaries and of enums with
    /// payloads, values of several kinds, and a type within itself.
    case json
  }
}

extension ModelSchema.Kind: CustomStringConvertible {
  /// The kind with its article, for sentences.
  package var description: String {
    switch self {
    case .bool: "a Boolean"
    case .integer, .unsigned: "a whole number"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .text: "text"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .date: "a date"
    case .data: "data"
    case .list: "a list"
    case .object: "an object"
    case .json: "a value of any kind"
    }
  }
}
