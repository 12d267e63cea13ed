internal import Foundation

/// The name of a cache in sentences: the model and the keys of its tag, without user data.
///
/// A tag that was not built from criteria may contain anything, so it is named "cache".
package struct CacheName: CustomStringConvertible {
  package let description: String

  package init(tag: String) {
    let (model, rest) = Self.parts(of: tag)
    let list = model != nil && rest.hasPrefix(Self.listMark)
    let text = list ? rest.dropFirst(Self.listMark.count) : rest
    guard let criteria = try? JSONDecoder().decode(Criteria.self, from: Data(text.utf8)) else {
      description = "cache"
      return
    }
    let noun = (list ? "list" : "cache") + (model.map { " of \($0)" } ?? "")
    let keys = criteria.keys
    description = keys.isEmpty ? noun : noun + " by " + keys.joined(separator: ", ")
  }

  private static let listMark = "list?"

  /// Splits a tag into its model and the rest: the mark of a list, and the JSON of the criteria.
  private static func parts(of tag: String) -> (model: String?, rest: Substring) {
    guard !tag.hasPrefix("{"), let end = tag.firstIndex(of: "?") else { return (nil, tag[...]) }
    return (String(tag[..<end]), tag[tag.index(after: end)...])
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
