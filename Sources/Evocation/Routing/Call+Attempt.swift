/// Asking one repository: as often, and for as long, as the rule allows.
///
/// The models and how it went are two values, and what is asked is not a type of its own, because
/// for each generic value that lies in memory the runtime looks up its type.
extension Call {
  /// What a repository answered, or nothing when it failed, and how it went.
  typealias Answer = (models: [Model], metadata: Evocation.Metadata)

  /// Asks once, and measures.
  ///
  /// The repository follows when it is given what the target answered; else it is asked to carry
  /// the call itself out.
  @inline(__always)
  func once(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role,
    following followed: FetchedModels<Model>? = nil, isMirroring: Bool = false
  ) async -> Answer {
    let start = proxy.environment.time.now()
    do {
      let response = try await respond(type, following: followed, isMirroring: isMirroring)
      let metadata = Evocation.Metadata(
        role: role, duration: proxy.environment.time.now() - start, count: response.value.count,
        values: response.metadata
      )
      return (response.value, metadata)
    } catch {
      let duration = proxy.environment.time.now() - start
      return ([], Evocation.Metadata(role: role, duration: duration, error: error))
    }
  }

  /// Asks with the rule's timeout and retries, and measures.
  func patiently(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, _ rule: Strategy.Rule
  ) async -> Answer {
    let time = proxy.environment.time
    let start = time.now()
    let count = Lock(1)
    let result: Result<Response<[Model]>, any Error>
    if let timeout = rule.timeout {
      let late = EvocationError.timedOut(type, model: proxy.model, after: timeout)
      let race = Race(time: time, limit: timeout, late: late, executor: self.start?.another())
      result = await race.run { await retrying(type, rule.retry, count) }
    } else {
      result = await retrying(type, rule.retry, count)
    }
    var metadata = Evocation.Metadata(role: role, duration: time.now() - start)
    metadata.attempts = count.withLock { $0 }
    switch result {
    case .success(let response):
      metadata.count = response.value.count
      metadata.values = response.metadata
      return (response.value, metadata)
    case .failure(let error):
      metadata.error = error
      return ([], metadata)
    }
  }

  @inline(__always)
  private func respond(
    _ type: Evocation.RepositoryType, following followed: FetchedModels<Model>?, isMirroring: Bool
  ) async throws -> Response<[Model]> {
    try Task.checkCancellation()
    guard let repository = wiring[type] else {
      throw EvocationError.missingRepository(type, model: proxy.model)
    }
    start?.enter()
    do {
      guard let followed else { return try await operation.perform(on: repository) }
      return try await operation.synchronize(followed, to: repository, mirroring: isMirroring)
    } catch {
      // Whatever a repository throws because it was cancelled is a cancellation.
      throw Task.isCancelled ? Cancellation.error() : error
    }
  }

  private func retrying(
    _ type: Evocation.RepositoryType, _ retry: Strategy.Retry?, _ count: Lock<Int>
  ) async -> Result<Response<[Model]>, any Error> {
    while true {
      do {
        return .success(try await respond(type, following: nil, isMirroring: false))
      } catch {
        guard !(error is CancellationError),
          let pause = retry?.pause(
            after: count.withLock { $0 }, error, chance: proxy.environment.chance()
          )
        else { return .failure(error) }
        guard (try? await proxy.environment.time.sleep(pause)) != nil else {
          return .failure(CancellationError())
        }
        count.withLock { $0 += 1 }
      }
    }
  }
}
