import Evocation

/// The cases of `CacheError`: a new one does not compile without a row of the page.
enum CacheErrorCase: CaseIterable {
  case requirementsNotSet, tagConflict, intervalNotPositive, noCache, cacheTooOld, cleared
  case outdatedFetch, notUpdatable, noOrigin, pageWithoutCache, repeatedPage, unknownPage
  case noPageKey, notListable, nestedWrite, nestedFetch

  init(_ error: CacheError) {
    self =
      switch error {
      case .requirementsNotSet: .requirementsNotSet
      case .tagConflict: .tagConflict
      case .intervalNotPositive: .intervalNotPositive
      case .noCache: .noCache
      case .cacheTooOld: .cacheTooOld
      case .cleared: .cleared
      case .outdatedFetch: .outdatedFetch
      case .notUpdatable: .notUpdatable
      case .noOrigin: .noOrigin
      case .pageWithoutCache: .pageWithoutCache
      case .repeatedPage: .repeatedPage
      case .unknownPage: .unknownPage
      case .noPageKey: .noPageKey
      case .notListable: .notListable
      case .nestedWrite: .nestedWrite
      case .nestedFetch: .nestedFetch
      }
  }

  /// The tag of a cache of cars, whose criteria hold a model's value.
  private static let tag: String = {
    let criteria: Criteria = ["year": ErrorRow.value]
    return "Car?" + criteria.tag
  }()

  var row: ErrorRow {
    ErrorRow(.caches, "CacheError.\(self)", error, cause)
  }

  private var error: CacheError {
    let tag = Self.tag
    return switch self {
    case .requirementsNotSet: .requirementsNotSet(cache: "Array<Car>")
    case .tagConflict: .tagConflict(tag: tag, source: "CarSource", other: "BoatSource")
    case .intervalNotPositive: .intervalNotPositive(cache: "Array<Car>")
    case .noCache: .noCache(tag: tag)
    case .cacheTooOld: .cacheTooOld(tag: tag, age: .seconds(7200))
    case .cleared: .cleared(tag: tag)
    case .outdatedFetch: .outdatedFetch(tag: tag)
    case .notUpdatable: .notUpdatable(source: "CarSource")
    case .noOrigin: .noOrigin(source: "NameSource")
    case .pageWithoutCache: .pageWithoutCache
    case .repeatedPage: .repeatedPage(tag: tag)
    case .unknownPage: .unknownPage
    case .noPageKey: .noPageKey("next", tag: tag)
    case .notListable: .notListable(model: "Car")
    case .nestedWrite: .nestedWrite(tag: tag)
    case .nestedFetch: .nestedFetch(tag: tag)
    }
  }

  private var cause: String {
    switch self {
    case .requirementsNotSet:
      "A cache does not know its query until your app sets `requirements`."
    case .tagConflict:
      "Two sources write their fetch dates under the same cache key, so one would look fresh by the "
        + "other's fetch."
    case .intervalNotPositive: "`refreshEvery` is zero or negative."
    case .noCache: "Your app reads from the cache alone, and nothing was fetched yet."
    case .cacheTooOld:
      "Your app reads from the cache alone, and the data are older than the ages allow."
    case .cleared: "A call waited for a fetch, and `clear()` or a sign-out removed the cache."
    case .outdatedFetch: "Other fetches saved later changes again and again while this one ran."
    case .notUpdatable:
      "A source whose fetch and cache have different types has to say how your app's value is saved."
    case .noOrigin: "A `LocalCacheDataSource` has no fetch, and your app asked for one."
    case .pageWithoutCache:
      "Your app asked for a further page before the first fetch, or after a first fetch that failed."
    case .repeatedPage: "The server's answer names a next page that the list has loaded before."
    case .unknownPage:
      "A stored list was loaded with another kind of paging, for example by an earlier version of "
        + "your app."
    case .noPageKey: "The paging names a key that the server's answers do not have."
    case .notListable: "Lists hold ids, and this model's id is not one value under the key `id`."
    case .nestedWrite: "A source's save calls the cache that it saves."
    case .nestedFetch: "A source's fetch reads the cache that it fetches."
    }
  }
}

extension ErrorRow {
  /// What stores of lists throw.
  static var ofLists: [ErrorRow] {
    [
      ErrorRow(
        .caches, "ListDamage",
        ListDamage(
          model: "Car", reason: "one of its pages is missing"),
        "Something else wrote to the tables of lists, or the file is damaged."),
      ErrorRow(
        .caches, "OutdatedStamp", OutdatedStamp(),
        "A store of your own throws it from `FetchStamp.record(replacing:)`; the cache handles it."),
    ]
  }
}
