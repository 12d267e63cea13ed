import Foundation
import Testing

@testable import EvocationHTTP

/// What is kept of answers that may be asked for again.
@Suite struct ETagCacheTests {
  private func key(_ number: Int) throws -> ETagCache.Key {
    let url = try #require(URL(string: "http://localhost/cars/\(number)"))
    return ETagCache.Key(url: url, range: nil, authorization: nil, type: ObjectIdentifier(Int.self))
  }

  private func remember(
    _ number: Int, size: Int, in cache: ETagCache, _ headers: [String: String] = [:]
  ) throws {
    var answer = HTTPAnswer(status: 200, headers: headers, body: Data(count: size))
    answer.headers["etag"] = "\"\(number)\""
    answer.key = try key(number)
    cache.remember(number, of: answer)
  }

  /// Which are there, without that asking makes them used.
  private func kept(_ numbers: Range<Int>, in cache: ETagCache) throws -> [Int] {
    try numbers.filter { try cache.entry(key($0)) != nil }
  }

  @Test func `However small they are, there are 256 at most, and the oldest go`() throws {
    let cache = ETagCache(limit: 1_000_000)
    for number in 0..<300 { try remember(number, size: 1, in: cache) }
    #expect(try kept(0..<300, in: cache) == Array(44..<300))
  }

  @Test func `Their sizes add up to the limit, and the oldest go`() throws {
    let cache = ETagCache(limit: 100)
    for number in 0..<10 { try remember(number, size: 10, in: cache) }
    #expect(try kept(0..<10, in: cache).count == 10)
    try remember(10, size: 1, in: cache)
    #expect(try kept(0..<11, in: cache) == Array(1..<11))
    // There are 91 bytes, of 1...10 in this order.
    try remember(11, size: 29, in: cache)
    #expect(try kept(0..<12, in: cache) == Array(3..<12))
    for number in 20..<120 { try remember(number, size: 50, in: cache) }
    #expect(try kept(0..<120, in: cache) == [118, 119])
  }

  @Test func `What takes the place of an earlier answer counts once`() throws {
    let cache = ETagCache(limit: 100)
    try remember(0, size: 50, in: cache)
    for size in [10, 40, 50, 30, 50] { try remember(1, size: size, in: cache) }
    #expect(try kept(0..<2, in: cache) == [0, 1])
  }

  @Test func `After everything was forgotten, what was asked for before is remembered no more`()
    throws
  {
    let cache = ETagCache(limit: 100)
    try remember(0, size: 10, in: cache)
    cache.forgetAll()
    #expect(try cache.entry(key(0)) == nil)
    // Its key says when it was asked for.
    try remember(1, size: 90, in: cache)
    #expect(try cache.entry(key(1)) == nil)
    var (answer, later) = (HTTPAnswer(status: 200, headers: [:], body: Data()), try key(2))
    later.forgettings = cache.forgettings
    answer.headers["etag"] = "2"
    answer.key = later
    cache.remember(2, of: answer)
    #expect(cache.entry(later) != nil)
  }

  @Test func `An answer above the limit is not kept, and drops no other`() throws {
    let cache = ETagCache(limit: 100)
    try remember(0, size: 10, in: cache)
    try remember(1, size: 101, in: cache)
    #expect(try kept(0..<2, in: cache) == [0])
    try remember(2, size: 100, in: cache)
    #expect(try kept(0..<3, in: cache) == [2])
  }

  @Test func `What was asked for is not the oldest`() throws {
    let cache = ETagCache(limit: 30)
    for number in 0..<3 { try remember(number, size: 10, in: cache) }
    _ = cache.entry(try key(0))
    try remember(3, size: 10, in: cache)
    #expect(try kept(0..<4, in: cache) == [0, 2, 3])
  }

  @Test func `What must not be kept is not`() throws {
    let cache = ETagCache(limit: 100)
    try remember(0, size: 10, in: cache, ["cache-control": "private, no-store"])
    var untagged = HTTPAnswer(status: 200, headers: [:], body: Data(count: 1))
    untagged.key = try key(1)
    cache.remember(1, of: untagged)
    #expect(try kept(0..<2, in: cache).isEmpty)
  }
}
