import Evocation

/// The versions of models, as answers return them and as the next write sends them.
extension HTTPRepository {
  /// Returns the versions of an answer, or none if the service must not compare them.
  func given(_ versions: [String?]) -> [String?] {
    client.format.sendsIfMatch ? versions : []
  }

  /// Whether a header field at a route has a model's version, in answers and in requests.
  ///
  /// An entity tag holds for one address, and changes send theirs at the address of `updateOne`. A
  /// version that is a property holds everywhere.
  func hasVersion(at route: HTTPFormat.Route) -> Bool {
    if case .property = client.format.version { return true }
    return route.namesModel && route.path.withoutLastSlash == routes.updateOne.path.withoutLastSlash
  }

  /// Returns the version in a model itself; nil if its type does not have that property.
  ///
  /// It is a text or a whole number. The service may write a date or a fraction as another text.
  func ownVersion(of model: Model) -> String? {
    guard case .property(let place) = client.format.version,
      let fields = try? FieldEncoder.fields(of: model),
      case .scalar(let value)? = own(place, in: .object(fields))
    else { return nil }
    return switch value {
    case .text, .integer, .unsigned, .uuid: value.exactText
    case .null, .bool, .real, .decimal, .date, .data, .url: nil
    }
  }

  /// Returns the value at a place of a model, which may name the object of the properties first.
  private func own(_ place: String, in model: Field) -> Field? {
    func find(_ place: Substring) -> Field? {
      JSONPlace.find(place, in: model) { field, name in
        guard case .object(let fields) = field else { return nil }
        let names = client.names
        return fields.names.first { names.name(ofCodingKey: $0) == name }.flatMap { fields[$0] }
      }
    }
    if let value = find(place[...]) { return value }
    guard let prefix = client.format.attributes.map({ "\($0)." }), place.hasPrefix(prefix) else {
      return nil
    }
    return find(place.dropFirst(prefix.count))
  }
}

extension String {
  fileprivate var withoutLastSlash: Substring { hasSuffix("/") ? dropLast() : self[...] }
}

extension Response {
  /// Adds the models of a further answer with their versions, and takes its metadata.
  mutating func add<Model>(_ more: Self) where Value == [Model] {
    if !versions.isEmpty || !more.versions.isEmpty {
      versions = versions.filled(to: value.count) + more.versions.filled(to: more.value.count)
    }
    if !absentKeys.isEmpty || !more.absentKeys.isEmpty {
      absentKeys += Array(repeating: [], count: value.count - absentKeys.count)
      absentKeys += more.absentKeys
    }
    if value.isEmpty { value = more.value } else { value += more.value }
    metadata = more.metadata
  }

  /// Returns the answer with some of its models.
  func part<Model>(from start: Int, count: Int) -> Self where Value == [Model] {
    var part = map { Array($0.dropFirst(start).prefix(count)) }
    part.versions = Array(versions.dropFirst(start).prefix(count))
    part.absentKeys = Array(absentKeys.dropFirst(start).prefix(count))
    return part
  }

  /// Returns the answer in parts of a length, of which the last may be shorter.
  func batches<Model>(of length: Int) -> [Self] where Value == [Model] {
    value.batches(of: length).enumerated().map { index, _ in
      var batch = part(from: index * length, count: length)
      batch.metadata = [:]
      return batch
    }
  }

  /// Returns the answer for one model as an answer for several.
  func asList<Model>() -> Response<[Model]> where Value == Model? {
    map { $0.map { [$0] } ?? [] }
  }

  /// Returns the answer with some of its models, each with its version.
  func keeping<Model: Identifiable & Sendable, Other: Sendable>(
    _ kept: [Model], of models: [Model], _ transform: (Value) -> Other
  ) -> Response<Other> {
    var answer = map(transform)
    (answer.versions, answer.absentKeys) = ([], [])
    guard !versions.isEmpty || !absentKeys.isEmpty, let ids = ModelID.all(of: models),
      let keptIDs = ModelID.all(of: kept)
    else { return answer }
    if !versions.isEmpty {
      let known = Dictionary(zip(ids, versions), uniquingKeysWith: { $1 })
      answer.versions = keptIDs.map { known[$0] ?? nil }
    }
    if !absentKeys.isEmpty {
      let known = Dictionary(zip(ids, absentKeys), uniquingKeysWith: { $1 })
      answer.absentKeys = keptIDs.map { known[$0] ?? [] }
    }
    return answer
  }
}

extension [String?] {
  /// Returns as many versions as there are models.
  fileprivate func filled(to count: Int) -> Self {
    self + Array(repeating: nil, count: Swift.max(0, count - self.count))
  }
}
