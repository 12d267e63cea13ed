/// A list whose stored numbers contradict each other, so that its content is not known.
///
/// A ``ListStore`` throws it in place of a guess. The cache then forgets the list, tells whoever
/// traces, and fetches it anew; its models stay.
public struct ListDamage: ClassifiedError, Hashable {
  /// The model type, or its table.
  public var model: String

  /// Which of the stored numbers contradict each other.
  public var reason: String

  /// Makes an error; model and reason must hold nothing that is the user's.
  public init(model: String, reason: String) {
    self.model = model
    self.reason = reason
  }

  /// Permanent: reading again does not help, and the list is fetched again.
  public var failureKind: FailureKind { .permanent }
}

extension ListDamage: CustomStringConvertible {
  /// One sentence that says what failed, and what is done about it.
  public var description: String {
    "A list of \(model) cannot be used, because \(reason): it is forgotten and is fetched anew, and "
      + "its models stay."
  }
}
