/// One who waits for a page through a repository.
final class PageCaller: Sendable {
  let repository: UInt64
  let result = Promise<PageResult>()

  init(repository: UInt64) {
    self.repository = repository
  }
}
