extension Criteria {
  /// The same criteria, ordered by a key; called again, by the next key among equals.
  public func sorted(by key: Key, descending: Bool = false) -> Criteria {
    var result = self
    result.order.append(Sort(key, descending: descending))
    return result
  }

  /// The same criteria with at most this many models; a negative number counts as none.
  public func limit(_ count: Int) -> Criteria {
    var result = self
    result.limit = max(0, count)
    return result
  }

  /// The same criteria without the first models; a negative number counts as none.
  public func offset(_ count: Int) -> Criteria {
    var result = self
    result.offset = max(0, count)
    return result
  }

  /// The same criteria from the place behind the cursor on.
  public func after(_ cursor: Cursor?) -> Criteria {
    var result = self
    result.cursor = cursor
    return result
  }
}
