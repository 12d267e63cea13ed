/// A tag's entry, and what a repository brings to it.
///
/// A class, because to copy what generic types hold costs more than most calls.
final class CacheBinding<Source: CacheDataSource>: Sendable {
  let entry: CacheEntry<Source>
  let client: CacheClient<Source>

  init(entry: CacheEntry<Source>, client: CacheClient<Source>) {
    self.entry = entry
    self.client = client
  }
}
