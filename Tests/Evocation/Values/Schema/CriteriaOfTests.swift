import Evocation
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct CriteriaOfTests {
  struct Address: Codable, Sendable {
    var street: String
    var city: String
  }

  enum Fuel: String, Codable, CriteriaValue {
    case petrol, diesel
  }

  enum Body: String, Codable, CaseIterable, CriteriaValue {
    case sedan, coupe
  }

  /// Renames its keys, so that a key's name says nothing about its property.
  struct Car: Codable, Identifiable, Sendable {
    var id: UUID
    var name: String
    var title: String
    var year: Int
    var mpg: Double?
    var isSold: Bool
    var boughtAt: Date
    var home: Address
    var work: Address?
    var tags: [String]
    var fuel: Fuel
    var body: Body
    var label: String { name + title }
    var upper: String { name }

    enum CodingKeys: String, CodingKey {
      case id, name = "title", title = "caption", year = "model_year", mpg, isSold = "sold"
      case boughtAt, home, work, tags, fuel = "energy", body = "shape"
    }
  }

  final class Boat: Codable, Identifiable, Sendable {
    let id: Int
    let length: Double

    init(id: Int, length: Double) {
      (self.id, self.length) = (id, length)
    }
  }

  struct Plain: Sendable {
    var year = 0
    var owner: Address?
  }

  @Test func `a key path is the coding key of its property, however that is called`() {
    #expect(Criteria.Key(\Car.id) == "id")
    #expect(Criteria.Key(\Car.name) == "title")
    #expect(Criteria.Key(\Car.title) == "caption")
    #expect(Criteria.Key(\Car.year) == "model_year")
    #expect(Criteria.Key(\Car.mpg) == "mpg")
    #expect(Criteria.Key(\Car.isSold) == "sold")
    #expect(Criteria.Key(\Car.boughtAt) == "boughtAt")
    #expect(Criteria.Key(\Car.home.city) == "home.city")
    #expect(Criteria.Key(\Car.work?.street) == "work.street")
    #expect(Criteria.Key(\Car.tags) == "tags")
    #expect(Criteria.Key(\Car.fuel) == "energy")
    #expect(Criteria.Key(\Car.body) == "shape")
    #expect(Criteria.Key(\Boat.length) == "length")
    // Once more, from what is remembered.
    #expect(Criteria.Key(\Car.title) == "caption")
  }

  @Test func `a computed property is the key whose value it has, or none`() {
    #expect(Criteria.Key(\Car.upper) == "title")
    #expect(Criteria.Key(\Car.label).name == #"\Car.<computed (String)>"#)
  }

  @Test func `a property that is not coded is an error by its name`() async throws {
    struct Note: Codable, Identifiable, Sendable {
      var id = 1
      var text = ""
      var length = 0
      enum CodingKeys: CodingKey { case id, text }
    }
    let repository = InMemoryRepository<Note>()
    let criteria: Criteria.Of<Note> = \.length > 3
    await #expect(
      throws: EvocationError.unknownKey(#"\Note.length"#, model: "Note", nearest: [])
    ) { try await repository.find(criteria.criteria) }
  }

  @Test func `a type that is not coded has its properties' names`() {
    #expect(Criteria.Key(\Plain.year) == "year")
    #expect(Criteria.Key(\Plain.owner?.city) == "owner.city")
  }

  @Test func `operators say what those of a key say`() {
    let year = Criteria.Key("model_year")
    func same(_ typed: Criteria.Of<Car>, _ criteria: Criteria) {
      #expect(typed.criteria == criteria)
    }
    same(\.year == 1980, year == 1980)
    same(\.year != 1980, year != 1980)
    same(\.year < 1980, year < 1980)
    same(\.year <= 1980, year <= 1980)
    same(\.year > 1980, year > 1980)
    same(\.year >= 1980, year >= 1980)
    same(\.mpg == nil, Criteria.Key("mpg") == nil)
    same(\.mpg != nil, Criteria.Key("mpg") != nil)
    same(\.mpg == 3, Criteria.Key("mpg") == 3.0)
    same(\.mpg < 30, Criteria.Key("mpg") < 30.0)
    same(\.mpg <= 30, Criteria.Key("mpg") <= 30.0)
    same(\.mpg > 30, Criteria.Key("mpg") > 30.0)
    same(\.mpg >= 30, Criteria.Key("mpg") >= 30.0)
    same(.isIn(\.year, [1980, 1981]), year.in([1980, 1981]))
    same(.isBetween(\.year, 1980...1981), year.between(1980, and: 1981))
    same(.isIn(\.mpg, [30]), Criteria.Key("mpg").in([30.0]))
    same(.isBetween(\.mpg, 30...40), Criteria.Key("mpg").between(30.0, and: 40.0))
    same(.hasPrefix(\.name, "b"), Criteria.Key("title").hasPrefix("b"))
    same(.hasPrefix(\.work?.city, "b"), Criteria.Key("work.city").hasPrefix("b"))
    same(.contains(\.name, "b"), Criteria.Key("title").contains("b"))
    same(.contains(\.work?.city, "b"), Criteria.Key("work.city").contains("b"))
    same(.contains(\.tags, "b"), Criteria.Key("tags").contains("b"))
    same(\.fuel == .diesel, Criteria.Key("energy") == Fuel.diesel)
  }

  @Test func `they are joined with each other and with keys as text`() {
    let year: Criteria = ["model_year": 1980]
    let title: Criteria = ["title": "b"]
    func same(_ typed: Criteria.Of<Car>, _ criteria: Criteria) {
      #expect(typed.criteria == criteria)
    }
    same(\.year == 1980 && \.name == "b", year && title)
    same(\.year == 1980 || \.name == "b", year || title)
    same(!(\.year == 1980), !year)
    same(\.year == 1980 && title, year && title)
    same(year && \.name == "b", year && title)
    same(\.year == 1980 || title, year || title)
    same(year || \.name == "b", year || title)
    same(
      (\.year == 1980).sorted(by: \.name, descending: true).sorted(by: \.year).limit(3).offset(2),
      year.sorted(by: "title", descending: true).sorted(by: "model_year").limit(3).offset(2))
    let cursor = Criteria.Cursor(values: [], id: [.integer(1)])
    same((\.year == 1980).after(cursor), year.after(cursor))
  }
}
