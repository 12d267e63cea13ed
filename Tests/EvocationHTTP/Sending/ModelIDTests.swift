import Evocation
import Foundation
import Testing

@testable import EvocationHTTP

@Suite struct ModelIDTests {
  private struct Model<ID: Hashable & Sendable>: Identifiable {
    let id: ID
  }

  private enum Size: String {
    case small
  }

  private struct Plate: LosslessStringConvertible, Hashable {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  private struct Pair: Hashable {
    let left: Int
    let right: Int
  }

  @Test func `An id is what criteria can compare with`() throws {
    #expect(try ModelID.scalar(of: Model(id: 7)) == .integer(7))
    #expect(try ModelID.scalar(of: Model(id: "a")) == .text("a"))
    #expect(try ModelID.scalar(of: Model(id: Size.small)) == .text("small"))
    #expect(try ModelID.scalar(of: Model(id: Plate("B-X 1"))) == .text("B-X 1"))
    #expect(try ModelID.scalar(of: Model(id: Int?.some(7))) == .integer(7))
    #expect(try ModelID.scalar(of: Model(id: Int?.none)) == .null)
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    #expect(try ModelID.scalar(of: Model(id: uuid)) == .uuid(uuid))
  }

  /// An id that criteria compare by its number, and that is coded as text.
  private struct Serial: Codable, Hashable, CriteriaValue {
    let number: Int
    var criteriaValue: Criteria.Scalar { .integer(Int64(number)) }

    init(_ number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      number = Int(text.dropFirst(2)) ?? 0
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("B-\(number)")
    }
  }

  private struct Part: Codable, Identifiable, Sendable {
    let id: Serial
  }

  /// An id of two properties that has a word of its own.
  private struct Seat: Codable, Hashable, CriteriaValue {
    let row: Int
    let letter: String
    var criteriaValue: Criteria.Scalar { .text("\(row)\(letter)") }
  }

  private struct Ticket: Codable, Identifiable, Sendable {
    let id: Seat
  }

  @Test func `A service is told the id by which local stores know the model`() throws {
    let part = Part(id: Serial(7))
    #expect(try ModelID.scalar(of: part) == .text("B-7"))
    #expect(ModelID(of: part, ModelIdentity.of(Part.self)).scalars == [.text("B-7")])
    #expect(try ModelID.scalar(of: Ticket(id: Seat(row: 12, letter: "C"))) == .text("12C"))
  }

  @Test func `An id that is none of that is an error that says so`() throws {
    let error = #expect(throws: EvocationError.self) {
      try ModelID.scalar(of: Model(id: Pair(left: 1, right: 2)))
    }
    #expect(
      error?.description == "Evocation cannot map the property \"id\" of Model<Pair>, because a "
        + "Pair is not a text, number or UUID; make it conform to CriteriaValue."
    )
  }
}
