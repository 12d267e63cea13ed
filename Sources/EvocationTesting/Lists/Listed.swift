/// A model of tests of lists.
package struct Listed: Codable, Identifiable, Hashable, Sendable {
  package var id: Int
  package var title: String

  package init(_ id: Int, _ title: String = "") {
    self.id = id
    self.title = title
  }
}
