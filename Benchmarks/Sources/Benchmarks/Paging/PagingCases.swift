import Evocation
import EvocationSQLite
import Harness

/// The cases of the suite "paging".
struct PagingCases {
  private static let pages = 2_000
  private static let readings = 20
  private static let appended = 10

  private let long = Once { try await PagedItems(Scratch(), pages: Self.pages) }

  var all: [Case] { opening + appending + [swap, memory] }

  /// Opens a file, and reads a page of it or shows a page of a list.
  private var opening: [Case] {
    [
      Case("open and find a page of 50", count: Self.readings) { [long] count in
        let scratch = try await long.value.scratch
        for _ in 0..<count {
          let local = try SQLiteRepository<Item>(SQLiteDatabase(path: scratch.path()))
          let page = try await local.find(Criteria().limit(PagedItems.pageSize)).value
          try expect(page.count == PagedItems.pageSize)
        }
      },
      opening("open a list of 2,000 pages at its first", window: 0..<PagedItems.pageSize),
      opening("open a list of 2,000 pages in its middle", window: 50_000..<50_050),
    ]
  }

  private func opening(_ name: String, window: Range<Int>) -> Case {
    Case(name, count: Self.readings, against: "open and find a page of 50", bar: .times(1.5)) {
      [long] count in
      let scratch = try await long.value.scratch
      for _ in 0..<count {
        let items = try await PagedItems(scratch)
        items.list.window = window
        var states = items.list.observe().makeAsyncIterator()
        try await expect(states.next()?.cache?.cache.count == PagedItems.pageSize)
      }
    }
  }

  private var appending: [Case] {
    [
      Case("append pages 2 to 11", count: Self.appended) { count in
        let items = try await PagedItems(Scratch(), pages: 1)
        try await items.append(count)
      },
      Case(
        "append pages 2,000 and on", count: Self.appended, against: "append pages 2 to 11",
        bar: .times(1.5)
      ) { [long] count in
        try await long.value.append(count)
      },
    ]
  }

  /// Measures the longest read while a list of 200 pages is fetched again and replaced.
  private var swap: Case {
    Case("longest read beside a refresh of 200 pages", .nanoseconds, bar: .atMost(5_000_000)) {
      let items = try await PagedItems(Scratch(), pages: 200)
      let isOver = Flag(false)
      async let longest = Self.longestRead(items.local, until: isOver)
      try await expect(items.list.refresh(force: true) == .successful)
      isOver.set()
      return try await longest / .nanoseconds(1)
    }
  }

  private static func longestRead(
    _ local: SQLiteRepository<Item>, until isOver: Flag
  ) async throws -> Duration {
    var longest = Duration.zero
    let clock = ContinuousClock()
    while !isOver.isSet {
      let start = clock.now
      try await expect(local.findOne(["id": 25]).value != nil)
      longest = max(longest, start.duration(to: clock.now))
      await Task.yield()
    }
    return longest
  }

  private var memory: Case {
    Case("window of 50 in 100,000 items: peak", .bytes, bar: .atMost(4_194_304)) { [long] in
      let items = try await PagedItems(long.value.scratch)
      return Double(
        try await Memory.peak {
          items.list.window = 50_000..<50_050
          var states = items.list.observe().makeAsyncIterator()
          for start in stride(from: 0, to: 100_000, by: 5_000) {
            items.list.window = start..<start + PagedItems.pageSize
            try await expect(states.next()?.cache?.cache.count == PagedItems.pageSize)
          }
        })
    }
  }
}
