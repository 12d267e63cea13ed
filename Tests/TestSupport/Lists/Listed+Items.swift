package import Evocation

extension Listed {
  /// Models with these ids, in this order.
  package static func items(_ ids: ClosedRange<Int>) -> [Listed] { ids.map { Listed($0) } }
}

extension PagingCacheRepository where Source == ProxyPagingCacheDataSource<Listed> {
  /// The ids of what is listed.
  package func ids() async throws -> [Int] {
    try await value(from: .cache).map(\.id)
  }
}
