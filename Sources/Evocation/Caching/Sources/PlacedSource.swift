/// A source whose store the app may replace by another, such as that of another account.
///
/// The first use of a cache binds it to the present store: it fetches, saves, dates and shows the
/// data of that store. When the app has registered another store, the whole cache is bound to that.
protocol PlacedSource: Sendable {
  /// The store that the source is bound to, or else the present one; nil where there is none.
  var store: StoreID? { get }
  /// The store's name in a record; nil where it has none, or contains the ledger.
  var recordedName: String? { get }
  /// Whether the source is bound to the present store; true where it is bound to none.
  var isInPlace: Bool { get }
  /// The same source, bound to the present store.
  var inPlace: Self { get }
  /// Whether the store contains the data that a record is about.
  func holds(_ record: FetchRecord) -> Bool
}

extension CacheDataSource {
  /// The same source, bound to its store where it has one that may be replaced.
  var inPlace: Self { (self as? any PlacedSource)?.inPlace as? Self ?? self }
}
