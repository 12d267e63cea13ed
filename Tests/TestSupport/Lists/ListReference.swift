import Evocation

/// What a list must be after each operation, kept in the simplest way.
struct ListReference {
  private(set) var pages: [[Int]] = []
  private(set) var exists = false
  let keptPages: Int?

  init(keptPages: Int?) {
    self.keptPages = keptPages
  }

  var ids: [Int] { pages.flatMap(\.self) }

  mutating func replace(with answers: [[Listed]]) {
    (pages, exists) = ([], true)
    for answer in answers { add(answer, .next) }
  }

  mutating func add(_ answer: [Listed], _ direction: PageDirection) {
    let ids = answer.map(\.id)
    for id in ids { remove(id) }
    switch direction {
    case .next:
      pages.append(ids)
      if let keptPages, pages.count > keptPages { pages.removeFirst() }
    case .previous:
      pages.insert(ids, at: 0)
      if let keptPages, pages.count > keptPages { pages.removeLast() }
    }
  }

  mutating func remove(_ id: Int) {
    for index in pages.indices { pages[index].removeAll { $0 == id } }
  }

  mutating func clear() {
    (pages, exists) = ([], false)
  }
}

/// A model of tests of lists: an id and a text.
package struct Listed: Codable, Identifiable, Hashable, Sendable {
  /// Identifies the model.
  package var id: Int

  /// What changes when it is edited.
  package var title: String

  /// Makes a model; without a title by default.
  package init(_ id: Int, _ title: String = "") {
    self.id = id
    self.title = title
  }
}
