extension FormerLibrary {
  static let teller = FormerLibrary(
    page: "Migrating-from-Teller.md",
    names: names + pagingNames + testingNames + mockedNames + namesOfAlpha)

  /// Of 0.8, without pages and tests.
  private static let names = [
    "RepositoryRequirements", "RepositoryRequirements.Tag", "Tag", "tag",
    "RepositoryDataSource", "Cache", "Requirements", "FetchResult", "FetchError",
    "maxAgeOfCache", "Period", "Period(unit:component:)", ".hour", "unit", "component",
    "fetchFreshCache(requirements:)", "Single", "FetchResponse", "FetchResponse.success(data:)",
    "FetchResponse.failure(_:)", ".success", ".failure", "saveCache(_:requirements:)",
    "observeCache(requirements:)", "Observable", "isCacheEmpty(_:requirements:)",
    "automaticallyRefresh",
    "TellerRepository", "TellerRepository(dataSource:)", "dataSource", "requirements",
    "observe()", "subscribe", "subscribe(onNext:)", "subscribe(onSuccess:)", "disposed(by:)",
    "DisposeBag", "observeOn(_:)", "subscribeOn(_:)", "MainScheduler",
    "ConcurrentDispatchQueueScheduler",
    "CacheState", "DataState", "state", ".noCache", ".cache", ".cache(cache, cacheAge)",
    "cacheAge", "isRefreshing", "justFinishedFirstFetch", "refreshError", "convert",
    "refresh(force:)", "refreshIfNoCache()", "refreshResult", ".successful",
    "Period.toDate()", "TellerError", "TellerError.objectPropertiesNotSet(_:)",
    "errorDescription", "CacheState.State", "cacheExists", ".cache(cache:cacheAge:)",
    "isFirstFetch", "justFinishedSuccessfulRefresh", "RefreshResult", ".failedError(error:)",
    "failedError", ".skipped(reason:)", "SkippedReason", ".dataNotTooOld", ".cancelled",
    "RefreshResult.FetchFailure", "message",
  ]

  private static let pagingNames = [
    "PagingRepositoryRequirements", "nextPage()", "PagingRepositoryDataSource", "PagingCache",
    "PagingRequirements", "NextPageRequirements", "PagingFetchResult",
    "getNextPagePagingRequirements(currentPagingRequirements:nextPageRequirements:)",
    "currentPagingRequirements", "nextPageRequirements", "deleteCache(_:)",
    "persistOnlyFirstPage(requirements:)", "fetchFreshCache(requirements:pagingRequirements:)",
    "pagingRequirements", "PagedFetchResponse",
    "PagedFetchResponse(areMorePages:nextPageRequirements:fetchResponse:)", "fetchResponse",
    "saveCache(_:requirements:pagingRequirements:)",
    "observeCache(requirements:pagingRequirements:)",
    "isCacheEmpty(_:requirements:pagingRequirements:)", "TellerPagingRepository",
    "TellerPagingRepository(dataSource:firstPageRequirements:)", "firstPageRequirements",
    "PagedCache", "cache", "areMorePages", "goToNextPage()",
    "PagedCache(areMorePages:cache:)", "PagedCacheState", "areMorePagesAvailable",
  ]

  private static let testingNames = [
    "TellerRepositoryMock", "TellerRepositoryMock(dataSource:)", "TellerPagingRepositoryMock",
    "RepositoryMock", "observeClosure", "requirementsCalled", "requirementsCallsCount",
    "requirementsInvocations", "DataState.testing",
    "DataState.testing.cache(requirements:lastTimeFetched:)", "lastTimeFetched",
    "Teller", "Teller.shared.clear()", "TellerRepository.testing",
    "initState(repository:requirements:)", "initStateAsync()", "initSync()", "repository",
    "noCache()", "cacheEmpty()", "cache(_:)", "cacheTooOld()", "cacheNotTooOld()",
    "lastFetched(_:)", "Teller.shared", "CacheState.testing", "CacheState.Testing",
    "CacheStateTesting", "NoCacheExistsDsl", "CacheExistsDsl",
    "CacheState.testing.noCache(requirements:more:)", "more", "fetchingFirstTime()",
    "fetching()", "failedFirstFetch(error:)", "failedFetch(error:)",
    "successfulFirstFetch(timeFetched:)", "successfulFetch(timeFetched:)", "RepositoryTesting",
    "StateOfOnlineRepositoryDsl", "CaheExistsDsl", "RepositoryTesting.SetValues", "lastFetched",
    "initState(repository:requirements:more:)",
    "initStateAsync(repository:requirements:onComplete:more:)", "onComplete",
    "RepositoryDataSourceMock", "PagingRepositoryDataSourceMock", "mockCalled",
  ]

  /// What the mocks say and play of each member.
  private static let mockedNames =
    uses(of: [
      "observe", "refreshIfNoCache", "goToNextPage", "maxAgeOfCache", "automaticallyRefresh",
    ])
    + ["observeClosure", "refreshIfNoCacheClosure", "goToNextPageClosure", "maxAgeOfCacheClosure"]
    + ["automaticallyRefreshClosure", "refreshClosure", "refreshInvocations"]
    + uses(of: ["refresh", "requirements", "pagingRequirements"])
    + ["requirementsInvocations", "pagingRequirementsInvocations"]
    + [
      "fetchFreshCache", "saveCache", "observeCache", "isCacheEmpty", "deleteCache",
      "persistOnlyFirstPage", "getNextPagePagingRequirements",
    ].flatMap { uses(of: [$0]) + ["\($0)Invocations", "\($0)Closure"] }

  private static func uses(of members: [String]) -> [String] {
    members.flatMap { ["\($0)Called", "\($0)CallsCount"] }
  }

  /// Of 0.1.
  private static let namesOfAlpha = [
    "LocalRepositoryDataSource", "DataType", "saveData(data:)", "observeData()",
    "isDataEmpty(data:)", "LocalRepository", "LocalRepository(dataSource:)",
    "repository.dataSource.saveData(data:)", "LocalDataState", "state()", ".isEmpty", ".data",
    ".data(_:)",
    "OnlineRepositoryGetDataRequirements", "GetDataRequirements", "OnlineRepositoryDataSource",
    "maxAgeOfData", "fetchFreshData(requirements:)", "saveData(_:)",
    "observeCachedData(requirements:)", "isDataEmpty(_:)", "OnlineRepository",
    "OnlineRepository(dataSource:)", "observe(loadDataRequirements:)", "loadDataRequirements",
    "OnlineDataState", "cacheState()", ".cacheEmpty", ".cacheData", ".cacheData(_:_:)", ".none",
    "firstFetchState()", ".firstFetchOfData", ".finishedFirstFetchOfData",
    ".finishedFirstFetchOfData(errorDuringFetch)", "fetchingFreshDataState()",
    ".fetchingFreshCacheData", ".finishedFetchingFreshCacheData",
    ".finishedFetchingFreshCacheData(errorDuringFetch)", "errorDuringFetch", "sync",
    "sync(loadDataRequirements:force:)", "force",
    "isEmpty", "data", "LocalDataState.isEmpty()", "LocalDataState.data(data:)",
    "FetchResponse.fail(message:)", "FetchResponse.fail(error:)", "failure",
    "FetchResponse.FetchFailure", "isSuccessful()", "isFailure()", "OnlineDataState.CacheState",
    "OnlineDataState.FirstFetchState", "OnlineDataState.FetchingFreshDataState", "dataFetched",
    "doneFirstFetchOfData", "errorDuringFirstFetch", "isFetchingFreshData",
    "doneFetchingFreshData", "OnlineDataState.firstFetchOfData()", "doneFirstFetch(error:)",
    "OnlineDataState.isEmpty()", "OnlineDataState.data(data:dataFetched:)",
    "fetchingFreshData()", "doneFetchingFreshData(errorDuringFetch:)", "SyncResult",
    "SyncResult.success()", "SyncResult.fail(_:)", "SyncResult.skipped(_:)", "successful",
    "skipped", "SyncResult.SkippedReason", "SyncResult.FetchFailure", "didSucceed()",
    "didFail()", "didSkip()",
  ]
}
