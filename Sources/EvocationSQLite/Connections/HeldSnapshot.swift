/// A read transaction that a connection keeps open from one short read to the next.
///
/// To begin and end one, with its file locks, is three quarters of a read by key. While the log's
/// header is what it was before the transaction began, nobody has committed since, and the
/// transaction still sees the newest state; that holds for other processes' commits too.
struct HeldSnapshot {
  private let place: UnsafeRawPointer  // SQLite's own mapping, which lasts while it is read
  let header: WALIndexHeader

  /// Looks at the header, before the transaction begins; nil where there is none to trust.
  init?(_ handle: OpaquePointer) {
    guard let place = WALIndexHeader.place(of: handle) else { return nil }
    self.place = place
    header = WALIndexHeader(at: place)
    guard header.isSound else { return nil }
  }

  /// Whether nothing was committed since.
  var isCurrent: Bool { WALIndexHeader(at: place) == header }
}
