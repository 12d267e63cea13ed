/// A write that waits very long for its turn, which may be the turn of a write that waits for it.
///
/// A write inside a write on the same model is refused where it is known by its task. One that is made
/// in a detached task is not known, and both would wait without a word.
extension Call {
  /// After so long a write that waits is told of: no service that answers takes longer by right.
  static var longWait: Duration { .seconds(10) }

  /// Has it told, where somebody is to hear it, that the write waits for long; nil where it need not wait.
  func watchWait(_ ticket: WriteSerializer.Ticket, _ rule: Strategy.Rule) -> Task<Void, Never>? {
    guard let onEvent = proxy.environment.onEvent, !proxy.line.isTurn(of: ticket) else {
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

  /// What is told of a long wait: a trace of the call that waits, and one of the call that it waits for.
  private func longWaits(_ rule: Strategy.Rule) -> [Evocation.Trace] {
    let (waiting, present) = (operation.name, proxy.line.presentWrite)
    let awaited = present ?? "the saving of what was fetched"
    let reason =
      "\(waiting) \(proxy.model) has waited 10 s for \(awaited) \(proxy.model) to end; if that "
      + "began it in a detached task, both wait for ever, so use a child task or a plain Task there"
    return [waiting, present].compactMap { $0 }.map { name in
      var record = CallRecord(model: proxy.model, call: name)
      record.skip(rule.target, .target, reason)
      return record.trace
    }
  }
}
