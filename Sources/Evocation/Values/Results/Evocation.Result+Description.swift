extension Evocation.Result {
  /// What the result has, in one line: how much data from where, and its errors.
  ///
  /// It has numbers, as of a count, and no other values of your app.
  ///
  /// ```swift
  /// print(result)  // find Car: 3 models from local, the fallback
  /// ```
  public var description: String {
    let record = record
    let name = [record.call, record.model].filter { !$0.isEmpty }.joined(separator: " ")
    var parts = [origin.map { "\(amount) from \($0.rawValue)" } ?? amount]
    if didFallBack { parts[0] += ", the fallback" }
    if isPending { parts.append("the outbox sends it to remote") }
    if let error { parts.append("error: \(error)") }
    if let synchronizationError { parts.append("synchronizationError: \(synchronizationError)") }
    let line = (name.isEmpty ? "" : "\(name): ") + parts.joined(separator: "; ")
    return line.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// How many models there are, or the number that the data are.
  private var amount: String {
    switch data as Any? {
    case nil: "no data"
    case let number as any BinaryInteger: "\(number)"
    case let answer as Bool: "\(answer)"
    case let models as any RandomAccessCollection: Self.models(models.count)
    case .some: Self.models(1)
    }
  }

  private static func models(_ count: Int) -> String {
    count == 1 ? "1 model" : "\(count) models"
  }
}
