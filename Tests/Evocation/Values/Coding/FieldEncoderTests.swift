import Evocation
import Foundation
import Testing

@Suite struct FieldEncoderTests {
  private let id = UUID()
  private let now = Date(timeIntervalSinceReferenceDate: 12.5)

  @Test func `every kind of value is a scalar of its own`() throws {
    let link = try #require(URL(string: "http://a/b"))
    let fields = try FieldEncoder.fields(
      of: Sampled.Plain(
        flag: true, int: -3, small: 4, large: .max, word: 7, real: 1.5, float: 2.5,
        price: 9, name: "x\0y", id: id, link: link, at: now, bytes: Data([1]),
        nickname: nil, seen: now
      ))
    #expect(
      fields.names == [
        "flag", "int", "small", "large", "word", "real", "float", "price", "name", "id", "link",
        "at", "bytes", "nickname", "seen",
      ])
    #expect(
      fields.values == [
        .scalar(.bool(true)), .scalar(.integer(-3)), .scalar(.integer(4)),
        .scalar(.unsigned(.max)), .scalar(.integer(7)), .scalar(.real(1.5)), .scalar(.real(2.5)),
        .scalar(.decimal(9)), .scalar(.text("x\0y")), .scalar(.uuid(id)), .scalar(.url(link)),
        .scalar(.date(now)), .scalar(.data(Data([1]))), .scalar(.null), .scalar(.date(now)),
      ])
    #expect(fields["none"] == nil)
  }

  @Test func `raw values, wrappers, lists, dictionaries and objects are what they code`() throws {
    let home = try FieldEncoder.field(of: Sampled.Address(city: "B", zip: nil))
    guard case .object(let address) = home else {
      Issue.record("An address has no keys.")
      return
    }
    #expect(address.names == ["city", "zip"])
    #expect(address.values == [.scalar(.text("B")), .scalar(.null)])
    #expect(try FieldEncoder.field(of: Sampled.Color.green) == .scalar(.text("green")))
    #expect(try FieldEncoder.field(of: Sampled.Level.high) == .scalar(.integer(9)))
    #expect(try FieldEncoder.field(of: Sampled.Clamped(wrappedValue: 4)) == .scalar(.integer(4)))
    #expect(
      try FieldEncoder.field(of: [Sampled.Color.red, .green])
        == .list([.scalar(.text("red")), .scalar(.text("green"))]))
    #expect(
      try FieldEncoder.field(of: [Int?.none, 1]) == .list([.scalar(.null), .scalar(.integer(1))]))
    #expect(try FieldEncoder.field(of: Int?.none) == .scalar(.null))
    #expect(try FieldEncoder.field(of: [String]()) == .list([]))
    guard case .object(let table) = try FieldEncoder.field(of: ["a": 1.0]) else {
      Issue.record("A dictionary has no keys.")
      return
    }
    #expect(table["a"] == .scalar(.real(1)))
  }

  @Test func `nested containers stand under their key, filled after they were asked for`() throws {
    let data = Data(#"{"count": 1, "tag": "t", "home": {"city": "C"}}"#.utf8)
    let model = try JSONDecoder().decode(Sampled.Defaults.self, from: data)
    let fields = try FieldEncoder.fields(of: model)
    #expect(fields.names == ["count", "tag", "home"])
    guard case .object(let home) = fields["home"] else {
      Issue.record("The nested container is missing.")
      return
    }
    #expect(home["city"] == .scalar(.text("C")))
  }

  @Test func `what codes itself without keys is no model`() {
    #expect(throws: EvocationError.unmappable(model: "", property: "", reason: "")) {
      try FieldEncoder.fields(of: 3)
    }
  }
}
