/// What the server's answer said about a model besides its values.
///
/// A version shows whether the model has changed since. Without versions, the values are compared, of
/// which the answers may have left out some.
package enum AnswerNote: Sendable, Hashable {
  /// The server's version of the model.
  case version(String)
  /// The coding keys that no answer had, so that the server may have a value under each.
  case unsaid(Set<String>)

  /// The version; nil if there is none.
  package var version: String? { if case .version(let version) = self { version } else { nil } }

  /// The keys that no answer had.
  package var unsaid: Set<String> { if case .unsaid(let keys) = self { keys } else { [] } }
}
