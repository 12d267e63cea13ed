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
      throw RecordingError(
        "The file is not a recording, or it is cut off, because it has no version; record it again."
      )
    }
    guard head.version == present else {
      throw RecordingError(
        "The recording has version \(head.version), and this version of Evocation reads version "
          + "\(present); record it again, or replay it with the version that wrote it.")
    }
    do {
      return try JSONDecoder().decode(RecordedFile.self, from: json).calls
    } catch {
      throw RecordingError(
        "Evocation cannot read the recording, because \(reason(error)); record it again.")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      "\(path(context.codingPath + [key])) is missing"
    case .dataCorrupted(let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      "\(path(context.codingPath)) has another form than recordings have"
    default: "\(error)"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".")
  }
}
