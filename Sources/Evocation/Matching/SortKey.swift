/// Where a model stands in an order: its values for the keys of the order, and its id.
package struct SortKey: Sendable, Hashable {
  package let values: [Criteria.Scalar]
  package let id: ModelID

  package init(values: [Criteria.Scalar], id: ModelID) {
    self.values = values
    self.id = id
  }

  /// Whether it comes before another; ids decide among equals, the least first.
  package func precedes(_ other: SortKey, _ order: [Criteria.Sort]) -> Bool {
    for (index, sort) in order.enumerated() {
      switch ScalarOrder.of(values[index], other.values[index]) {
      case .same: continue
      case .less: return !sort.descending
      case .greater: return sort.descending
      }
    }
    return id < other.id
  }
}
