extension FormerLibrary {
  static let storeFlowable = FormerLibrary(
    page: "Migrating-from-StoreFlowable.md",
    names: names + pagingNames)

  /// Of what is fetched at once.
  private static let names = [
    "Cacher", "Cacher<PARAM, DATA>", "PARAM", "DATA", "UnitHash", "shared", "expireSeconds",
    "TimeInterval.infinity", "saveData(data:param:)", "loadData(param:)",
    "saveDataCachedAt(epochSeconds:param:)", "loadDataCachedAt(param:)",
    "Fetcher", "fetch(param:)", "param",
    "StoreFlowable", "StoreFlowable<DATA>", "AnyStoreFlowable",
    "AnyStoreFlowable.from(cacher:fetcher:param:)", "from", "cacher", "fetcher",
    "publish()", "publish(forceRefresh:)", "forceRefresh", "requireData()", "requireData(from:)",
    "getData()", "getData(from:)", "GettingFrom", ".both", ".origin", ".cache",
    "refresh()", "validate()", "update(newData:)", "newData",
    "LoadingStateSequence", "LoadingStateSequence<DATA>", "LoadingState", ".loading",
    ".completed", ".error", "doAction(onLoading:onCompleted:onError:)", "onLoading",
    "onCompleted", "onError", "content", "mapContent", "mapContent(transform)", "combineState",
    "combineState(state, transform)",
    "UnitHash()", "needRefresh(cachedData:param:)", "cachedData", "clear()", "zip", "zip(_:)",
    "zip(_:_:)", "LoadingStateSequence(_:)", "LoadingStateSequence.Iterator",
    "makeAsyncIterator()", "next()", ".completed(content:next:prev:)", ".error(rawError:)",
    "rawError", "prev", "NoSuchElementError",
  ]

  /// Of what is fetched page by page.
  private static let pagingNames = [
    "PaginationCacher", "PaginationCacher<PARAM, DATA>", "PaginationFetcher",
    "PaginationFetcher.Result(data:nextKey:)", "fetchNext(nextKey:param:)", "data", "nextKey",
    "PaginationStoreFlowable", "requestNextData()", "requestNextData(continueWhenError:)",
    "continueWhenError", "AdditionalLoadingState", "next", "canRequestAdditionalData",
    "doAction(onFixed:onLoading:onError:)", "onFixed",
    ".fixed", ".fixed(canRequestAdditionalData:)", "zip",
    "saveNextData(cachedData:newData:param:)", "loadNextRequestKey(param:)",
    "saveNextRequestKey(requestKey:param:)", "requestKey", "PaginationFetcher.Result",
    "PaginationFetcherResult", "PaginationFetcherResult(data:nextRequestKey:)",
    "nextRequestKey", "AnyPaginationStoreFlowable", "update(newData:nextKey:)",
    "TwoWayPaginationCacher", "TwoWayPaginationCacher<PARAM, DATA>",
    "savePrevData(cachedData:newData:param:)", "loadPrevRequestKey(param:)",
    "savePrevRequestKey(requestKey:param:)", "TwoWayPaginationFetcher",
    "fetchPrev(prevKey:param:)", "prevKey", "TwoWayPaginationFetcherResult",
    "TwoWayPaginationFetcher.Result.Initial", "TwoWayPaginationFetcher.Result.Next",
    "TwoWayPaginationFetcher.Result.Prev",
    "TwoWayPaginationFetcherResultInitial", "prevRequestKey",
    "TwoWayPaginationFetcherResultInitial(data:nextRequestKey:prevRequestKey:)",
    "TwoWayPaginationFetcherResultNext",
    "TwoWayPaginationFetcherResultNext(data:nextRequestKey:)",
    "TwoWayPaginationFetcherResultPrev",
    "TwoWayPaginationFetcherResultPrev(data:prevRequestKey:)", "TwoWayPaginationStoreFlowable",
    "AnyTwoWayPaginationStoreFlowable", "requestPrevData()",
    "requestPrevData(continueWhenError:)", "update(newData:nextKey:prevKey:)",
    "AdditionalRequestOnErrorStateException", "AdditionalRequestOnNilException",
  ]
}
