import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

/// A `PUT` clears nothing that this version of the app does not know.
@Suite(.patient) struct HTTPOtherKeysTests {
  /// A service that has one model, and replaces it as a `PUT` says.
  private func service(_ stored: Record<String>, at place: String = "") -> Scripted {
    Scripted { request in
      let isList = request.url.lastPathComponent == "things"
      if let body = request.body, request.method == "PUT" {
        let text = String(decoding: body, as: UTF8.self)
        stored.append(isList ? String(text.dropFirst().dropLast()) : text)
      }
      guard let model = stored.elements.last else { return (404, [:], "") }
      let one = place.isEmpty ? model : #"{"\#(place)":\#(model)}"#
      return (200, [:], isList ? "[\(one)]" : one)
    }
  }

  private func replacing(_ setup: inout Setup) {
    setup.format.routes.updateOne = .init("PUT", "{path}/{id}")
    setup.format.routes.update = .init("PUT")
  }

  private func json(_ text: String?) throws -> NSDictionary {
    let json = try JSONSerialization.jsonObject(with: Data((text ?? "").utf8))
    return try #require(json as? NSDictionary)
  }

  private static let newer =
    #"{"id":1,"name":"a","rev":1,"colour":"red","seats":{"front_left":[2.50,null]},"price":0.1}"#

  enum Read: CaseIterable { case one, list, pages }

  enum Write: CaseIterable { case update, updates, storeOrUpdate, storeOrUpdates }

  @Test(arguments: Read.allCases, Write.allCases)
  func `A PUT gives back what the service has and the app does not know`(
    read: Read, write: Write
  ) async throws {
    let stored = Record<String>()
    stored.append(Self.newer)
    let service = service(stored)
    let things = try service.things { replacing(&$0) }
    var thing: Thing?
    switch read {
    case .one: thing = try await things.findOne(["id": 1]).value
    case .list: thing = try await things.find(Criteria()).value.first
    case .pages:
      let last = Record<Thing>()
      _ = try await things.find(Criteria(), inBatchesOf: 10) { $0.value.forEach(last.append) }
      thing = last.elements.last
    }
    // In the meantime another app has changed what this one does not know.
    stored.append(Self.newer.replacingOccurrences(of: "red", with: "blue"))
    var changed = try #require(thing)
    changed.name = "b"
    switch write {
    case .update: _ = try await things.updateOne(changed)
    case .updates: _ = try await things.update([changed, changed])
    case .storeOrUpdate: _ = try await things.storeOrUpdate([changed])
    case .storeOrUpdates: _ = try await things.storeOrUpdate([changed, changed])
    }
    let expected = Self.newer.replacingOccurrences(of: "red", with: "blue")
      .replacingOccurrences(of: #""name":"a""#, with: #""name":"b""#)
    #expect(try json(stored.elements.last) == json(expected))
    #expect(stored.elements.last?.contains("0.1") == true, "no number changes")
    #expect(!service.lines.contains("PUT /things"), "one after another, because each is asked for")
  }

  @Test func `A service that has nothing else is not asked`() async throws {
    let stored = Record<String>()
    stored.append(#"{"id":1,"name":"a","rev":1,"_links":{"self":"/things/1"},"@odata.etag":"x"}"#)
    let service = service(stored)
    let things = try service.things { replacing(&$0) }
    _ = try await things.find(Criteria())
    _ = try await things.updateOne(Thing(id: 1, name: "b"))
    #expect(
      service.lines == ["GET /things", "PUT /things/1"], "nor for what services add to models")
  }

  @Test func `What the format names as the service's own is not given back`() async throws {
    let stored = Record<String>()
    stored.append(Self.newer)
    let service = service(stored)
    let things = try service.things { setup in
      replacing(&setup)
      setup.format.readOnlyKeys = ["colour", "price"]
      setup.format.version = .property("seats")
    }
    _ = try await things.find(Criteria())
    _ = try await things.updateOne(Thing(id: 1, name: "b"))
    #expect(service.lines == ["GET /things", "PUT /things/1"])
  }

  @Test func `A patch asks for nothing`() async throws {
    let stored = Record<String>()
    stored.append(Self.newer)
    let service = service(stored)
    let things = try service.things()
    _ = try await things.find(Criteria())
    _ = try await things.updateOne(Thing(id: 1, name: "b", rev: 1))
    #expect(service.lines == ["GET /things", "PATCH /things/1"])
  }

  @Test func `A model that the service does not have is sent as it is`() async throws {
    let stored = Record<String>()
    let service = Scripted { request in
      if request.method == "PUT" {
        stored.append(String(decoding: request.body ?? Data(), as: UTF8.self))
      }
      return request.url.lastPathComponent == "things"
        ? (200, [:], "[\(Self.newer)]") : (request.method == "PUT" ? 201 : 404, [:], "")
    }
    let things = try service.things()
    _ = try await things.find(Criteria())
    _ = try await things.storeOrUpdate([Thing(id: 2, name: "new")])
    #expect(service.lines.suffix(2) == ["GET /things/2", "PUT /things/2"])
    #expect(stored.elements == [#"{"id":2,"name":"new"}"#])
  }

  @Test func `No service is asked for an id that it has yet to give`() async throws {
    let stored = Record<String>()
    stored.append(Self.newer)
    let service = service(stored)
    let things = try service.things { setup in
      setup.format.identifiers = .placeholder { $0.hasPrefix("-") }
    }
    _ = try await things.find(Criteria())
    _ = try? await things.storeOrUpdate([Thing(id: -1, name: "new")])
    #expect(!service.lines.contains("GET /things/-1"))
  }

  @Test func `If the service does not say what it has, nothing is replaced`() async throws {
    let service = Scripted { request in
      request.url.lastPathComponent == "things" ? (200, [:], "[\(Self.newer)]") : (503, [:], "")
    }
    let things = try service.things { replacing(&$0) }
    _ = try await things.find(Criteria())
    await #expect(throws: HTTPError.self) { try await things.updateOne(Thing(id: 1)) }
    #expect(!service.lines.contains("PUT /things/1"))
  }

  @Test func `Where models have no address, the list is asked for the model`() async throws {
    let stored = Record<String>()
    stored.append(Self.newer)
    let service = service(stored)
    let things = try service.things { setup in
      replacing(&setup)
      setup.format.routes.findOne = nil
    }
    _ = try await things.find(Criteria())
    _ = try await things.updateOne(Thing(id: 1, name: "b", rev: 1))
    #expect(service.lines[1].hasPrefix("GET /things?"))
    #expect(try json(stored.elements.last)["colour"] as? String == "red")
  }

  @Test func `Envelopes and names in snake case keep the service's spelling`() async throws {
    let stored = Record<String>()
    stored.append(#"{"id":1,"name":"a","rev":1,"address_2":{"lineOne":"x","line_two":"y"}}"#)
    let service = service(stored, at: "data")
    let things = try service.things { setup in
      replacing(&setup)
      setup.format.write(keys: .snakeCase)
      setup.format.envelope = .key("data")
    }
    _ = try await things.findOne(["id": 1])
    _ = try await things.updateOne(Thing(id: 1, name: "b"))
    let address = try json(stored.elements.last)["address_2"] as? NSDictionary
    #expect(address == ["lineOne": "x", "line_two": "y"])
  }

  @Test func `A key that the encoder would change is refused by its name`() async throws {
    let stored = Record<String>()
    stored.append(#"{"id":1,"name":"a","rev":1,"colourCode":7}"#)
    let service = service(stored)
    let things = try service.things { setup in
      replacing(&setup)
      setup.format.write(keys: .snakeCase)
    }
    _ = try await things.findOne(["id": 1])
    let error = await #expect(throws: HTTPError.self) {
      try await things.updateOne(Thing(id: 1, name: "b"))
    }
    #expect(error?.code == .misconfigured)
    #expect(error?.description.contains(#"have "colourCode""#) == true)
  }

  @Test(arguments: [Strategy.offlineFirst, .remoteFirst])
  func `After a restart Evocation asks before it replaces what the app had`(
    strategy: Strategy
  ) async throws {
    let stored = Record<String>()
    stored.append(Self.newer)
    let service = service(stored)
    let local = InMemoryRepository<Thing>([Thing(id: 1, name: "a", rev: 1)])
    let evocation = Evocation()
    try evocation.register(
      Thing.self, remote: try service.things { replacing(&$0) }, local: local, strategy: strategy)
    _ = await evocation.updateOne(Thing(id: 1, name: "b", rev: 1))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(service.lines.suffix(2) == ["GET /things/1", "PUT /things/1"])
    #expect(try json(stored.elements.last)["colour"] as? String == "red")
  }
}
