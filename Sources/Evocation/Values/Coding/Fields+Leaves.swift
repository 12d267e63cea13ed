extension Fields {
  /// A value that is not an object, and the keys that lead to it.
  struct Leaf {
    let path: [String]
    let field: Field

    var name: String { path.joined(separator: ".") }
  }

  var leaves: [Leaf] {
    zip(names, values).flatMap { name, value in
      guard case .object(let fields) = value else { return [Leaf(path: [name], field: value)] }
      return fields.leaves.map { Leaf(path: [name] + $0.path, field: $0.field) }
    }
  }

  func field(under path: [String]) -> Field? {
    guard let first = path.first, let field = self[first] else { return nil }
    guard path.count > 1 else { return field }
    guard case .object(let fields) = field else { return nil }
    return fields.field(under: Array(path.dropFirst()))
  }

  func replacing(_ path: [String], with field: Field) -> Fields {
    guard let first = path.first, let index = names.lastIndex(of: first) else { return self }
    var result = self
    if path.count > 1, case .object(let fields) = values[index] {
      let rest = fields.replacing(Array(path.dropFirst()), with: field)
      result.replace(at: index, with: .object(rest))
    } else {
      result.replace(at: index, with: field)
    }
    return result
  }
}
