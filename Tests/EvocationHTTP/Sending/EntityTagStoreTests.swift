import Foundation
import Testing

@testable import EvocationHTTP

@Suite struct EntityTagStoreTests {
  private let tags = EntityTags()

  @Test func `A read that began before a write teaches nothing`() throws {
    let url = try #require(URL(string: "http://localhost/cars/1"))
    let writes = tags.writes
    tags.wrote("1", at: url, "\"new\"")
    tags.read("1", at: url, "\"old\"", writes: writes)
    #expect(tags.tag(of: "1", at: url) == "\"new\"")
    tags.read("1", at: url, "\"newer\"", writes: tags.writes)
    #expect(tags.tag(of: "1", at: url) == "\"newer\"")
    tags.wrote("1", at: url, nil)
    #expect(tags.isEmpty)
  }

  @Test func `What is used is kept, and the rest is bounded`() throws {
    let url = try #require(URL(string: "http://localhost/cars/1"))
    for id in 0..<10_000 {
      tags.wrote("\(id)", at: url, "\"\(id)\"")
      #expect(tags.tag(of: "0", at: url) == "\"0\"")
    }
    let kept = (0..<10_000).filter { tags.tag(of: "\($0)", at: url) != nil }
    #expect(kept.first == 0 && kept.last == 9999 && kept.count < 5000)
  }
}
