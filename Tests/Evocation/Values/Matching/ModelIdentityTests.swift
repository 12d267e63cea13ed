import Evocation
import Foundation
import TestTraits
import Testing

/// Models that encode their ids in different ways.
private enum Identified {
  struct Plain: Codable, Identifiable { var id: Int, name: String }

  struct Renamed: Codable, Identifiable {
    enum CodingKeys: String, CodingKey { case id = "_id", name }
    var id: String, name: String
  }

  /// The key `id` is another property's.
  struct Crossed: Codable, Identifiable {
    enum CodingKeys: String, CodingKey { case id = "uuid", number = "id" }
    var id: UUID, number: Int
  }

  struct Reference: Codable { var id: UUID, rev: Int }
  struct Nested: Codable, Identifiable {
    var ref: Reference, name: String
    var id: UUID { ref.id }
  }

  /// A text that is encoded as a number.
  struct Numbered: Codable, Identifiable {
    var id: String, name: String
    enum CodingKeys: CodingKey { case id, name }

    init(id: String, name: String) { (self.id, self.name) = (id, name) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = String(try container.decode(Int.self, forKey: .id))
      name = try container.decode(String.self, forKey: .name)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Int(id) ?? 0, forKey: .id)
      try container.encode(name, forKey: .name)
    }
  }

  /// An id that differs from what stands under its key only for some texts.
  struct Lowered: Codable, Identifiable {
    enum CodingKeys: String, CodingKey { case text = "id" }
    var text: String
    var id: String { text.lowercased() }
  }

  /// A model whose id is a tiny number, without which it has no optional values either.
  struct Choosy: Codable, Identifiable {
    var id: Int, name: String?, tags: [String]
    enum CodingKeys: CodingKey { case id, name, tags }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      name = try container.decodeIfPresent(String.self, forKey: .name)
      tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
      guard 0...9 ~= id else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: container, debugDescription: "The id is no digit.")
      }
    }
  }

  /// A number that is encoded as a text, and zero for any other text.
  struct Worded: Codable, Identifiable {
    var id: Int
    enum CodingKeys: CodingKey { case id }

    init(id: Int) { self.id = id }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = Int(try container.decode(String.self, forKey: .id)) ?? 0
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(String(id), forKey: .id)
    }
  }

  struct Part: Codable, Hashable { var row: Int, seat: String }
  struct Composite: Codable, Identifiable { var id: Part, name: String }

  /// An id of two keys.
  struct Joined: Codable, Identifiable {
    var car: Int, place: String
    var id: String { "\(car)/\(place)" }
  }

  /// An id that is not encoded.
  struct Made: Codable, Identifiable {
    var name: String
    let id = UUID()
    enum CodingKeys: CodingKey { case name }
  }

  final class Object: Codable, Identifiable {
    let id: Int
    var name: String
    init(id: Int, name: String) { (self.id, self.name) = (id, name) }
  }

  /// Computed from a key in a way that cannot be turned round.
  struct Folded: Codable, Identifiable {
    var code: String
    var id: String { code.lowercased() }
  }
}

@Suite(.patient) struct ModelIdentityTests {
  @Test func `the key of an id is found under any name and depth`() {
    #expect(ModelIdentity.of(Identified.Plain.self).key == "id")
    #expect(ModelIdentity.of(Identified.Renamed.self).key == "_id")
    #expect(ModelIdentity.of(Identified.Crossed.self).key == "uuid")
    #expect(ModelIdentity.of(Identified.Nested.self).key == "ref.id")
    #expect(ModelIdentity.of(Identified.Numbered.self).key == "id")
    #expect(ModelIdentity.of(Identified.Object.self).key == "id")
  }

  @Test func `a type that takes few ids is learned like any other`() throws {
    let schema = try ModelSchema.of(Identified.Choosy.self)
    #expect(ModelIdentity.of(Identified.Choosy.self).key?.name == "id")
    #expect(schema.properties.map(\.name) == ["id", "name", "tags"])
    #expect(schema.properties.map(\.isOptional) == [false, true, true])
    #expect(schema.properties.map(\.hasDefault) == [false, false, true])
  }

  @Test func `an id of several properties is named by each`() throws {
    #expect(ModelIdentity.of(Identified.Composite.self).key == "id")
    #expect(ModelIdentity.of(Identified.Composite.self).keys == ["id.row", "id.seat"])
    #expect(
      try Criteria(id: .init(row: 1, seat: "a"), of: Identified.Composite.self)
        == (["id.row": 1, "id.seat": "a"] as Criteria))
  }

  @Test func `what is computed from several keys, or not encoded, has no key`() throws {
    #expect(ModelIdentity.of(Identified.Joined.self).keys.isEmpty)
    #expect(ModelIdentity.of(Identified.Made.self).keys.isEmpty)
    #expect(ModelIdentity.of(Identified.Lowered.self).keys.isEmpty)
    #expect(ModelIdentity.of(Identified.Folded.self).keys.isEmpty)
    #expect(throws: EvocationError.notIdentifiable(model: "Joined")) {
      try Criteria(id: "1/a", of: Identified.Joined.self)
    }
  }

  @Test func `an id is the value that the model encodes`() throws {
    let model = Identified.Numbered(id: "7", name: "a")
    #expect(ModelID.all(of: [model])?.map(\.scalars) == [[.integer(7)]])
    #expect(ModelID("7", of: Identified.Numbered.self).scalars == [.integer(7)])
    #expect(try Criteria(id: "7", of: Identified.Numbered.self) == ["id": 7])
  }

  @Test func `an id that a type reads from whatever it does not know is the value that it encodes`()
    throws
  {
    #expect(ModelIdentity.of(Identified.Worded.self).key == "id")
    for id in [0, 7, -1] {
      #expect(try Criteria(id: id, of: Identified.Worded.self) == ["id": "\(id)"])
    }
  }

  @Test func `memory finds such models by id, among others and in their order`() async throws {
    let models = ["10", "9", "7"].map { Identified.Numbered(id: $0, name: $0) }
    let memory = InMemoryRepository(models)
    #expect(try await memory.find(Criteria()).value.map(\.id) == ["7", "9", "10"])
    #expect(try await memory.find(["id": 7]).value.map(\.id) == ["7"])
    let evocation = Evocation()
    evocation.register(for: Identified.Numbered.self).repository(local: memory)
      .strategy(.localOnly)
    #expect(try await evocation.findOne(Identified.Numbered.self, id: "10")?.name == "10")
    #expect(try await evocation.findOne(Identified.Numbered.self, id: "x") == nil)
  }
}
