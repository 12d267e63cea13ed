/// A source whose store the app may replace by another, such as that of another account.
///
/// A cache is bound to the store that there is at its first use: what it fetches, saves, dates and shows
/// is of that one. When the app has registered another, the cache goes over to it as a whole.
protocol PlacedSource: Sendable {
  /// The store that it is bound to, or else the present one; nil where there is none.
  var store: StoreID? { get }
  /// The store's name in a record; nil where it has none, or the ledger lies in it.
  var recordedName: String? { get }
  /// Whether the store is still the one that it was bound to; true where it was bound to none.
  var isInPlace: Bool { get }
  /// The same source, bound to the present store.
  var inPlace: Self { get }
  /// Whether what a record is of is in the store.
  func holds(_ record: FetchRecord) -> Bool
}

extension CacheDataSource {
  /// The same source, bound to its store where it has one that may be replaced.
  var inPlace: Self { (self as? any PlacedSource)?.inPlace as? Self ?? self }
}
