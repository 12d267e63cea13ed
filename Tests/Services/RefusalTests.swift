import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import TestTraits
import Testing

/// What services say of a model that they do not take.
@Suite(.patient) struct RefusalTests {
  /// Those that take no car from before 1900, each with whether it names the field.
  private static let cases = RealService.running.compactMap { service in
    [.jsonAPI: true, .fastAPI: true, .eve: true, .graphQL: true, .datasette: false][service].map {
      (service, $0)
    }
  }

  @Test(arguments: cases)
  func `A refusal has the service's reason, and the field that it is about`(
    service: RealService, namesField: Bool
  ) async throws {
    func check<Model: ServiceCar>(_ type: Model.Type) async throws {
      var old = car(service.givesIdentifiers ? -1 : 1)
      old.year = 1800
      let error = await #expect(throws: HTTPError.self) {
        _ = try await repository(of: service, type).storeOne(Model(old))
      }
      #expect(error.map { FailureKind($0) } == .permanent)
      if namesField {
        #expect(error?.fields["year"]?.first?.contains("1900") == true, "\(error?.fields ?? [:])")
      } else {
        #expect(error?.message?.contains("year >= 1900") == true)
      }
      #expect(try await service.rows(type).isEmpty)
    }
    try await service.alone { try await check(service.model) }
  }

  @Test(arguments: RealService.running.filter { $0 == .eve })
  func `A change of what was just stored does not overwrite another's`(
    service: RealService
  ) async throws {
    try await service.alone {
      let (mine, theirs) = (
        repository(of: service, DocumentCar.self), repository(of: service, DocumentCar.self)
      )
      var model = DocumentCar(car(1))
      _ = try await mine.storeOne(model)
      var other = model
      other.name = "theirs"
      _ = try await theirs.updateOne(other)
      model.weight = 7
      let edited = model
      let error = await #expect(throws: HTTPError.self) { try await mine.updateOne(edited) }
      #expect(error?.code == .preconditionFailed)
      #expect(try await service.rows(DocumentCar.self) == [other])
    }
  }

  private struct Maker: Codable, Identifiable, Sendable {
    var id: String
    var name: String
  }

  private func storedMaker(_ service: RealService) async throws -> Maker {
    let makers = HTTPRepository<Maker>(
      HTTPService(service.address), "makers", format: .djangoJSONAPI)
    return try #require(try await makers.storeOne(Maker(id: "", name: "Saab")).value)
  }

  @Test(arguments: RealService.running.filter { $0 == .jsonAPI })
  func `A change leaves the relationships of a resource as they are`(
    service: RealService
  ) async throws {
    try await service.alone {
      let maker = try await storedMaker(service)
      try await service.relate(try await service.fill([ResourceCar(car(1))])[0].id, to: maker.id)
      let cars = repository(of: service, ResourceCar.self)
      var model = try #require(try await cars.find(Criteria()).value.first)
      model.name = "changed"
      #expect(try await cars.updateOne(model).value == model)
      #expect(try await service.relative(of: model.id) == maker.id)
    }
  }

  @Test(arguments: RealService.running.filter { $0 == .jsonAPI })
  func `The id of a related resource is a property`(service: RealService) async throws {
    try await service.alone {
      let maker = try await storedMaker(service)
      var format = HTTPFormat.djangoJSONAPI
      format.relationships = ["maker": "makers"]
      let cars = HTTPRepository<MadeCar>(HTTPService(service.address), "cars", format: format)
      var made = try #require(try await cars.storeOne(MadeCar(car(1), by: maker.id)).value)
      #expect(made.maker == maker.id)
      #expect(try await service.relative(of: made.id) == maker.id)
      #expect(try await cars.find(Criteria()).value == [made])
      made.maker = nil
      #expect(try await cars.updateOne(made).value == made)
      #expect(try await cars.findOne(["id": made.id]).value?.maker == nil)
      made.maker = maker.id
      #expect(try await cars.updateOne(made).value?.maker == maker.id)
    }
  }
}

/// A car with the id of its maker.
private struct MadeCar: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var name: String
  var cylinders, weight, year: Int
  var displacement, acceleration: Double
  var origin: String
  var maker: String?

  init(_ car: Car, by maker: String) {
    (id, name, origin, self.maker) = ("\(car.id)", car.name, car.origin, maker)
    (cylinders, weight, year) = (car.cylinders, car.weight, car.year)
    (displacement, acceleration) = (car.displacement, car.acceleration)
  }
}
