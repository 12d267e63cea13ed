/// What a service said about a request that it did not execute, of bounded size.
///
/// An error of your own repository has them, so that the outbox keeps them with the write:
///
/// ```swift
/// struct TooLong: ClassifiedError {
///   var failureKind: FailureKind { .permanent }
///   var serviceWords: ServiceWords? {
///     ServiceWords(status: 422, fields: ["text": ["At most 10 letters."]])
///   }
/// }
/// ```
///
/// They may contain user data: no log has them, and printed words are the status alone.
public struct ServiceWords: Sendable, Hashable, Codable, PlainlyPrinted, CustomReflectable {
  /// The status of the answer, such as 422; nil if it has none.
  public let status: Int?

  /// The service's own message about the request; nil if it sent none.
  public let message: String?

  /// The service's messages about single fields, by its names of the fields.
  public let fields: [String: [String]]

  /// The parts that may be printed: the status.
  public var customMirror: Mirror {
    Mirror(self, children: ["status": status as Any], displayStyle: .struct)
  }

  /// Creates words, of which 32 KB are kept.
  ///
  /// Of these, a text is 4 KB at most. A hundred fields are kept, in the order of their names, with ten
  /// messages each.
  public init(status: Int? = nil, message: String? = nil, fields: [String: [String]] = [:]) {
    var room = Room()
    self.status = status
    self.message = message.map { room.taking($0) }
    var kept: [String: [String]] = [:]
    for (name, texts) in fields.sorted(by: { $0.key < $1.key })
    where kept.count < Room.mostFields && room.takes(name) {
      kept[name] = texts.prefix(Room.mostTexts).map { room.taking($0) }
    }
    self.fields = kept
  }

  /// Reads words from a file, which may have any content.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      status: try values.decodeIfPresent(Int.self, forKey: .status),
      message: try values.decodeIfPresent(String.self, forKey: .message),
      fields: try values.decodeIfPresent([String: [String]].self, forKey: .fields) ?? [:])
  }

  private enum CodingKeys: String, CodingKey { case status, message, fields }

  /// The bytes that are left for texts.
  private struct Room {
    static let (mostFields, mostTexts) = (100, 10)
    private static let (longestText, longestName) = (4_096, 256)
    private var bytes = 32_768

    /// Whether there is room for a field's name, which is taken then.
    mutating func takes(_ name: String) -> Bool {
      let count = name.utf8.count
      guard count <= min(Self.longestName, bytes) else { return false }
      bytes -= count
      return true
    }

    /// Returns as much of a text as there is room for.
    mutating func taking(_ text: String) -> String {
      let most = min(Self.longestText, bytes)
      // A subscript ends before a scalar that is cut in two.
      let taken =
        text.utf8.count <= most
        ? text : String(text[..<text.utf8.index(text.startIndex, offsetBy: most)])
      bytes -= taken.utf8.count
      return taken
    }
  }
}

extension ServiceWords {
  /// Returns what an error says of a service; nil if that is nothing.
  package static func of(_ error: any Error) -> ServiceWords? {
    let words = (error as? any ClassifiedError)?.serviceWords
    return words == ServiceWords() ? nil : words
  }

  /// Returns the text of an error, for a trace or a reason, without the service's words.
  ///
  /// Swift prints an error without a description as its properties, which may have the words.
  package static func hidden(in error: any Error) -> String {
    guard let classified = error as? any ClassifiedError, let words = classified.serviceWords,
      words.message != nil || !words.fields.isEmpty,
      !((error as Any) is any CustomStringConvertible)
    else { return "\(error)" }
    return classified.logDescription
      ?? "\(type(of: error)) (\(classified.failureKind.rawValue))"
  }
}
