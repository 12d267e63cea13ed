internal import Foundation

/// The name of a cache in sentences: the model and the keys of its tag, without user data.
///
/// A tag that was not built from criteria may contain anything, so it is named "cache".
struct CacheName: CustomStringConvertible {
  let description: String

  init(tag: String) {
    let (model, list, text) = Self.parts(of: tag)
    guard let criteria = try? JSONDecoder().decode(Criteria.self, from: Data(text.utf8)) else {
      description = "cache"
      return
    }
    let noun = (list ? "list" : "cache") + (model.map { " of \($0)" } ?? "")
    let keys = criteria.keys
    description = keys.isEmpty ? noun : noun + " by " + keys.joined(separator: ", ")
  }

  /// Splits a tag into its model, whether it is a list's tag, and the rest: the JSON of the
  /// criteria.
  private static func parts(of tag: String) -> (model: String?, list: Bool, text: Substring) {
    guard !tag.hasPrefix("{"), let end = tag.firstIndex(of: "?") else {
      return (nil, false, tag[...])
    }
    let rest = tag[tag.index(after: end)...]
    let list = "list?"
    let isList = rest.hasPrefix(list)
    return (String(tag[..<end]), isList, isList ? rest.dropFirst(list.count) : rest)
  }
}

extension Criteria {
  /// The keys of the condition and of the order, each once, in their order.
  fileprivate var keys: [String] {
    let asked: [String] =
      predicate?.folded { term, _ in
        term.termKey.map { [$0.name] } ?? []
      } _: { _, parts, _ in
        parts.flatMap { $0 }
      } ?? []
    return (asked + order.map(\.key.name)).reduce(into: []) { keys, key in
      if !keys.contains(key) { keys.append(key) }
    }
  }
}

extension Criteria.Predicate {
  fileprivate var termKey: Criteria.Key? {
    switch self {
    case .comparison(let key, _, _), .isIn(let key, _), .between(let key, _, _), .isNull(let key),
      .hasPrefix(let key, _), .contains(let key, _):
      key
    case .all, .any, .not: nil
    }
  }
}
