extension ModelSchema {
  /// Returns the optional properties that the type itself has a value for, if it reads none.
  ///
  /// It decodes the type from made-up values without the optional properties, and looks at what it
  /// then encodes. A type that rejects these values has no known defaults.
  package func defaults<Model: Codable>(of type: Model.Type) -> Set<String> {
    guard let sample = SchemaProbe.value(of: type),
      let all = try? FieldEncoder.fields(of: sample)
    else { return [] }
    var required = Fields()
    for (name, value) in zip(all.names, all.values) where self[name]?.isOptional == false {
      required.append(value, name)
    }
    guard
      let model = SchemaProbe.value(
        of: type, coded: required, inputs: ProbeInputs(givesOptionals: false)),
      let fields = try? FieldEncoder.fields(of: model)
    else { return [] }
    let known = properties.filter { property in
      property.isOptional && fields[property.name].map { $0 != .scalar(.null) } ?? false
    }
    return Set(known.map(\.name))
  }
}
