import Evocation

/// What a list has to be after each operation, in the plainest words.
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
