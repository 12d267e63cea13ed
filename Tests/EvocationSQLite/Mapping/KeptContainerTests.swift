import Evocation
import EvocationSQLite
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationValues
@testable import SQLiteSupport

/// A model that keeps the container from which it was decoded last.
private struct Kept: Codable, Identifiable, Sendable {
  enum CodingKeys: CodingKey { case id }

  final class Kept: @unchecked Sendable {  // one test reads one model after another
    var container: KeyedDecodingContainer<CodingKeys>?
  }

  static let kept = Kept()

  var id: Int

  init(id: Int) { self.id = id }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    Self.kept.container = container
  }
}

private struct Plain: Codable {
  var id: Int
}

@Suite(.patient) struct KeptContainerTests {
  @Test func `A container that a model has kept has no values when the read is over`()
    async throws
  {
    do {
      let repository = try SQLiteRepository<Kept>(.inMemory())
      try await repository.store([Kept(id: 1)])
      #expect(try await repository.find(Criteria()).value.map(\.id) == [1])
    }
    let container = try #require(Kept.kept.container)
    #expect(!container.contains(.id))
    #expect(container.allKeys.isEmpty)
    #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: .id) }
    Kept.kept.container = nil
  }

  @Test func `Coders are released with their statement, although containers refer to them`() throws
  {
    let layout = ModelLayout([("id", .integer)], positions: [0])
    weak var decoder: ModelDecoder?
    weak var encoder: ModelEncoder?
    func use() throws {
      let (rows, parameters) = (RowDecoder(layout), RowEncoder(layout))
      (decoder, encoder) = (rows.model, parameters.model)
      #expect(throws: DecodingError.self) { try Plain(from: rows.model) }
      try parameters.model.encode(Plain(id: 1))
      #expect(decoder != nil && encoder != nil)
    }
    try use()
    #expect(decoder == nil)
    #expect(encoder == nil)
  }
}
