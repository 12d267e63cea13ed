/// Runs that decode a type from other values, to find the keys that it asks for only then.
extension SchemaProbe {
  /// The number of runs of one type, because a type may have any number of enums.
  private static let mostRuns = 512

  /// Runs a decoding of a type, and again with each other value that may decide what it asks for.
  ///
  /// There are four kinds of types. One that is a single value is asked again with each kind refused.
  /// One that asks which keys there are, as an enum with payloads does, is run with each key in turn.
  /// One that asks for the same keys whatever its values are needs a run for each case of its enums
  /// and each of its Booleans, and one without optional values. Any other type is also run without
  /// each optional value, and again from each run that asked for other keys.
  ///
  /// The run of a model without optional values has another id, which shows where the id stands.
  func varied<Value: Decodable>(
    _ type: Value.Type, _ inputs: ProbeInputs, path: [any CodingKey], example: Field?
  ) -> ProbeRun {
    func run(_ choices: ProbeChoices, _ inputs: ProbeInputs) -> ProbeRun {
      ProbeRun(type, by: self, from: inputs, path: path, example: example, choices: choices)
    }
    var first = run(ProbeChoices(), inputs)
    if first.recorder.asksForAllKeys { varyKeys(&first) { run($0, inputs) } }
    guard varies, first.isSuccess else { return first }
    if first.recorder.shapes == [.single] {
      var refusing = inputs
      refusing.refuses = true
      first.recorder.addSingles(run(ProbeChoices(), refusing).recorder)
      return first
    }
    if first.recorder.shapes == [.keyed], !first.recorder.asksForAllKeys {
      if path.isEmpty, example == nil {
        var varying = inputs
        varying.variesID = true
        let bare = run(ProbeChoices(omitsOptionals: true), varying)
        if case .success(let value) = bare.result {
          first.bare = value
          vary(&first, bare: bare) { run($0, inputs) }
          return first
        }
      }
      vary(&first, bare: nil) { run($0, inputs) }
    }
    return first
  }

  /// Runs the decoding of a type that asks for all keys with each of them.
  ///
  /// The first key's value may be the type itself; then another one counts as the first.
  private func varyKeys(_ first: inout ProbeRun, _ run: (ProbeChoices) -> ProbeRun) {
    guard let keys = first.choices.points.first(where: { $0.place.aspect == .onlyKey }) else {
      return
    }
    for index in 1..<keys.count where varies || !first.isSuccess {
      let other = run(ProbeChoices([keys.place: index]))
      guard case .success(let value) = other.result else { continue }
      if first.isSuccess { first.others.append(value) } else { first = other }
    }
  }

  private func vary(
    _ first: inout ProbeRun, bare: ProbeRun?, _ run: (ProbeChoices) -> ProbeRun
  ) {
    let names = first.recorder.names
    var (others, runs) = ([Any](), 0)
    var isSame = true
    var rest = Self.variations(of: first.choices, presence: false)
    var hasPresences = !first.choices.points.contains { $0.place.aspect == .presence }
    if !hasPresences {
      let bare = bare ?? run(ProbeChoices(omitsOptionals: true))
      isSame = bare.recorder.asked(for: names)
      first.recorder.join(bare.recorder, isWhole: bare.isSuccess)
    }
    while runs < Self.mostRuns {
      if rest.isEmpty, !isSame, !hasPresences {
        hasPresences = true
        rest = Self.variations(of: first.choices, presence: true)
      }
      guard !rest.isEmpty else { break }
      let taken = rest.removeFirst()
      runs += 1
      let other = run(ProbeChoices(taken))
      if case .success(let value) = other.result { others.append(value) }
      if !other.recorder.asked(for: names) {
        isSame = false
        let known = Set(first.choices.points.map(\.place))
        rest += Self.variations(of: other.choices, presence: nil).filter { further in
          further.keys.contains { !known.contains($0) && taken[$0] == nil }
        }.map { $0.merging(taken) { new, _ in new } }
      }
      first.recorder.join(other.recorder, isWhole: other.isSuccess)
    }
    first.others = others
  }

  /// Returns the choices that differ in one point from those of a run, for points of one kind.
  private static func variations(
    of choices: ProbeChoices, presence: Bool?
  ) -> [[ProbeChoices.Place: Int]] {
    choices.points.filter { point in
      presence == nil || (point.place.aspect == .presence) == presence
    }.flatMap { point in
      (1..<point.count).map { [point.place: $0] }
    }
  }
}
