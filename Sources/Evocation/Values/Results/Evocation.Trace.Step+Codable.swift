extension Evocation.Trace.Step: Codable {
  private enum Field: String, CodingKey {
    case repository, role, outcome, attempts, duration, age, leftOut, leftOutReason, name
  }

  /// Reads the format of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let seconds = try fields.decode(Double.self, forKey: .duration)
    guard let duration = Duration(wireSeconds: seconds) else {
      throw DecodingError.dataCorruptedError(
        forKey: .duration, in: fields, debugDescription: "The duration is not a number of seconds."
      )
    }
    self.init(
      repository: try fields.decode(Evocation.RepositoryType.self, forKey: .repository),
      role: try fields.decode(Evocation.Metadata.Role.self, forKey: .role),
      outcome: try fields.decode(Evocation.Trace.Outcome.self, forKey: .outcome),
      attempts: try fields.decode(Int.self, forKey: .attempts),
      duration: duration,
      age: try fields.decodeIfPresent(Double.self, forKey: .age).flatMap {
        Duration(wireSeconds: $0)
      },
      leftOut: try fields.decodeIfPresent(Int.self, forKey: .leftOut) ?? 0,
      leftOutReason: try fields.decodeIfPresent(String.self, forKey: .leftOutReason),
      name: try fields.decodeIfPresent(String.self, forKey: .name)
    )
  }

  /// Writes the properties under their names, the duration and the age in seconds.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(repository, forKey: .repository)
    try fields.encode(role, forKey: .role)
    try fields.encode(outcome, forKey: .outcome)
    try fields.encode(attempts, forKey: .attempts)
    try fields.encode(duration.seconds, forKey: .duration)
    try fields.encodeIfPresent(age?.seconds, forKey: .age)
    if leftOut != 0 { try fields.encode(leftOut, forKey: .leftOut) }
    try fields.encodeIfPresent(leftOutReason, forKey: .leftOutReason)
    try fields.encodeIfPresent(name, forKey: .name)
  }
}

extension Evocation.Trace.Outcome: Codable {
  private enum Name: String, CodingKey, CaseIterable {
    case answered, failed, cancelled, skipped
  }

  private enum Detail: String, CodingKey {
    case count, reason
  }

  /// Reads the format of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let outcome = try decoder.container(keyedBy: Name.self)
    guard let name = outcome.allKeys.first, outcome.allKeys.count == 1 else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(codingPath: outcome.codingPath, debugDescription: "An outcome is one of \(names).")
      )
    }
    let details = try outcome.nestedContainer(keyedBy: Detail.self, forKey: name)
    switch name {
    case .answered: self = .answered(count: try details.decode(Int.self, forKey: .count))
    case .failed: self = .failed(try details.decode(String.self, forKey: .reason))
    case .cancelled: self = .cancelled
    case .skipped: self = .skipped(try details.decode(String.self, forKey: .reason))
    }
  }

  /// Writes an object with the outcome's name, and under it the count or the reason.
  public func encode(to encoder: any Encoder) throws {
    var outcome = encoder.container(keyedBy: Name.self)
    switch self {
    case .answered(let count):
      var details = outcome.nestedContainer(keyedBy: Detail.self, forKey: .answered)
      try details.encode(count, forKey: .count)
    case .failed(let reason):
      var details = outcome.nestedContainer(keyedBy: Detail.self, forKey: .failed)
      try details.encode(reason, forKey: .reason)
    case .cancelled:
      _ = outcome.nestedContainer(keyedBy: Detail.self, forKey: .cancelled)
    case .skipped(let reason):
      var details = outcome.nestedContainer(keyedBy: Detail.self, forKey: .skipped)
      try details.encode(reason, forKey: .reason)
    }
  }
}
