extension CacheEntry {
  /// How many times a row is searched for in a list that others continue or replace in the
  /// meantime.
  private static var mostLooks: Int { 3 }

  /// Begins to load the pages that a row is near enough to, and waits for none of them.
  ///
  /// The row is searched for outside the lock, because that is the app's code. A load begins only
  /// if the list still continues with the same pages as before the search, so that a row loads one
  /// page.
  func rowAppeared(
    _ repository: UInt64, _ source: Source, within distance: Int,
    _ find: (Content) -> RowDistances?
  ) {
    for _ in 0..<Self.mostLooks {
      let (body, pages) = state.withLock { state in
        (state.machine.reading.body, state.machine.stored.record?.pages)
      }
      guard case .value(let content, let extent) = body, let pages,
        var distances = find(content.value)
      else { return }
      if let extent { distances.widen(to: extent) }
      let isDone = distances.positions(within: distance).allSatisfy {
        begin($0, repository, source: source, of: pages)
      }
      if isDone { return }
    }
  }

  /// Begins the load of a page, unless one runs or the last one failed.
  ///
  /// It returns false where the list has been continued or replaced.
  private func begin(
    _ position: PagePosition, _ repository: UInt64, source: Source, of pages: PageRecord
  ) -> Bool {
    let condition = Machine.PageCondition(continuesWhenError: false, isInsideLoad: false)
    var isSame = false
    change { state, now in
      isSame = state.machine.stored.record?.pages == pages
      guard isSame, state.subscribers[repository] != nil,
        state.machine.loads[position].run == nil,
        state.machine.answerWithoutPage(position, condition) == nil
      else { return [] }
      let asked = Machine.Event.pageAsked(
        by: Self.enter(Promise(), for: repository, in: &state), position, condition)
      return carryOut(state.machine.handle(asked, at: now), source, in: &state, at: now)
    }
    return isSame
  }
}

/// How many rows precede and follow a row; nil for more than the search covers.
struct RowDistances {
  var before: Int?
  var after: Int?

  init(before: Int?, after: Int?) {
    self.before = before
    self.after = after
  }

  /// Returns the positions of the pages that at most this number of rows are before.
  func positions(within distance: Int) -> [PagePosition] {
    [(PagePosition.after, after), (.before, before)]
      .filter { $0.1.map { $0 <= distance } ?? false }.map(\.0)
  }

  /// Adds the rows of the whole list that are outside of the shown part.
  mutating func widen(to extent: CacheExtent) {
    before = before?.addingClamped(extent.range.lowerBound)
    after = after?.addingClamped(extent.count - extent.range.upperBound)
  }

  /// Searches for a row at both ends.
  init<Rows: RandomAccessCollection>(of id: Rows.Element.ID, in rows: Rows, atMost most: Int)
  where Rows.Element: Identifiable {
    let count = most.addingClamped(1)
    let before = rows.prefix(count).firstIndex { $0.id == id }
    let after = rows.suffix(count).lastIndex { $0.id == id }
    self.before = before.map { rows.distance(from: rows.startIndex, to: $0) }
    self.after = after.map { rows.distance(from: $0, to: rows.endIndex) - 1 }
  }
}
