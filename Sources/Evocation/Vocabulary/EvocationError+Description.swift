extension EvocationError: CustomStringConvertible {
  /// One sentence: what failed, on what, why, and the mend.
  public var description: String {
    switch self {
    case .proxyNotFound(let model):
      "No proxy is registered for \(model); call register(for: \(model).self) before the first use."
    case .missingRepository(let type, let model):
      "The strategy of \(model) asks the \(type.rawValue) repository, and none is registered; "
        + "add one with repository(\(type.rawValue):) or choose a strategy that does without."
    case .noData:
      "The call succeeded, but there was no data to give; read `data` where none is a good answer."
    case .alreadyExists(let ids):
      "\(ids.count == 1 ? "A model" : "Models") with id \(Self.list(ids)) "
        + "\(ids.count == 1 ? "is" : "are") there already, so nothing was stored; "
        + "use storeOrUpdate to replace what is there."
    case .unknownKey(let key, let model, let nearest):
      "\(model) has no key \"\(key)\"\(Self.suggestion(nearest))"
    case .incomparableValue(let key, let reason):
      "The value for \"\(key)\" cannot be compared: \(reason)."
    case .nestedTooDeeply(let most):
      "The criteria nest &&, || and ! more than \(most) levels deep; put the inner terms side by "
        + "side."
    case .unmappable(let model, let property, let reason):
      "\(property.isEmpty ? "" : "The property \"\(property)\" of ")\(model) cannot be mapped: "
        + "\(reason)."
    case .timedOut(let type, let model, let limit):
      "The \(type.rawValue) repository of \(model) did not answer within \(limit)."
    case .unanswered(let type, let model, let method):
      "The \(type.rawValue) repository of \(model) let go of the completion of \(method) without "
        + "calling it; call it exactly once on every path."
    case .nestedWrite(_, let circle) where circle.count > 1:
      "\(Self.enumeration(circle)) would wait for each other for ever: each was written through "
        + "Evocation inside work of another that waits for it; write to the other repository directly, "
        + "or after answering."
    case .nestedWrite(let model, _):
      "A repository of \(model) wrote \(model) through Evocation inside its own write, which would "
        + "wait for itself; write to the other repository directly, or after answering."
    case .outboxUnavailable(let model, let action):
      "The rule for \(action.rawValue) of \(model) synchronizes by outbox, and the local repository "
        + "offers none; nothing was written, so choose another synchronization."
    case .notObservable(let model):
      "\(model) cannot be observed: register an ObservableRepository, and make \(model) Codable and "
        + "Identifiable."
    case .notIdentifiable(let model):
      "Mirroring \(model) needs to tell its models apart; make \(model) Identifiable."
    }
  }

  private static func enumeration(_ names: [String]) -> String {
    guard let last = names.last else { return "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 5
      ? names.joined(separator: ", ")
      : names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more"
  }

  private static func suggestion(_ nearest: [String]) -> String {
    guard let last = nearest.last else { return "." }
    let others = nearest.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
    return "; did you mean \(others.isEmpty ? "" : others + " or ")\"\(last)\"?"
  }
}
