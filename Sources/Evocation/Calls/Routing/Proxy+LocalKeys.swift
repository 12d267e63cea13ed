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
  /// If models do not encode one of them under a key of their own, such as a computed property or
  /// `\.owner.name`, no answer could spare it. Each call of the remote repository then fails, with the error
  /// of ``validate()``, and sends and saves nothing.
  ///
  /// - Parameter properties: Properties that models encode.
  /// - Returns: The proxy.
  @discardableResult
  public func localKeys(_ properties: PartialKeyPath<Model>...) -> Self {
    let names = Set(properties.map { Criteria.Key($0).name })
    do {
      try check(names)
    } catch {
      environment.log?.add { _ in .notice(error.description) }
      unknownLocalKey.withLock { $0 = $0 ?? error }
      if wiring.hasRemote { replace(refusedRemote: error) }
      return self
    }
    outboxLink.state.withLock { $0.localKeys.formUnion(names) }
    _ = rewire { $0.with(localKeys: $0.localKeys.union(names)) }
    wiring.remote?.role((any SharedService).self)?.omit(names)
    return self
  }

  /// Throws if models do not have each of these keys.
  private func check(_ names: Set<String>) throws(EvocationError) {
    guard let type = Model.self as? any Codable.Type else {
      throw .unmappable(
        model: model, property: names.sorted().joined(separator: ", "),
        reason: "the model is not Codable, so that the property would not be spared by answers")
    }
    let schema = try ModelSchema.of(type)
    for name in names.sorted() where schema[name] == nil {
      guard (try? schema.target(of: Criteria.Key(name))) == nil else {
        throw .unmappable(
          model: model, property: name,
          reason: "localKeys takes properties of the model itself; declare the one around it")
      }
      throw .unknownKey(name, model: model, nearest: schema.nearest(to: name))
    }
  }

  /// The coding keys of this device alone.
  package var localKeys: Set<String> { wiring.localKeys }

  /// Returns the keys of which an answer of the remote repository says nothing.
  package func unsaid(
    _ models: [Model], _ values: [String: any Sendable]?
  ) -> UnsaidKeys {
    let absent = values.flatMap { $0[UnsaidKeys.name] as? [Set<String>] } ?? []
    let wiring = wiring
    return UnsaidKeys(
      absent, of: models, local: wiring.localKeys, isNoted: wiring.mayHaveUnsent,
      leftOut: values.flatMap { LeftOut($0) })
  }
}

/// Stands for a remote repository whose answers would overwrite what is on this device alone.
struct RefusedRemote<Model: Sendable>: Repository {
  let error: EvocationError

  func find(_ criteria: Criteria) async throws -> Response<[Model]> { throw error }
  func store(_ models: [Model]) async throws -> Response<[Model]> { throw error }
  func update(_ models: [Model]) async throws -> Response<[Model]> { throw error }
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> { throw error }
  func remove(_ models: [Model]) async throws -> Response<[Model]> { throw error }
}
