extension PagingCacheRepository {
  /// Loads the next page when a row appears near the end, and the previous one near the beginning.
  ///
  /// Call it for each row that a view shows, as from `tableView(_:willDisplay:forRowAt:)`:
  ///
  /// ```swift
  /// cars.rowAppeared(at: row)
  /// ```
  ///
  /// It returns immediately. It loads a page when at most ``prefetchDistance`` rows follow the row,
  /// or precede it. It does nothing while a page is loading in that direction. After a failed page
  /// it does nothing until you call ``goToNextPage(continueWhenError:)`` or refresh the list. It
  /// works for lists that are observed, and are collections. An index beyond the list does nothing.
  ///
  /// - Parameter index: The row's offset in the content of the last state, from zero.
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
  /// The same as ``rowAppeared(at:)``. It finds the row by its id, among the rows that are near
  /// enough.
  public func rowAppeared(_ row: Source.Cache.Element) {
    guard let binding = try? cache.binding() else { return }
    binding.entry.rowAppeared(
      binding.number, binding.client, within: prefetchDistance
    ) { [prefetchDistance] rows in
      RowDistances(of: row.id, in: rows, atMost: prefetchDistance)
    }
  }
}
