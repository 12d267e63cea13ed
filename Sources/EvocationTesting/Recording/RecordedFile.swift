import Foundation

/// The file of a recording.
struct RecordedFile: Codable {
  /// The version that is written, and the only one that is read.
  private static let present = 2

  let version: Int
  let calls: [RecordedCall]

  static func json(of calls: [RecordedCall]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(RecordedFile(version: present, calls: calls))
  }

  /// Reads the calls.
  ///
  /// - Throws: `RecordingError` for a file that is no recording, or of another version.
  static func calls(in json: Data) throws -> [RecordedCall] {
    struct Head: Decodable { let version: Int }
    guard let head = try? JSONDecoder().decode(Head.self, from: json) else {
      throw RecordingError("The file is no recording, or is cut off: it has no version.")
    }
    guard head.version == present else {
      throw RecordingError(
        "The recording has version \(head.version), and version \(present) is read here; record "
          + "it again with this version of Evocation, or replay it with the one that wrote it.")
    }
    do {
      return try JSONDecoder().decode(RecordedFile.self, from: json).calls
    } catch {
      throw RecordingError("The recording cannot be read: \(reason(error)).")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      "\(path(context.codingPath + [key])) is missing"
    case .dataCorrupted(let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      "\(path(context.codingPath)) is not what was written there"
    default: "\(error)"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".")
  }
}
