package import Evocation
internal import Foundation

/// A question to a repository, and its answer.
struct RecordedCall: Codable, Sendable {
  /// The name of the model type.
  let model: String
  /// The method of the repository.
  let method: String
  /// The criteria or the models, as JSON.
  let given: String
  var answer: Answer

  enum Answer: Codable, Sendable {
    /// The models as a JSON array, of one element or none for a call on one model.
    case models(String)
    /// A count; 1 where a model exists.
    case count(Int)
    case failure(RecordedFailure)
  }

  /// The question, by which a replay finds the answer.
  var question: Question {
    Question(model: model, method: method, given: ByteText(given))
  }

  struct Question: Hashable, Sendable {
    let model: String
    let method: String
    let given: ByteText

    func isLike(_ other: Self) -> Bool { method == other.method && model == other.model }
  }
}

/// The error that a recorded repository threw, as its replay throws it.
package struct RecordedFailure: ClassifiedError, Codable, Hashable, CustomStringConvertible,
  LocalizedError
{
  package let failureKind: FailureKind
  package let description: String
  package let isNotFound: Bool
  package let retryAfter: Duration?
  package let serviceWords: ServiceWords?

  init(_ error: any Error) {
    failureKind = FailureKind(error)
    description = "\(error)"
    let classified = error as? any ClassifiedError
    isNotFound = classified?.isNotFound ?? false
    retryAfter = classified?.retryAfter
    serviceWords = ServiceWords.of(error)
  }
}

/// The JSON of recorded values, with infinities and NaN as texts, because JSON has none.
enum RecordedJSON {
  static func encoded(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  static func decoded<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: json)
  }
}
