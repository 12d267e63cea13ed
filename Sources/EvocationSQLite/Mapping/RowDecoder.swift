internal import Evocation

/// Decodes models from the rows of one statement.
final class RowDecoder {
  let layout: ModelLayout
  let source = RowSource()
  let model: ModelDecoder

  /// The columns of a mapping by hand, created at its first read.
  var mapped: MappedCells?

  init(_ layout: ModelLayout) {
    self.layout = layout
    model = ModelDecoder(layout, from: source)
  }

  deinit {
    model.releaseContainers()
  }
}

extension DecodingError {
  /// Returns what does not fit, with the model's key and without its value.
  ///
  /// `key` puts a key of the model into words, `whole` says all of it, and `format` what is wrong with
  /// all of it if it is no value at all.
  func reason(key: (String) -> String, whole: String, format: String) -> String {
    func place(_ path: [any CodingKey]) -> String {
      path.first.map { key($0.stringValue) } ?? whole
    }
    switch self {
    case .keyNotFound(let missing, let context):
      return "\(place(context.codingPath + [missing])) is missing, or a part of it is"
    case .valueNotFound(_, let context): return "\(place(context.codingPath)) has no value"
    case .typeMismatch(_, let context): return "\(place(context.codingPath)) is of another type"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "\(whole) \(format)" : "\(place(context.codingPath)) has a value that it cannot have"
    @unknown default: return "\(whole) could not be decoded"
    }
  }
}
