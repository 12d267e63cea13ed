import Evocation

struct Car: Codable, Identifiable, Sendable {
  let id: Int
  var name: String
  var year: Int
}

// A repository in memory plays the server here.
let server = InMemoryRepository([Car(id: 1, name: "Datsun 210", year: 1980)])
try Evocation.register(
  Car.self, remote: server, local: InMemoryRepository(), strategy: .remoteFirst)

let stored = await Evocation.storeOne(Car(id: 2, name: "Mazda GLC", year: 1981))
if let error = stored.error { print("Not stored:", error) }

let cars = try await Evocation.find(Car.self, where: \.year >= 1980, sortedBy: \.year)
for car in cars { print(car.year, car.name) }

// Both are in the local store now, so this asks no server.
let local = try await Evocation.count(Car.self, rule: .localOnly)
print(local, "on the device")
