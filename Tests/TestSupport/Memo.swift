package import Evocation
import Foundation

/// A model of which several clients change several properties.
package struct Memo: Codable, Identifiable, Sendable, Hashable {
  package var id: Int
  package var title: String
  package var color: String
  package var body: String

  package init(id: Int = 1, title: String = "old", color: String = "blue", body: String = "") {
    self.id = id
    self.title = title
    self.color = color
    self.body = body
  }
}

/// What a service of a test answers in place of doing what it was asked.
package struct Refused: ConflictError {
  package let failureKind: FailureKind
  package var retryAfter: Duration?
  package var current: (any Sendable)?

  package init(
    _ kind: FailureKind, retryAfter: Duration? = nil, current: (any Sendable)? = nil
  ) {
    failureKind = kind
    self.retryAfter = retryAfter
    self.current = current
  }
}

/// What two models differ in, by the names that their properties are coded under.
package func codedDifferences<Model: Encodable>(_ left: Model, _ right: Model) -> Set<String> {
  func fields(_ model: Model) -> [String: NSObject] {
    let data = (try? JSONEncoder().encode(model)) ?? Data()
    return (try? JSONSerialization.jsonObject(with: data)) as? [String: NSObject] ?? [:]
  }
  let (left, right) = (fields(left), fields(right))
  return Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }
}
