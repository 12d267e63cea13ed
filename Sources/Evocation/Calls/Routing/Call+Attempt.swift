/// Asking one repository, as often and for as long as the rule allows.
///
/// The models and the metadata are two values, because the runtime looks up the type of each
/// generic value that is in memory.
extension Call {
  /// The models that a repository answered, none if it failed, and the metadata of the attempt.
  package typealias Attempt = (models: [Model], metadata: Evocation.Metadata)

  /// Asks a repository once, and measures the time.
  ///
  /// - Parameters:
  ///   - type: The repository to ask.
  ///   - role: The purpose of the attempt.
  ///   - copy: The models to save, in place of executing the call itself.
  ///   - queues: How urgent the call is that is queued for the remote together with its change; nil
  ///     for one that is not queued.
  /// - Returns: The answer, and the metadata of the attempt.
  @inline(__always)
  package func attempt(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role,
    copying copy: FetchedCopy<Model>? = nil, queues: Strategy.Priority? = nil
  ) async -> Attempt {
    let start = proxy.environment.time.now()
    do {
      let answer = try await answer(type, copying: copy, queues: queues)
      // Not a variable, which would be copied (`find, async`).
      let metadata = Evocation.Metadata(
        role: role, duration: proxy.environment.time.now() - start, count: answer.count,
        values: answer.values, versions: answer.versions, queued: answer.entries.map { queued($0) })
      return (answer.models, metadata)
    } catch {
      let duration = proxy.environment.time.now() - start
      return ([], Evocation.Metadata(role: role, duration: duration, error: error))
    }
  }

  /// Asks with the rule's timeout and retries, and measures the time.
  package func attemptWithRetries(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, rule: Strategy.Rule,
    kept: LateAnswer<Model>? = nil
  ) async -> Attempt {
    let time = proxy.environment.time
    let start = time.now()
    let begun = waitingSince ?? start
    let tries = Lock(Tries())
    let queues = rule.synchronize == .outbox && !operation.isRead ? rule.priority : nil
    let result: Result<Answer<Model>, any Error>
    if let timeout = rule.timeout {
      let late = EvocationError.timedOut(type, model: proxy.model, after: timeout)
      let left = timeout.subtracting(start.subtracting(begun))
      let race = Race(time: time, limit: left, late: late, executor: self.start?.another())
      let keep = kept.map { kept in { @Sendable in kept.keep($0) } }
      // Without a capture list, with which the compiler would run it on no actor.
      result = await race.run(keep: keep) {
        let result = await self.retrying(type, rule, since: begun, tries: tries, queues: queues)
        kept?.answer.fulfil(result)
        return result
      }
    } else {
      result = await retrying(type, rule, since: start, tries: tries, queues: queues)
    }
    var metadata = Evocation.Metadata(role: role, duration: time.now() - start)
    metadata.attempts = tries.withLock { $0.count }
    switch result {
    case .success(let answer):
      metadata.count = answer.count
      metadata.values = answer.values
      metadata.versions = answer.versions
      if let entries = answer.entries { metadata.queued = queued(entries) }
      return (answer.models, metadata)
    case .failure(let error):
      metadata.error = error
      // Not a property of its own, which would cost each call time (`find, async`).
      metadata.values["remark"] = tries.withLock { $0.remark }
      return ([], metadata)
    }
  }

  @inline(__always)
  private func answer(
    _ type: Evocation.RepositoryType, copying copy: FetchedCopy<Model>?,
    queues: Strategy.Priority?
  ) async throws -> Answer<Model> {
    try Cancellation.check()
    if type == .remote, let unsent { return answer(ofUnsent: unsent) }
    guard let repository = wiring[type] else {
      throw EvocationError.missingRepository(type, model: proxy.model)
    }
    do {
      if let queues { return try await queue(queues) }
      guard let copy else {
        guard type == .remote else { return try await operation.ask(repository) }
        return try await completed((asked ?? operation).ask(repository))
      }
      return try await operation.copy(
        copy, to: repository, whole: type == .local ? wiring.binding.transactional : nil,
        sparesUnsent: type == .local && sparesUnsent(copy))
    } catch {
      // Any error of a repository that was canceled is a cancellation.
      throw Task.isCancelled ? Cancellation.error() : error
    }
  }

  /// Returns the remote's answer with the values that local has where the answer says nothing.
  @inline(__always)
  private func completed(_ answer: Answer<Model>) async throws -> Answer<Model> {
    if wiring.localKeys.isEmpty, answer.values.isEmpty { return answer }
    return try await completedByLocal(answer)
  }

  /// Of a write, these are the values that the app wrote.
  @inline(never)
  private func completedByLocal(_ answer: Answer<Model>) async throws -> Answer<Model> {
    let unsaid = proxy.unsaid(answer.models, answer.values)
    guard !unsaid.isEmpty, !answer.models.isEmpty, let access = ModelAccess<Model>.make() else {
      return answer
    }
    var known: [ModelID: Model] = [:]
    if operation.isRead {
      let ids = try ModelID.each(of: answer.models)
      known = try await wiring.local?.models(withIDs: ids, access) ?? [:]
    } else {
      for model in operation.models { known[try access.id(model)] = model }
    }
    return Answer(
      answer, try unsaid.completed(answer.models) { [known] in known[try access.id($0)] })
  }

  /// Whether local needs to know that the models are from the remote.
  ///
  /// It needs that if it may have unsent changes of them, or keeps their versions. The function
  /// also records the versions of the copy.
  private func sparesUnsent(_ copy: FetchedCopy<Model>) -> Bool {
    if wiring.mayHaveUnsent { return true }
    guard wiring.binding.outbox != nil else { return false }
    proxy.recordVersions(copy.fetched.versions)
    return !copy.fetched.versions.isEmpty
  }

  private func retrying(
    _ type: Evocation.RepositoryType, _ rule: Strategy.Rule, since start: Duration,
    tries: Lock<Tries>, queues: Strategy.Priority?
  ) async -> Result<Answer<Model>, any Error> {
    let (time, chance) = (proxy.environment.time, proxy.environment.chance)
    while true {
      do {
        return .success(try await answer(type, copying: nil, queues: queues))
      } catch {
        guard !(error is CancellationError), let retry = rule.retry,
          let pause = retry.pause(after: tries.withLock { $0.count }, error, chance: chance())
        else { return .failure(error) }
        let left = rule.timeout.map { start.adding($0).subtracting(time.now()) }
        let refusal = retry.refusal(
          ofWaitFor: error, left: left, of: rule.timeout, at: proxy.environment.date())
        if let refusal {
          tries.withLock { $0.remark = refusal }
          return .failure(error)
        }
        guard (try? await time.sleep(pause)) != nil else { return .failure(CancellationError()) }
        // A late attempt is waited for, and not repeated.
        if let timeout = rule.timeout, time.now().subtracting(start) >= timeout {
          return .failure(error)
        }
        tries.withLock { $0.count += 1 }
      }
    }
  }
}

/// How often a repository was asked, and why it was not asked again.
private struct Tries: Sendable {
  var count = 1
  var remark: String?
}
