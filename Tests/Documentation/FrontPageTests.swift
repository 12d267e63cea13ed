import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestTraits
import Testing

/// The samples of the modules' front pages.
@Suite(.patient) struct FrontPageTests {
  private struct Note: Codable, Identifiable, Sendable {
    let id: Int
    var text: String
  }

  private struct Vehicle: Codable, Identifiable, Sendable {
    let id: Int
    var year: Int
  }

  @Test func `a note is saved without a server, and found`() async throws {
    let server = RepositoryMock<Note> { _ in throw URLError(.notConnectedToInternet) }
    let evocation = Evocation()
    try evocation.register(
      Note.self, remote: server, local: InMemoryRepository(), strategy: .offlineFirst)

    let saved = await evocation.storeOne(Note(id: 1, text: "Buy milk"))
    print(saved.isPending ? "saved, and will be sent" : "saved")
    let notes = try await evocation.find(Note.self, where: \.text == "Buy milk")
    print(notes.count, "note")
    #expect(saved.isPending && notes.map(\.id) == [1])
  }

  @Test func `a service has models`() async throws {
    let running = try await Service.start()
    defer { running.stop() }
    let (evocation, url) = (Evocation(), running.url)
    let service = HTTPService(url)
    try evocation.register(
      Vehicle.self, remote: HTTPRepository(service, "cars", format: .rest), strategy: .remoteOnly)
    let cars = try await evocation.find(Vehicle.self, where: \.year >= 1980)
    #expect(!cars.isEmpty && cars.allSatisfy { $0.year >= 1980 })
  }

  @Test func `a mock takes a service's place`() async throws {
    let evocation = Evocation()
    let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980, milesPerGallon: nil)
    let remote = RepositoryMock<Car> { call in
      guard case .find = call else { throw URLError(.notConnectedToInternet) }
      return [car]
    }
    try evocation.register(Car.self, remote: remote)
    #expect(try await evocation.find(Car.self) == [car])
    #expect(await evocation.storeOne(car).error is URLError)
    #expect(remote.calls.count == 2)
  }
}
