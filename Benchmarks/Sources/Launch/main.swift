import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation

// Registers thirty models, as an app does when it is launched, and finds those of each. It prints how
// many nanoseconds each part took. The first process with a file makes it, and stores a model of each
// type.

let models: [any (Codable & Identifiable & Sendable).Type] = [
  Account.self, Address.self, Album.self, Article.self, Attachment.self, Author.self,
  Booking.self, Brand.self, Category.self, Channel.self, Comment.self, Contact.self,
  Coupon.self, Customer.self, Delivery.self, Device.self, Document.self, Employee.self,
  Event.self, Invoice.self, Message.self, Note.self, Order.self, Payment.self, Place.self,
  Playlist.self, Product.self, Project.self, Review.self, Ticket.self,
]

func register<Model: Codable & Identifiable & Sendable>(
  _ type: Model.Type, _ service: HTTPService, _ database: SQLiteDatabase
) throws {
  try Evocation.shared.register(
    type, remote: HTTPRepository(service, "\(type)".lowercased()),
    local: SQLiteRepository(database), strategy: .localFirst)
}

/// Finds the models of a type, of which the first process stores one.
func use<Model: Codable & Identifiable & Sendable>(_ type: Model.Type, stores: Bool) async throws {
  if stores { _ = try await Evocation.shared.store([stored(type)], rule: .localOnly).get() }
  guard try await Evocation.shared.find(type, rule: .localOnly).count == 1 else {
    throw CocoaError(.fileReadCorruptFile)
  }
}

/// Returns a model that is decoded from JSON, whatever kind of id it has.
func stored<Model: Decodable>(_ type: Model.Type) throws -> Model {
  let ids: [any Sendable] = [1, UUID().uuidString]
  for id in ids {
    var json: [String: any Sendable] = [
      "name": "a", "title": "a", "amount": 1.5, "count": 1, "isActive": true, "createdAt": 1,
      "status": "open", "tags": ["a", "b"], "price": 1, "kind": 1, "rank": 1, "summary": "a",
      "isHidden": false, "code": "a", "weight": 1.5, "position": ["latitude": 1, "longitude": 1],
    ]
    json["id"] = id
    let data = try JSONSerialization.data(withJSONObject: json)
    if let model = try? JSONDecoder().decode(type, from: data) { return model }
  }
  throw CocoaError(.coderInvalidValue)
}

let path = CommandLine.arguments[1]
let isFirst = !FileManager.default.fileExists(atPath: path)
let clock = ContinuousClock()
let start = clock.now
let database = try SQLiteDatabase(path: path)
let service = HTTPService(URL(filePath: "/"))
for type in models { try register(type, service, database) }
let registered = clock.now
Task.detached {
  for type in models { try await use(type, stores: isFirst) }
  if isFirst { await database.close() }
  print((registered - start) / .nanoseconds(1), (clock.now - start) / .nanoseconds(1))
  exit(EXIT_SUCCESS)
}
while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
