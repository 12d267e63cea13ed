import Evocation
import EvocationHTTP
import Fixtures
import Foundation

/// The first tour of the garage: with the service, without it, and with it again.
struct Tour {
  var narrator: Narrator
  let service: Service
  /// The file with the writes that wait for the service.
  let pending: String

  private let thrifty =
    (Criteria.Key("origin") == "Japan" && Criteria.Key("year") >= 1980
    && Criteria.Key("milesPerGallon") > 38.0)
    .sorted(by: "milesPerGallon", descending: true)

  init(narrator: Narrator, service: Service, pending: String) {
    self.narrator = narrator
    self.service = service
    self.pending = pending
  }

  mutating func run() async throws {
    try opening()
    let cars = await finding()
    let saab = await storing()
    await removing(saab)
    let edited = await withoutTheService(cars)
    try await withTheServiceAgain(edited)
    let third = try await Service.start(port: service.port)
    defer { third.stop() }
    var screen = CacheTour(narrator: narrator, service: third)
    try await screen.run()
    var live = LiveTour(narrator: screen.narrator)
    try await live.run()
    var outbox = OutboxTour(narrator: live.narrator, service: third, file: pending)
    try await outbox.run()
    var account = AccountTour(narrator: outbox.narrator)
    try await account.run()
    narrator = account.narrator
    closing()
  }

  private func opening() throws {
    narrator.title("A garage with a service and a file")
    narrator.say(
      "406 real cars are served over HTTP\(narrator.isPlain ? "" : " at \(service.url)"), "
        + "and an empty SQLite file stands by."
    )
    narrator.say("Every call below is the same whether the service is there or not.")
    narrator.say("What the strategy in strategy.json warns of:")
    for warning in try Bootstrap.strategy().explain().warnings {
      narrator.say("- \(warning)")
    }
  }

  private mutating func finding() async -> [Car] {
    narrator.title("1  Finding, with the service up")
    narrator.code("await Evocation.find(model: Car.self, criteria: thrifty)")
    let result = await Evocation.find(model: Car.self, criteria: thrifty)
    narrator.table(result.data ?? [])
    narrator.course(of: result)
    narrator.check(result.origin == .remote, "the service answered")
    narrator.check(
      result.metadata[.local]?.role == .synchronization && result.synchronizationError == nil,
      "and the file now holds the same five cars"
    )
    return result.data ?? []
  }

  private mutating func storing() async -> Car {
    narrator.title("2  Storing, and being told when a car is there already")
    let saab = Car(
      id: 1_001, name: "saab 900 turbo", milesPerGallon: nil, cylinders: 4, displacement: 121,
      horsepower: 145, weight: 2_670, acceleration: 9.5, year: 1982, origin: "Europe"
    )
    narrator.code("await Evocation.storeOne(saab)")
    let stored = await Evocation.storeOne(saab)
    narrator.course(of: stored)
    narrator.check(
      stored.data == saab, "the service and the file have the saab, its unknown mpg too")
    let twice = await Evocation.storeOne(saab)
    narrator.say("once more: \(twice.error.map { "\($0)" } ?? "no error")")
    narrator.check(
      twice.error as? EvocationError == .alreadyExists(["1001"]), "a second one is refused"
    )
    return saab
  }

  private mutating func removing(_ car: Car) async {
    narrator.title("3  Updating and removing")
    var tuned = car
    tuned.horsepower = 175
    narrator.code("await Evocation.updateOne(tuned)      // local first, and the service follows")
    let updated = await Evocation.updateOne(tuned)
    narrator.course(of: updated)
    narrator.check(
      updated.origin == .local && updated.synchronizationError == nil, "175 hp in both")
    narrator.code("Evocation.removeOne(tuned) { result in … }")
    let removed = await withCheckedContinuation { continuation in
      Evocation.removeOne(tuned) { continuation.resume(returning: $0) }
    }
    narrator.course(of: removed)
    let after = await Evocation.findOne(model: Car.self, criteria: ["id": car.id])
    narrator.check(
      removed.data == tuned && after.data == nil && after.error == nil, "and gone from both"
    )
  }

  private mutating func withoutTheService(_ cars: [Car]) async -> Car? {
    narrator.title("4  The service stops; the same calls go on")
    service.stop()
    narrator.code("await Evocation.find(model: Car.self, criteria: thrifty)")
    let result = await Evocation.find(model: Car.self, criteria: thrifty)
    narrator.table(result.data ?? [])
    narrator.course(of: result)
    narrator.check(
      result.origin == .local && result.data == cars, "the file gave the same five cars")
    let error = result.metadata[.remote]?.error as? HTTPError
    narrator.check(error?.code == .refused, "and the result still knows why it was asked")
    guard var car = cars.first else { return nil }
    car.name += " (restored)"
    narrator.code("await Evocation.updateOne(restored)   // local first, and nobody follows")
    let edit = await Evocation.updateOne(car)
    narrator.course(of: edit)
    narrator.check(
      edit.data == car && edit.error == nil && edit.synchronizationError is HTTPError,
      "the edit is safe in the file, and nobody was told that the service has it"
    )
    return car
  }

  private mutating func withTheServiceAgain(_ edited: Car?) async throws {
    narrator.title("5  The service is back")
    narrator.say("It starts again where it was, with the cars that it had at first.")
    let again = try await Service.start(port: service.port)
    defer { again.stop() }
    guard let edited else { return }
    let sent = await Evocation.updateOne(edited)
    narrator.check(sent.synchronizationError == nil, "the edit made once more reaches the service")
    let result = await Evocation.find(model: Car.self, criteria: thrifty)
    narrator.course(of: result)
    narrator.check(
      result.origin == .remote && result.data?.contains(edited) == true,
      "and comes back from there"
    )
  }

  private mutating func closing() {
    narrator.title(
      narrator.failures == 0
        ? "Everything did what it said."
        : "\(narrator.failures) of the steps did not do what they said."
    )
  }
}
