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
    ((predicate?.keys ?? []) + order.map(\.key)).reduce(into: []) { names, key in
      if !names.contains(key.name) { names.append(key.name) }
    }
  }
}
