import Foundation
import Testing

@testable import EvocationHTTP

@Suite struct RequestEncoderTests {
  private struct Everything: Encodable {
    var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?
    var i: Int64?, j: UInt?, k: UInt8?, l: UInt16?, m: UInt32?, n: UInt64?, o: Date?, p: [Int]?
    var inner = Inner()
  }

  private struct Inner: Encodable {
    var x: Int?
  }

  @Test func `Each property that is nil is written, those of inner values are not`() throws {
    let json = try text(
      RequestModel(model: Everything(), selection: RequestSelection(writesNulls: true)))
    let nulls = "abcdefgh".map { "\"\($0)\":null" } + ["\"i\":null", "\"inner\":{}"]
    let rest = "jklmnop".map { "\"\($0)\":null" }
    #expect(json == "{" + (nulls + rest).joined(separator: ",") + "}")
  }

  @Test func `What there is stays as the encoder writes it`() throws {
    var model = Everything()
    model.a = true
    model.o = Date(timeIntervalSince1970: 0)
    model.p = [1]
    let json = try text(RequestModel(model: model, selection: RequestSelection(writesNulls: true)))
    #expect(json.contains("\"a\":true"))
    #expect(json.contains("\"o\":\"1970-01-01T00:00:00Z\""))
    #expect(json.contains("\"p\":[1]"))
  }

  @Test func `Without it nothing is written for nil`() throws {
    #expect(
      try text(RequestModel(model: Everything(), selection: RequestSelection())) == "{\"inner\":{}}"
    )
  }

  @Test func `A model that is one value or a list is written as that`() throws {
    #expect(
      try text([RequestModel(model: 1, selection: RequestSelection(writesNulls: true))]) == "[1]")
    #expect(
      try text(RequestModel(model: [1, 2], selection: RequestSelection(writesNulls: true)))
        == "[1,2]")
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try HTTPFormat.defaultEncoder().encode(value), as: UTF8.self)
  }
}
