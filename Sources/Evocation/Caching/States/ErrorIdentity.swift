/// What two errors must share to count as equal: type and description.
struct ErrorIdentity: Hashable {
  private let type: ObjectIdentifier
  private let description: String

  init(_ error: any Error) {
    type = ObjectIdentifier(Swift.type(of: error))
    description = "\(error)"
  }

  /// Whether both are nil, or count as equal.
  static func areSame(_ left: (any Error)?, _ right: (any Error)?) -> Bool {
    left.map(Self.init) == right.map(Self.init)
  }
}
