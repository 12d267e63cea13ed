import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Lists of models with unique titles, which the service gives to others.
@Suite(.patient) struct UniqueListTests {
  @Test func `A first page takes titles from models that leave the list, and others turn theirs`()
    async throws
  {
    let file = try await ListedFile(pages: 2, of: 4)
    let app = try ListedFile.App(file, indexes: [.unique("title")])
    file.service.items = [Listed(1, "t2"), Listed(2, "t1"), Listed(5, "t3"), Listed(6, "t4")]
    #expect(try await app.list.refresh(force: true) == .successful)
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == [1, 2, 5, 6])
    #expect(try await app.local.find(Criteria()).value == file.service.items)
  }

  @Test func `A first page lists a new model that has the title of one which goes`() async throws {
    let file = try await ListedFile(pages: 2, of: 4)
    let app = try ListedFile.App(file, indexes: [.unique("title")])
    file.service.items = [Listed(5, "t1"), Listed(4, "t3"), Listed(3, "t4")]
    #expect(try await app.list.refresh(force: true) == .successful)
    #expect(try await app.ids() == [5, 4])
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == [5, 4, 3])
  }

  @Test func `A page that is added turns the titles of two of its models`() async throws {
    let file = try await ListedFile(pages: 2, of: 4)
    let app = try ListedFile.App(file, indexes: [.unique("title")])
    try await app.write("INSERT INTO listed VALUES (5, 't5'), (6, 't6')")
    file.service.items += [Listed(5, "t6"), Listed(6, "t5")]
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == [1, 2, 3, 4, 5, 6])
    #expect(try await app.local.find(Criteria()).value == file.service.items)
  }

  @Test func `A list of all pages takes titles from another of its pages`() async throws {
    let file = try await ListedFile(pages: 2, of: 4)
    let app = try ListedFile.App(file, indexes: [.unique("title")], refreshes: .allPages)
    file.service.items = [Listed(1, "t4"), Listed(5, "t2"), Listed(3, "t3"), Listed(4, "t1")]
    #expect(try await app.list.refresh(force: true) == .successful)
    #expect(try await app.ids() == [1, 5, 3, 4])
    #expect(try await app.local.find(["title": "t2"]).value.map(\.id) == [5])
  }
}
