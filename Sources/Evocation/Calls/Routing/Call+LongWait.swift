/// A write that waits very long for its turn, possibly for a write that waits for it.
///
/// Evocation refuses a write inside a write on the same model if its task shows that. It does not
/// recognize a write from a detached task, nor two writes inside each other's models that began in
/// opposite order, and both would wait without any message.
extension Call {
  /// How long a write waits before Evocation reports it; no server that answers should take longer.
  static var longWait: Duration { .seconds(10) }

  /// Starts reporting a long wait; nil if there is no listener, or the write need not wait.
  func watchWait(_ ticket: WriteSerializer.Ticket, _ rule: Strategy.Rule) -> Task<Void, Never>? {
    guard let onEvent = proxy.environment.onEvent(in: session), !proxy.line.isTurn(of: ticket)
    else {
      return nil
    }
    let time = proxy.environment.time
    return WriteScope.apart {
      Task {
        guard (try? await time.sleep(Self.longWait)) != nil else { return }
        for trace in longWaits(rule) { onEvent(trace) }
      }
    }
  }

  /// Returns a trace of the call that waits, and one of the call that it waits for.
  private func longWaits(_ rule: Strategy.Rule) -> [Evocation.Trace] {
    let (waiting, present) = (operation.name, proxy.line.presentWrite)
    let awaited = present ?? "the saving of what was fetched"
    let reason =
      "\(waiting) \(proxy.model) has waited 10 s for \(awaited) \(proxy.model) to end; if the "
      + "latter began it in a detached task, both wait forever; use a child task or a plain Task"
    return [waiting, present].compactMap { $0 }.map { name in
      var record = CallRecord(model: proxy.model, call: name)
      record.skip(rule.target, .target, reason: reason)
      return record.trace
    }
  }
}
