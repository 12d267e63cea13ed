/// A tag's cell, and what a repository brings to it.
///
/// A class, because to copy what generic types hold costs more than most calls.
final class CachePlace<Source: CacheDataSource>: Sendable {
  let cell: CacheCell<Source>
  let seat: CacheSeat<Source>

  init(cell: CacheCell<Source>, seat: CacheSeat<Source>) {
    self.cell = cell
    self.seat = seat
  }
}
