/// The id of a model as repositories tell models apart, and order them.
///
/// Ids are the same when their values are: text byte by byte, numbers whatever their types. An id
/// that is made of several properties is compared by one after the other, in the order of coding.
package struct ModelID: Sendable, Hashable {
  package let scalars: [Criteria.Scalar]

  package init(_ scalars: [Criteria.Scalar]) {
    self.scalars = scalars
  }

  /// Makes the id of a model from the values that the id encodes.
  ///
  /// `isCoded` says whether the model has the coding key `id`; when it has not, the id's
  /// ``CriteriaValue`` is used if it has one. An id that cannot be encoded is used as the text that
  /// it prints.
  package init(of model: some Identifiable, isCoded: Bool) {
    let id = model.id
    if let scalar = Criteria.Scalar(coded: id) {
      scalars = [scalar]
    } else if !isCoded, let value = id as? any CriteriaValue {
      scalars = [value.criteriaValue]
    } else if let value = id as? any Encodable {
      scalars = (try? FieldEncoder.field(of: value).scalars) ?? [.text("\(id)")]
    } else {
      scalars = [(id as? any CriteriaValue)?.criteriaValue ?? .text("\(id)")]
    }
  }

  package static func == (left: ModelID, right: ModelID) -> Bool {
    ScalarOrder.of(left.scalars, right.scalars) == .same
  }

  package func hash(into hasher: inout Hasher) {
    for scalar in scalars { scalar.hashByOrder(into: &hasher) }
  }

  /// The id for sentences.
  package var description: String {
    scalars.map(\.text).joined(separator: "/")
  }
}

extension ModelID: Comparable {
  package static func < (left: ModelID, right: ModelID) -> Bool {
    ScalarOrder.of(left.scalars, right.scalars) == .less
  }
}

extension Field {
  /// The single values, from the outside in and in the order of coding.
  fileprivate var scalars: [Criteria.Scalar] {
    switch self {
    case .scalar(let scalar): [scalar]
    case .list(let elements): elements.flatMap(\.nestedScalars)
    case .object(let fields): fields.values.flatMap(\.nestedScalars)
    }
  }

  private var nestedScalars: [Criteria.Scalar] {
    scalars.map { Criteria.Scalar.nestedForm($0) }
  }
}
