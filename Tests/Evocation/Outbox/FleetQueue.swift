/// What is to happen next: the least of its elements comes first.
struct FleetQueue<Element: Comparable> {
  private var heap: [Element] = []

  mutating func push(_ element: Element) {
    heap.append(element)
    var index = heap.count - 1
    while index > 0, heap[index] < heap[(index - 1) / 2] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func pop() -> Element? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child] < heap[least] { least = child }
      }
      guard least != index else { return first }
      heap.swapAt(index, least)
      index = least
    }
  }
}
