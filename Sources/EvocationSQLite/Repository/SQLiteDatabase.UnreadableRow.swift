internal import Evocation
public import Foundation

extension SQLiteDatabase {
  /// A row that the model type of its table cannot decode.
  ///
  /// It may come from a version of the app that had another case of an enum, from other SQL, or from
  /// damage. ``SQLiteRepository/unreadableRows()`` lists such rows, for your app to correct or remove.
  ///
  /// ```swift
  /// let rows = try await jobs.unreadableRows()
  /// ```
  public struct UnreadableRow: Sendable, Hashable {
    /// What a repository does when it meets a row that it cannot decode.
    public enum Policy: Sendable, Hashable {
      /// Reads of it throw.
      case refuse
      /// Reads leave it out, and say how many they left out.
      case leaveOut
    }

    /// The name of its table.
    public let table: String

    /// The id as text: the values of the table's key, with slashes between them.
    public let id: String

    /// Why it cannot be decoded, with the model's key and without a value.
    public let reason: String

    /// Its columns as a JSON object, in the form in which the model is coded as far as they have it.
    ///
    /// A number that JSON does not have, and a value of another type than its property, is text.
    public let json: Data

    let key: RowKey
  }
}

extension RowKey {
  /// The values as text for sentences.
  var text: String {
    values.map { value in
      switch value {
      case .null: "null"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): text
      case .textBytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .blob(let bytes):
        UUID(bytes)?.uuidString ?? Data(bytes).base64EncodedString()
      }
    }.joined(separator: "/")
  }
}

extension UUID {
  /// Creates it from its 16 bytes; nil for another number of bytes.
  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension Column {
  /// Returns a stored value as JSON, in the form in which the model is coded.
  func json(_ value: SQLValue) -> String {
    switch (kind.scalar, value) {
    case (_, .null): "null"
    case (.bool?, .integer(0)): "false"
    case (.bool?, .integer(1)): "true"
    case (_, .integer(let number)): "\(number)"
    case (_, .real(let number)): number.isFinite ? "\(number)" : Self.json("\(number)")
    // Decimals are stored as the text of their number.
    case (.decimal?, .text(let text)) where Self.isJSON(text): text
    case (nil, .text(let text)) where Self.isJSON(text): text
    case (_, .text(let text)): Self.json(text)
    case (_, .textBytes(let bytes)): Self.json(String(decoding: bytes, as: UTF8.self))
    case (.unsigned?, .blob(let bytes)):
      bytes.withUnsafeBytes(StoredForm.unsigned).map { "\($0)" } ?? Self.json(bytes)
    case (.uuid?, .blob(let bytes)):
      UUID(bytes).map { Self.json($0.uuidString) } ?? Self.json(bytes)
    case (.real?, .blob(StoredForm.notANumber)), (.date?, .blob(StoredForm.notANumber)): "\"nan\""
    case (_, .blob(let bytes)): Self.json(bytes)
    }
  }

  private static func json(_ bytes: [UInt8]) -> String { json(Data(bytes).base64EncodedString()) }

  static func json(_ text: String) -> String {
    (try? ModelJSON.data(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
  }
}
