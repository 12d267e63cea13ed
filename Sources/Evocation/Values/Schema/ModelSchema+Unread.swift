extension ModelSchema {
  /// Returns the first of a model's keys that the schema lacks, although the model's type reads it.
  ///
  /// The schema was learned from one value of the type, and a type may ask for other keys where
  /// another value stands under one. A key that only `encode(to:)` knows, such as one that servers
  /// want, loses nothing.
  package static func unlearned(_ keys: [String], of model: some Encodable) throws -> String? {
    guard let model = model as? any Codable else { return keys.first }
    let fields = try FieldEncoder.fields(of: model)
    return unlearned(keys, of: model, fields: fields)
  }

  private static func unlearned<Model: Codable>(
    _ keys: [String], of model: Model, fields: Fields
  ) -> String? {
    // The type of the value itself, because a subclass reads more than its superclass.
    guard let own = type(of: model as Any) as? any Codable.Type,
      let asked = SchemaProbe.keys(of: own, coded: fields)
    else { return keys.first }
    return keys.first { asked.contains($0) }
  }
}

extension SchemaProbe {
  /// Returns the keys for which a type asks when it decodes these fields; nil if it may ask for any.
  fileprivate static func keys<Model: Decodable>(
    of type: Model.Type, coded fields: Fields
  ) -> [String]? {
    let run = ProbeRun(
      type, by: SchemaProbe(type, varies: false), from: ProbeInputs(), path: [],
      example: .object(fields))
    guard case .success = run.result, run.recorder.shapes == [.keyed],
      !run.recorder.asksForAllKeys
    else { return nil }
    return run.recorder.names
  }
}
