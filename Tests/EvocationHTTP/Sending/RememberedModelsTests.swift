import Foundation
import Testing

@testable import EvocationHTTP

@Suite struct RememberedModelsTests {
  private let known = RememberedModels()

  @Test func `A read that began before a write teaches nothing`() throws {
    let url = try #require(URL(string: "http://localhost/cars/1"))
    let writes = known.writes
    known.wrote("1", .init(version: "\"new\"", url: url))
    known.read("1", .init(version: "\"old\"", url: url), writes: writes)
    #expect(known.version(of: "1", at: url) == "\"new\"")
    known.read("1", .init(version: "\"newer\"", url: url), writes: known.writes)
    #expect(known.version(of: "1", at: url) == "\"newer\"")
    known.wrote("1", .init())
    #expect(known.isEmpty)
  }

  @Test func `A write that was not answered leaves the version, and what is known no more`() {
    known.wrote("1", .init(version: "\"1\""))
    known.doubt("1", ["name"])
    known.doubt("2", [])
    #expect(known["1"]?.version == "\"1\"" && known["1"]?.doubted == ["name"])
    #expect(known["2"]?.doubted == [])
    known.read("1", .init(version: "\"2\""), writes: known.writes)
    #expect(known["1"]?.doubted == nil)
  }

  @Test func `What is used is kept, and the rest is bounded`() throws {
    let url = try #require(URL(string: "http://localhost/cars/1"))
    for id in 0..<10_000 {
      known.wrote("\(id)", .init(version: "\"\(id)\"", url: url))
      #expect(known.version(of: "0", at: url) == "\"0\"")
    }
    let kept = (0..<10_000).filter { known.version(of: "\($0)", at: url) != nil }
    #expect(kept.first == 0 && kept.last == 9999 && kept.count < 5000)
  }
}
