import Foundation

// Attempts that have failed: the entry waits, or is parked.
extension ModelChannel {
  /// Decides what becomes of an entry whose attempt has thrown an error.
  ///
  /// 1. It was canceled, or there is no connection: that counts as no attempt.
  /// 2. The error says that the server has executed it: acknowledge.
  /// 3. The server wants another credential: pause that server.
  /// 4. The server cannot execute anything now: wait.
  /// 5. The server says that the write conflicts with what it has: decide on that.
  /// 6. The server refuses the write: park.
  func end(_ sending: Sending, failedWith error: any Error) async -> Ending {
    if Task.isCancelled || outbox?.isOnline == false { return .unknown }
    switch (FailureScope(error), FailureKind(error)) {
    case (.carriedOut, _): return await acknowledge(sending, answer: Versioned(nil))
    case (.service, .authorization):
      outbox?.handle(.unauthorized(sending.item, Self.denial(error)))
      return .unknown
    case (.service, _): return await wait(sending, because: error, isServiceWell: false)
    case (.write, .conflict): return await decide(sending, refusedWith: error)
    case (.write, let kind): return await park(sending, because: Self.failure(error, kind))
    }
  }

  /// Has the entry wait by its own count of failures.
  ///
  /// The server is paused by its own count.
  func wait(_ sending: Sending, because error: any Error, isServiceWell: Bool) async -> Ending {
    let entry = sending.entry
    let asked = (error as? any ClassifiedError)?.retryAfter
    let retry = outbox?.configuration.retry ?? Strategy.Retry(attempts: .max)
    let failures = entry.attempts.addingClamped(1)
    let own = retry.backoff.pause(after: failures, chance: environment.chance())
    // If the server has failed before, the pause is for the server, and not for the entry.
    let mayBeToBlame =
      isServiceWell
      ? asked == nil : outbox?.recordFailed(sending.item, retryAfter: asked) ?? true
    let pause = mayBeToBlame ? own : min(asked ?? .zero, ServicePace.longestRetryAfter)
    let failure = Self.failure(error, .transient)
    let since = environment.date()
    let until = since.addingTimeInterval(pause.seconds)
    let patience = asked.map { since...since.addingTimeInterval(max($0, .zero).bounded.seconds) }
    let changed = await change(entry, patience) { entry in
      entry.attempts = entry.attempts.addingClamped(1)
      (entry.state, entry.waitsSince) = (.waiting(until: until, reason: failure.reason), since)
      entry.words = failure.words
    }
    if changed { outbox?.tell(.willRetry(subject(entry, because: failure))) }
    return isServiceWell ? .well : Ending(health: .failing(retryAfter: asked))
  }

  func park(_ sending: Sending, because failure: Outbox.Failure) async -> Ending {
    let entry = sending.entry
    conflicts.withLock { $0[entry.id] = nil }
    let changed = await change(entry) { entry in
      entry.attempts = entry.attempts.addingClamped(1)
      entry.state = .parked(failure.kind, reason: failure.reason)
      entry.words = failure.words
    }
    if changed { outbox?.tell(.parked(subject(entry, because: failure))) }
    return .well
  }

  /// Changes an entry's state.
  ///
  /// If the store fails, the entry stays as it is, to be sent again.
  private func change(
    _ entry: Entry, _ patience: ClosedRange<Date>? = nil,
    _ body: @escaping @Sendable (inout Entry) -> Void
  ) async -> Bool {
    do {
      return try await repository.transact(isShort: true) { [service] transaction in
        if let patience { try transaction.entries.record(patience, with: service) }
        return try transaction.changeState(of: entry, body) != nil
      }
    } catch {
      outbox?.handle(.troubled(store))
      return false
    }
  }

  /// Returns an error's sentence, of bounded length, without the service's words.
  static func text(_ error: any Error) -> String {
    String(ServiceWords.hidden(in: error).prefix(1_000))
  }

  /// Returns why a server wants another credential: what your app's own error says, if one is the cause.
  private static func denial(_ error: any Error) -> String {
    let localized = error as? any LocalizedError
    let saysItself = (error as Any) is any CustomStringConvertible
    let own = localized?.failureReason ?? (saysItself ? nil : localized?.errorDescription)
    return own.map { String($0.prefix(1_000)) } ?? text(error)
  }

  /// Returns the failure of an attempt that has thrown an error.
  static func failure(_ error: any Error, _ kind: FailureKind) -> Outbox.Failure {
    Outbox.Failure(kind: kind, reason: text(error), words: .of(error))
  }
}
