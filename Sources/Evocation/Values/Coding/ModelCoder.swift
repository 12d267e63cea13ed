/// What an encoder and a decoder of models share: the container of each type of keys.
///
/// The standard library takes as long to make a container as to read three columns ("find all",
/// "store"), so each is kept. A container refers to its coder, and ``releaseContainers()`` breaks
/// the cycle. One that a model has kept keeps the coder alive, which then has no values.
package class ModelCoder {
  package final let codingPath: [any CodingKey] = []
  package final let userInfo: [CodingUserInfoKey: Any] = [:]
  final let layout: ModelLayout
  private var maps: [KeyMap] = []
  private var isReleased = false

  init(_ layout: ModelLayout) {
    self.layout = layout
  }

  /// Releases the containers, without which the coder cannot be released.
  package final func releaseContainers() {
    isReleased = true
    for keys in maps { keys.container = nil }
  }

  /// Returns the container for a type of keys.
  @inline(__always)
  final func container<Container>(
    keyedBy type: Any.Type, _ make: (KeyMap) -> Container
  ) -> Container {
    let keys = keys(type)
    if let held = keys.container {
      return unsafeDowncast(held, to: HeldContainer<Container>.self).container
    }
    let container = make(keys)
    if !isReleased { keys.container = HeldContainer(container) }
    return container
  }

  private final func keys(_ type: Any.Type) -> KeyMap {
    if let keys = maps.first(where: { $0.type == type }) { return keys }
    maps.append(KeyMap(layout, type))
    return maps[maps.count - 1]
  }
}

/// A container of the standard library in an object.
private final class HeldContainer<Container> {
  let container: Container

  init(_ container: Container) {
    self.container = container
  }
}
