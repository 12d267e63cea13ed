extension Identifiable {
  /// Whether ids are whole numbers of 64 bits.
  static var hasNumericID: Bool { ID.self == Int64.self || ID.self == Int.self }

  /// The id; only where ``hasNumericID`` says that it is a number.
  @inline(__always)
  var numericID: Int64 {
    // Both types are 64 bits wide. "remove, Evocation" needs it: a cast would look the type up at
    // every model, and one cast of all ids at once took a tenth longer.
    unsafeBitCast(id, to: Int64.self)
  }
}

extension Array where Element: Identifiable {
  /// Whether ids are whole numbers and each is greater than the one before, as they often are.
  var hasIncreasingIDs: Bool {
    guard Element.hasNumericID else { return false }
    var last = Int64.min
    var index = 0
    while index < count {
      let id = self[index].numericID
      if index > 0, id <= last { return false }
      last = id
      index += 1
    }
    return true
  }
}
