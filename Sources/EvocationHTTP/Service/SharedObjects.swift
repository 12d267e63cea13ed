import Evocation

/// Objects of which a service has one for each name, and which higher stages create.
final class SharedObjects: Sendable {
  private let objects = Lock<[String: any AnyObject & Sendable]>([:])

  /// Returns the object with a name, which is created at the first call.
  func object<Object: AnyObject & Sendable>(_ name: String, _ make: () -> Object) -> Object {
    objects.withLock { objects in
      if let object = objects[name] as? Object { return object }
      let object = make()
      objects[name] = object
      return object
    }
  }

  /// Forgets all objects: others are created for the next user.
  func forgetAll() {
    objects.change { objects in
      defer { objects = [:] }
      return objects
    }
  }
}
