import Evocation

/// The versions of models, as an answer gives them and as the next write says them.
extension HTTPRepository {
  /// The versions that an answer has; none where the service is not to compare them.
  func given(_ versions: [String?]) -> [String?] {
    client.format.sendsIfMatch ? versions : []
  }

  /// Whether a field of an answer at a route tells a model's version, and one of a request asks for it.
  ///
  /// A tag holds for one address, and changes say theirs at that of `updateOne`. A version that is a
  /// property holds everywhere.
  func hasVersion(at route: HTTPFormat.Route) -> Bool {
    if case .property = client.format.version { return true }
    return route.namesModel && route.path.withoutLastSlash == routes.updateOne.path.withoutLastSlash
  }

  /// The version that lies in a model itself; nil where its type does not have that property.
  ///
  /// It is a text or a whole number: of a date or a fraction its text need not be the service's.
  func ownVersion(of model: Model) -> String? {
    guard case .property(let key) = client.format.version,
      let fields = try? FieldEncoder.fields(of: model),
      let name = fields.names.first(where: { client.names.parts(of: Criteria.Key($0)) == [key] }),
      case .scalar(let value)? = fields[name]
    else { return nil }
    return switch value {
    case .text, .integer, .unsigned, .uuid: value.exactText
    case .null, .bool, .real, .decimal, .date, .data, .url: nil
    }
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
    if value.isEmpty { value = more.value } else { value += more.value }
    metadata = more.metadata
  }

  /// The answer with some of its models.
  func part<Model>(from start: Int, count: Int) -> Self where Value == [Model] {
    var part = map { Array($0.dropFirst(start).prefix(count)) }
    part.versions = Array(versions.dropFirst(start).prefix(count))
    return part
  }

  /// The answer in parts of a length, of which the last may be shorter.
  func batches<Model>(of length: Int) -> [Self] where Value == [Model] {
    let versions = versions.batches(of: length)
    return value.batches(of: length).enumerated().map { index, models in
      Response(models, versions: versions.isEmpty ? [] : versions[index])
    }
  }

  /// The answer for one model as one for several.
  func asList<Model>() -> Response<[Model]> where Value == Model? {
    map { $0.map { [$0] } ?? [] }
  }

  /// The answer with some of its models, each with the version that it has here.
  func keeping<Model: Identifiable & Sendable, Other: Sendable>(
    _ kept: [Model], of models: [Model], _ transform: (Value) -> Other
  ) -> Response<Other> {
    var answer = map(transform)
    answer.versions = []
    guard !versions.isEmpty, let ids = ModelID.all(of: models), let keptIDs = ModelID.all(of: kept)
    else { return answer }
    let known = Dictionary(zip(ids, versions), uniquingKeysWith: { $1 })
    answer.versions = keptIDs.map { known[$0] ?? nil }
    return answer
  }
}

extension [String?] {
  /// As many versions as there are models.
  fileprivate func filled(to count: Int) -> Self {
    self + Array(repeating: nil, count: Swift.max(0, count - self.count))
  }
}
