extension Array {
  /// Returns the index of the element with this number, in an array that is sorted by it.
  @inlinable
  package func index(of number: UInt64, by key: (Element) -> UInt64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) < number { low = middle + 1 } else { high = middle }
    }
    return low < count && key(self[low]) == number ? low : nil
  }
}
