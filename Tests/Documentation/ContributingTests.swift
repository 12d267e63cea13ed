import Evocation
import TestTraits
import Testing

struct Book: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var title: String
}

struct Shelf: Repository {
  let books: InMemoryRepository<Book>

  func find(_ criteria: Criteria) async throws -> Response<[Book]> {
    try await books.find(criteria)
  }

  func store(_ models: [Book]) async throws -> Response<[Book]> {
    try await books.store(models)
  }

  func update(_ models: [Book]) async throws -> Response<[Book]> {
    try await books.update(models)
  }

  func storeOrUpdate(_ models: [Book]) async throws -> Response<[Book]> {
    try await books.storeOrUpdate(models)
  }

  func remove(_ models: [Book]) async throws -> Response<[Book]> {
    try await books.remove(models)
  }
}

@Suite(.patient) struct ContributingTests {
  @Test func `a repository of five methods serves all nine calls`() async {
    let evocation = Evocation()
    evocation.register(for: Book.self).repository(local: Shelf(books: InMemoryRepository()))
      .strategy(.localOnly)
    let book = Book(id: 1, title: "Emma")
    #expect(await evocation.storeOne(book).data == book)
    #expect(await evocation.store([Book(id: 2, title: "Persuasion")]).error == nil)
    #expect(await evocation.updateOne(Book(id: 1, title: "Emma!")).data?.title == "Emma!")
    #expect(await evocation.update([book]).data == [book])
    #expect(await evocation.storeOrUpdate([book]).data == [book])
    #expect(await evocation.findOne(model: Book.self, criteria: ["title": "Emma"]).data == book)
    #expect(await evocation.find(model: Book.self).data?.count == 2)
    #expect(await evocation.removeOne(book).data == book)
    #expect(await evocation.remove([book]).data == [])
  }
}
