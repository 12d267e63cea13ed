import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// The table of events in the documentation, run.
@Suite(.patient) struct CachingEventTableTests {
  @Test func `The page has a table`() throws {
    let rows = try CacheEventTable.rows()
    #expect(rows.count > 40)
    #expect(Set(rows.map(\.testDescription)).count == rows.count)
  }

  @Test func `Each row of the page is what is shown`() async throws {
    for row in try CacheEventTable.rows() {
      let table = try await CacheEventTable(row)
      let begins = row.action.hasPrefix("observing begins")
      var watch = Watch(table.repository.observe(forceRefresh: row.action.contains("forced")))
      if !begins {
        _ = await watch.next()
        try await table.act(row.action)
      }
      let shown = await watch.next(row.states.count)
      #expect(shown == row.states, "\(row.testDescription)")
      // Nothing else is shown before this.
      try await table.repository.update(["end"])
      let end = await watch.next()
      #expect(end == "yes/end", "\(row.testDescription)")
    }
  }
}
