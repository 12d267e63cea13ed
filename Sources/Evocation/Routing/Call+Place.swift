extension Call {
  /// Where a call stands when it is made.
  enum Place: Sendable {
    /// A read: side by side with everything.
    case anywhere
    /// A write: at this place in the line.
    case inLine(WriteLine.Ticket)
    /// A write inside a repository's own write, which would wait for itself.
    case nowhere
  }

  /// Takes the call's place, which must be given to ``run(at:)`` in the end.
  func enter() -> Place {
    if operation.action.isRead { return .anywhere }
    return WriteScope.isInside(proxy.line) ? .nowhere : .inLine(proxy.line.enter())
  }

  /// Carries the call out where the caller runs.
  @inline(__always)
  func run(at place: Place) async -> Evocation.Result<[Model]> {
    let result =
      switch place {
      case .anywhere: await read()
      case .inLine(let ticket): await write(ticket)
      case .nowhere: refusal(EvocationError.nestedWrite(model: proxy.model))
      }
    proxy.environment.onTrace?(result.trace)
    return result
  }
}
