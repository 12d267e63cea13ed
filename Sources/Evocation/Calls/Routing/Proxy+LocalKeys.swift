extension Proxy {
  /// Declares properties that are on this device alone, such as whether the user marked a model.
  ///
  /// ```swift
  /// try evocation.register(Note.self, remote: notes, local: store, strategy: .offlineFirst)
  ///   .localKeys(\.isPinned)
  /// ```
  ///
  /// No answer of the remote repository changes them: not of a read, a page, a mirror, a live change or
  /// a write. An `HTTPRepository` does not send them; another remote repository gets whole models. Your
  /// app's own writes change them as any other property.
  ///
  /// A property must be optional or have a default, because the service's models are without it. Each
  /// call adds to the properties that were declared before.
  ///
  /// - Parameter properties: Properties that models encode.
  /// - Returns: The proxy.
  @discardableResult
  public func localKeys(_ properties: PartialKeyPath<Model>...) -> Self {
    let names = Set(properties.map { Criteria.Key($0).name })
    declaredLocalKeys.withLock { $0.formUnion(names) }
    wiring.remote?.role((any SharedService).self)?.omit(names)
    return self
  }

  /// The coding keys of this device alone.
  package var localKeys: Set<String> { declaredLocalKeys.withLock { $0 } }

  /// Whether there are any.
  var hasLocalKeys: Bool { declaredLocalKeys.withLock { !$0.isEmpty } }

  /// Returns the keys of which an answer of the remote repository says nothing.
  package func unsaid(
    _ models: [Model], _ values: [String: any Sendable]?
  ) -> UnsaidKeys {
    let absent = values.flatMap { $0[UnsaidKeys.name] as? [Set<String>] } ?? []
    return UnsaidKeys(absent, of: models, local: localKeys)
  }
}
