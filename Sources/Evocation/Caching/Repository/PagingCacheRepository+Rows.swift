extension PagingCacheRepository {
  /// Loads the next page when a row appears near the end, and the previous one near the beginning.
  ///
  /// Call it for each row that a view shows, as from `tableView(_:willDisplay:forRowAt:)`:
  ///
  /// ```swift
  /// cars.rowAppeared(at: row)
  /// ```
  ///
  /// It returns at once. A page is asked for when no more than ``prefetchDistance`` rows follow, or
  /// precede, and once: not while one is loading in that direction, and not after one failed, until
  /// it is asked for by ``goToNextPage(continueWhenError:)`` or the list is refreshed. It concerns
  /// lists that are observed, and are collections; an index beyond the list does nothing.
  ///
  /// - Parameter index: The row's offset in what the last state had, from zero.
  public func rowAppeared(at index: Int) {
    guard let binding = try? cache.binding() else { return }
    binding.entry.rowAppeared(
      binding.number, binding.client, within: prefetchDistance
    ) { rows in
      guard let count = (rows as? any Collection)?.count, (0..<count).contains(index) else {
        return nil
      }
      return RowDistances(before: index, after: count - 1 - index)
    }
  }
}

extension PagingCacheRepository
where Source.Cache: RandomAccessCollection, Source.Cache.Element: Identifiable {
  /// Loads the next page when a row appears near the end, and the previous one near the beginning.
  ///
  /// ```text
  /// CarRow(car).onAppear { cars.rowAppeared(car) }
  /// ```
  ///
  /// As ``rowAppeared(at:)``; the row is found by its id, and only among those that are near enough.
  public func rowAppeared(_ row: Source.Cache.Element) {
    guard let binding = try? cache.binding() else { return }
    binding.entry.rowAppeared(
      binding.number, binding.client, within: prefetchDistance
    ) { [prefetchDistance] rows in
      RowDistances(of: row.id, in: rows, atMost: prefetchDistance)
    }
  }
}
