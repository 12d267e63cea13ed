extension FormerLibrary {
  static let storeFlowable = FormerLibrary(
    page: "Migrating-from-StoreFlowable.md",
    names: [
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
      "PaginationCacher", "PaginationCacher<PARAM, DATA>", "PaginationFetcher",
      "PaginationFetcher.Result(data:nextKey:)", "fetchNext(nextKey:param:)", "data", "nextKey",
      "PaginationStoreFlowable", "requestNextData()", "requestNextData(continueWhenError:)",
      "continueWhenError", "AdditionalLoadingState", "next", "canRequestAdditionalData",
      "doAction(onFixed:onLoading:onError:)", "onFixed",
    ])
}
