import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// Lists, writes and refusals of Stripe, Airtable, JSON:API, Firebase and Directus, by their recipes.
  @Suite(.patient) struct RecipeTests {
    private static let texts: [(Service.Dialect, Setup)] = [
      (.stripe, Dialects.stripe()), (.airtable, Dialects.airtable()),
      (.jsonapi, Dialects.jsonAPI()),
    ]

    private func record(_ number: Int = 1) throws -> RecordCar {
      RecordCar(try Car.all()[number - 1])
    }

    @Test(arguments: texts.indices)
    func `A list of several pages is read whole, and to a limit`(row: Int) async throws {
      let (dialect, setup) = Self.texts[row]
      let service = try await Service.start(dialect: dialect)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", setup)
      let all = try await cars.find(Criteria()).value
      #expect(Set(all.map(\.id)).count == 406)
      #expect(try await service.requests().count == 5)
      #expect(try await cars.find(Criteria().limit(150)).value == Array(all.prefix(150)))
      #expect(cars.openEnd == nil)
      let batches = Record<Int>()
      _ = try await cars.find(Criteria(), inBatchesOf: 60) { batches.append($0.value.count) }
      #expect(batches.elements.reduce(0, +) == 406 && batches.elements.max() == 60)
    }

    @Test func `A list of several parts is read whole from Directus`() async throws {
      let service = try await Service.start(dialect: .directus)
      let cars = HTTPRepository<Car>(at: service.url, "cars", Dialects.directus())
      let found = try await cars.find(Criteria())
      #expect(found.value == (try Car.all()))
      #expect(found.metadata["totalCount"] as? Int == 406)
      #expect(try await service.requests().count == 5)
      #expect(try await cars.count(Criteria.Key("year") >= 1982) == 61)
    }

    @Test func `A list is read whole from Firebase, whose ids are places in an array`() async throws
    {
      let service = try await Service.start(dialect: .firebase)
      let cars = HTTPRepository<Car>(at: service.url, "cars", Dialects.firebase())
      #expect(try await cars.find(Criteria()).value == (try Car.all()))
      #expect(try await cars.findOne(["id": 7]).value == (try Car.all()[6]))
      let some = Criteria.Key("year").between(1970, and: 1970)
      #expect(try await cars.find(some).value == (try Car.all().filter { $0.year == 1970 }))
      let few = Criteria.Key("horsepower") <= 48
      #expect(
        try await cars.find(few).value == (try Car.all().filter { ($0.horsepower ?? 99) <= 48 }))
    }

    @Test(arguments: texts.indices)
    func `An empty list is no error, and a model is added, changed and removed`(
      row: Int
    ) async throws {
      let (dialect, setup) = Self.texts[row]
      let service = try await Service.empty(dialect)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", setup)
      #expect(try await cars.find(Criteria()).value == [])
      let model = try record()
      var stored = try #require(try await cars.storeOne(model).value)
      #expect(stored.name == model.name && stored.milesPerGallon == model.milesPerGallon)
      #expect((stored.id == model.id) == (dialect == .jsonapi))
      #expect(try await cars.findOne(["id": stored.id]).value == stored)
      stored.milesPerGallon = nil
      #expect(try await cars.updateOne(stored).value == stored)
      #expect(try await cars.find(Criteria()).value == [stored])
      #expect(try await cars.removeOne(stored).value?.id == stored.id)
      #expect(try await cars.updateOne(stored).value == nil)
      #expect(try await cars.removeOne(stored).value == nil)
      #expect(try await cars.findOne(["id": stored.id]).value == nil)
    }

    @Test func `Airtable is sent ten records in a request, and no more`() async throws {
      let service = try await Service.empty(.airtable)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.airtable())
      var stored = try await cars.store(try (1...25).map(record)).value
      #expect(stored.count == 25)
      for index in stored.indices { stored[index].year = 1990 }
      #expect(try await cars.update(stored).value == stored)
      let methods = try await service.requests().map(\.method)
      #expect(methods == ["POST", "POST", "POST", "PATCH", "PATCH", "PATCH"])
      _ = try await cars.removeOne(stored[3])
      #expect(try await cars.update(Array(stored.prefix(5))).value.count == 4)
      let some = Criteria.Key("id").in(stored.prefix(2).map(\.id))
      #expect(try await cars.find(some).value == Array(stored.prefix(2)))
    }

    @Test func `Directus is sent ids in a body, and each alone where one is not there`()
      async throws
    {
      let service = try await Service.start(dialect: .directus)
      let cars = HTTPRepository<Car>(at: service.url, "cars", Dialects.directus())
      let all = try Car.all()
      #expect(try await cars.remove(Array(all.prefix(3))).value.count == 3)
      let requests = try await service.requests()
      #expect(requests.map(\.method) == ["DELETE"] && requests[0].body == "[1,2,3]")
      #expect(try await cars.remove(Array(all[2..<5])).value == Array(all[3..<5]))
      #expect(try await cars.update(Array(all[4..<6])).value == [all[5]])
      await #expect(throws: EvocationError.self) { try await cars.store([all[6], car(500)]) }
      #expect(try await cars.findOne(["id": 500]).value == nil)
    }

    @Test func `Firebase makes nothing where there is nothing to change`() async throws {
      #expect(HTTPFormat.Routes.firebase.updateOne.onlyIfPresent)
      let service = try await Service.empty(.firebase, "--bearer", "good")
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.firebase("good"))
      var model = try record()
      #expect(try await cars.find(Criteria()).value == [])
      #expect(try await cars.updateOne(model).value == nil)
      #expect(try await cars.removeOne(model).value == nil)
      #expect(try await cars.storeOne(model).value == model)
      await #expect(throws: EvocationError.self) { try await cars.storeOne(model) }
      model.year = 1990
      #expect(try await cars.updateOne(model).value == model)
      let writes = try await service.requests().filter { $0.method == "PUT" }
      #expect(writes.last?.headers["if-match"]?.count == 32)
      #expect(writes.allSatisfy { $0.query.contains("auth=good") })
      let refused = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.firebase("bad"))
      let error = await failure { try await refused.find(Criteria()) } as? HTTPError
      #expect(error?.code == .unauthorized && error?.message == "Permission denied")
    }

    @Test func `Firebase refuses a change of what somebody else has changed or removed`()
      async throws
    {
      let service = try await Service.start(dialect: .firebase)
      func cars() -> HTTPRepository<Car> {
        HTTPRepository(at: service.url, "cars", Dialects.firebase())
      }
      let mine = cars()
      var car = try #require(try await mine.findOne(["id": 7]).value)
      car.weight = 1
      _ = try await cars().updateOne(car)
      car.weight = 2
      let error = await failure { try await mine.updateOne(car) } as? HTTPError
      #expect(error?.code == .preconditionFailed)
      #expect((error?.current as? Car)?.weight == 1)
      #expect(try await mine.updateOne(car).value == car)
      _ = try await mine.findOne(["id": 7])
      _ = try await cars().removeOne(car)
      #expect(try await mine.updateOne(car).value == nil)
      #expect(try await mine.findOne(["id": 7]).value == nil)
    }

    @Test func `A key that is no id of the models is an error`() async throws {
      let service = try await Service.start(dialect: .firebase)
      let cars = HTTPRepository<Car>(at: service.url, "cars", Dialects.firebase())
      try await service.control(.status(200, body: #"{"first": {"name": "Fiat"}}"#))
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .undecodable)
      let context =
        if case .dataCorrupted(let context) = error?.underlying as? DecodingError { context } else {
          nil as DecodingError.Context?
        }
      #expect(context?.debugDescription == "The key of the model is not an id.")
    }

    @Test func `A refusal has the service's words, and those on a field`() async throws {
      var wrong = try record()
      wrong.year = .max
      func refusal(
        _ dialect: Service.Dialect, _ setup: Setup, _ body: String
      ) async throws -> HTTPError? {
        let service = try await Service.start(dialect: dialect)
        let cars = HTTPRepository<RecordCar>(at: service.url, "cars", setup)
        let status = dialect == .stripe || dialect == .directus ? 400 : 422
        try await service.control(.status(status, body: body))
        return await failure { try await cars.storeOne(wrong) } as? HTTPError
      }
      let stripe = try await refusal(
        .stripe, Dialects.stripe(),
        #"{"error": {"type": "invalid_request_error", "message": "No.", "param": "year"}}"#)
      #expect(stripe?.message == "No." && stripe?.fields == ["year": ["No."]])
      let key = try await refusal(
        .stripe, Dialects.stripe(), #"{"error": {"type": "api_error", "message": "No."}}"#)
      #expect(key?.message == "No." && key?.fields == [:])
      let airtable = try await refusal(
        .airtable, Dialects.airtable(),
        #"{"error": {"type": "UNKNOWN_FIELD_NAME", "message": "No."}}"#)
      #expect(airtable?.message == "No." && airtable?.fields == [:])
      let jsonAPI = try await refusal(
        .jsonapi, Dialects.jsonAPI(),
        #"{"errors": [{"detail": "No.", "source": {"pointer": "/data/attributes/year"}}]}"#)
      #expect(jsonAPI?.message == "No." && jsonAPI?.fields == ["year": ["No."]])
      let directus = try await refusal(
        .directus, Dialects.directus(),
        #"{"errors": [{"message": "No.", "extensions": {"code": "FAILED_VALIDATION", "field": "year"}}]}"#
      )
      #expect(directus?.message == "No." && directus?.fields == ["year": ["No."]])
    }

    @Test func `A list that says that it goes on, and has no way on, is an error`() async throws {
      let service = try await Service.start(dialect: .stripe)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.stripe())
      try await service.control(
        .status(200, body: #"{"object": "list", "data": [], "has_more": true}"#))
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .incompleteList)
      #expect(
        error?.reason == "continues, by \"has_more\", and has no model that the next page "
          + "follows")
      var setup = Dialects.stripe()
      setup.next = .token("next", item: "page", more: "has_more")
      let pages = HTTPRepository<RecordCar>(at: service.url, "cars", setup)
      let reason = (await failure { try await pages.find(Criteria()) } as? HTTPError)?.reason
      #expect(reason == "continues, by \"has_more\", and has no \"next\" that names the next page")
    }

    @Test func `What a service has no words for is refused`() async throws {
      let service = try await Service.start(dialect: .stripe)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.stripe())
      let error = await failure { try await cars.find(["name": "x"]) } as? HTTPError
      #expect(error?.code == .unsupportedCriteria)
      #expect(error?.reason == "it has no \"=\" for \"name\"")
      let table = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.airtable())
      let order = await failure { try await table.find(Criteria().sorted(by: "id")) } as? HTTPError
      #expect(order?.reason == "it cannot sort by the id")
    }
  }
#endif
