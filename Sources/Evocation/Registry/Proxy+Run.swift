extension Proxy {
  /// Where a call stands when it is made.
  enum Place: Sendable {
    /// A read: side by side with everything.
    case anywhere
    /// A write: at this place in the line.
    case inLine(WriteLine.Ticket)
    /// A write inside a repository's own write, which would wait for itself.
    case nowhere
  }

  /// Takes a call's place, which must be given to ``run(_:at:)`` in the end.
  func enter(_ operation: Operation<Model>) -> Place {
    if operation.action.isRead { return .anywhere }
    return WriteScope.isInside(line) ? .nowhere : .inLine(line.enter())
  }

  /// Carries a call out where the caller runs.
  @inline(__always)
  func run(_ call: Call<Model>, at place: Place) async -> Evocation.Result<[Model]> {
    let result =
      switch place {
      case .anywhere: await call.read()
      case .inLine(let ticket): await call.write(ticket)
      case .nowhere: call.refusal(EvocationError.nestedWrite(model: model))
      }
    environment.onTrace?(result.trace)
    return result
  }
}
