import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import CoreSupport

/// What errors of caches say, and what they keep to themselves.
@Suite struct CacheSentenceTests {
  private static let secret = "hunter2"
  private static let criteria = (Criteria.Key("owner") == secret && Criteria.Key("year") > 1970)
    .sorted(by: "model").sorted(by: "year")

  private static func errors(_ tag: String) -> [CacheError] {
    [
      .tagConflict(tag: tag, source: "CarSource", other: "OtherSource"), .noCache(tag: tag),
      .cacheTooOld(tag: tag, age: .seconds(61)), .cacheTooOld(tag: tag, age: nil),
      .cleared(tag: tag), .outdatedFetch(tag: tag), .repeatedPage(tag: tag), .nestedWrite(tag: tag),
      .nestedFetch(tag: tag),
    ]
  }

  @Test func `no error of a cache says what was asked for`() {
    let evocation = Evocation()
    let tags = [
      evocation.cache(Car.self).source.tag(for: Self.criteria),
      evocation.pagingCache(Car.self, pageSize: 5).source.tag(for: Self.criteria),
      Self.criteria.tag, "settings of \(Self.secret)", "{\(Self.secret)", "x?\(Self.secret)",
    ]
    for tag in tags {
      for error in Self.errors(tag) {
        #expect(!error.description.contains(Self.secret))
        #expect(!"\(Evocation.Trace.Outcome.failed("\(error)"))".contains(Self.secret))
      }
    }
  }

  @Test func `errors of a model's cache and list name the model and the keys`() {
    let evocation = Evocation()
    let tag = evocation.cache(Car.self).source.tag(for: Self.criteria)
    let cache = "cache of CoreSupport.Car by owner, year, model"
    #expect(
      Self.errors(tag).map(\.description) == [
        "CarSource and OtherSource use one tag in one ledger; give one of them another tag, or "
          + "another ledger.",
        "There is no \(cache); refresh the cache, or read from both the cache and its origin.",
        "The \(cache) is too old, 61 s; refresh the cache, or read from both the cache and its "
          + "origin.",
        "The \(cache) is of unknown age; refresh the cache, or read from both the cache and its "
          + "origin.",
        "Another call cleared the \(cache) while this call waited for it; read the cache again.",
        "Another fetch moved the change token of the \(cache) each time, before the fetched changes "
          + "were saved; refresh the cache again.",
        "The server's pages of the \(cache) form a circle, because it names a page as the next "
          + "one that the list already has, so the list ends here; let the server name no next "
          + "page on its last page.",
        "Your app wrote the \(cache) inside its own save, which would wait for itself; write the "
          + "cache after the save has ended.",
        "Your app asked for the \(cache) inside its own fetch, or inside one that it waits for, "
          + "which would wait for itself; read from the cache there, or fetch the cache "
          + "afterwards.",
      ])
    let all = evocation.cache(Car.self).source.tag(for: Criteria())
    #expect(
      "\(CacheError.nestedWrite(tag: all))".hasPrefix(
        "Your app wrote the cache of CoreSupport.Car inside"))
    let list = evocation.pagingCache(Car.self, pageSize: 5).source.tag(for: ["year": 1])
    #expect(
      "\(CacheError.noCache(tag: list))".hasPrefix("There is no list of CoreSupport.Car by year;"))
    #expect("\(CacheError.cleared(tag: "words"))".hasPrefix("Another call cleared the cache while"))
  }
}
