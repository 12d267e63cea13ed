import Evocation
import Foundation
import TestTraits
import Testing

private struct Note: Codable, Identifiable, Sendable {
  var id: Int
}

/// An app's own value, which Swift prints with the parts that are Evocation's.
private struct Screen {
  var rule = Strategy.Rule(target: .local)
  var failure: any Error = CacheError.notListable(model: "Note")
  var type = Evocation.RepositoryType.remote
  var pause: Outbox.Pause? = .byApp
}

/// The text of values and errors names the module that apps import.
@Suite struct PrintingTests {
  @Test func `a value prints as Swift prints it`() {
    #expect("\(Evocation.RepositoryType.remote)" == "remote")
    #expect("\(Outbox.Pause.authorization("expired"))" == #"authorization("expired")"#)
    #expect("\(Outbox.EntryState.pending)" == "pending")
    #expect(
      "\(CatchUp(sent: 1, refreshed: 2, left: 3))" == "CatchUp(sent: 1, refreshed: 2, left: 3)")
    #expect(
      "\(Criteria.Sort("year", descending: true))".hasPrefix("Sort(key: "))
    let text = "\([Outbox.Pause.offline])"  // [Evocation.Outbox.Pause.offline]
    #expect(text == "[Evocation.Outbox.Pause.offline]")
    #expect(
      String(reflecting: [Evocation.RepositoryType.local])
        == "[Evocation.Evocation.RepositoryType.local]")
  }

  @Test func `no text names the target that declares a type`() async {
    let evocation = Evocation()
    evocation.register(for: Note.self).repository(local: InMemoryRepository<Note>())
    let result = await evocation.find(model: Note.self)
    let cache = evocation.cache(Note.self)
    let values: [Any] = [
      Screen(), evocation, evocation.outbox, result, result.trace, result.metadata, cache,
      CacheState<[Note]>(.noCache), CacheState<[Note]>.State.cache(nil, fetchedAt: .distantPast),
      Strategy.default(), Strategy.default().explain(),
      Criteria.Key("a") == 1 && !(Criteria.Key("b") < 2),
      ["year": 1] as Criteria, FailureKind.transient, Freshness.stale, CacheOptions(),
      ListOptions(), Evocation.Configuration(), FetchRecord(fetchedAt: .distantPast),
      EvocationError.noData, StoreWrite<Note>([.store([Note(id: 1)])]),
      Response([Note(id: 1)]), InMemoryRepository<Note>(), InMemoryFetchLedger(),
      RemoteChanges<Note>(), Outbox.UnsentWrites.block, Outbox.Configuration(),
      Evocation.Log.Level.allCases, ProxyPaging.offset, PagedCache([Note(id: 1)]),
      LoadingState<[Note]>.loading(content: nil), RefreshResult.skipped(.cacheNotTooOld),
    ]
    for value in values {
      for text in ["\(value)", String(reflecting: value), "\([value])"] {
        #expect(!text.contains(/Evocation(Values|Stores|Calls|Outbox|Caching)/), "\(text)")
      }
    }
  }
}
