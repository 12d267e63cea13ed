public import Evocation
public import Foundation

/// What was recorded of a run: what repositories were asked and answered, and what calls came to.
struct Recording: Codable, Sendable {
  /// The version that is written, and the only one that is read.
  static let present = 1

  var version = Self.present
  /// Whether models, values of criteria and texts of errors are in it.
  var hasValues: Bool
  var calls: [RecordedCall] = []
  var traces: [Evocation.Trace] = []

  init(hasValues: Bool) { self.hasValues = hasValues }

  /// Reads a recording.
  ///
  /// - Throws: ``RecordingError`` for a file that is none, or of another version.
  init(json: Data) throws {
    struct Head: Decodable { var version: Int }
    guard let head = try? JSONDecoder().decode(Head.self, from: json) else {
      throw RecordingError(
        "The file is not a recording, or it is cut off, because it has no version; record it again."
      )
    }
    guard head.version == Self.present else {
      throw RecordingError(
        "The recording has version \(head.version), and this version of Evocation reads version "
          + "\(Self.present); record it again, or replay it with the version that wrote it.")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: json)
    } catch {
      throw RecordingError(
        "Evocation cannot read the recording, because \(Self.reason(error)); record it again.")
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self)
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

/// Why Evocation cannot read or replay a recording.
public struct RecordingError: Error, CustomStringConvertible, Hashable, Sendable {
  /// One sentence, with the fix.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// One question to a repository, and its answer.
struct RecordedCall: Codable, Sendable {
  /// The model type's name.
  var model: String
  var repository: Evocation.RepositoryType
  /// The repository's method.
  var method: String
  /// What it was given: the criteria and the models, or without values their keys and their number.
  var given: JSONValue
  var answer: Answer

  enum Answer: Codable, Sendable {
    /// So many models, and the models where values are recorded; a single nil model is none.
    case models(count: Int, values: [JSONValue]?)
    /// A count, or 1 for that there is one.
    case count(Int)
    case failure(RecordedFailure)
  }
}

/// The error that a recorded repository threw, as its replay throws it.
public struct RecordedFailure: ClassifiedError, Codable, Hashable, CustomStringConvertible {
  /// Whether trying again may help.
  public let failureKind: FailureKind
  /// What it printed, where values were recorded, or else its type's name.
  public let description: String
  /// Whether there was nothing where it was asked for.
  public let isNotFound: Bool
  private let seconds: Double?

  /// How long to wait before the next try, when the service said so.
  public var retryAfter: Duration? {
    seconds.flatMap { $0.isFinite && abs($0) < 1e9 ? .seconds($0) : nil }
  }

  init(_ error: any Error, hasValues: Bool) {
    failureKind = FailureKind(error)
    description = hasValues ? "\(error)" : "\(type(of: error))"
    let classified = error as? any ClassifiedError
    isNotFound = classified?.isNotFound ?? false
    seconds = classified?.retryAfter.map { $0 / .seconds(1) }
  }
}
