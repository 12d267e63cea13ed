import Foundation

/// Reads the field `Link`, of which only the relations are of interest.
enum LinkHeader {
  /// The address under a relation such as `next`, resolved against the answer's own.
  static func url(_ relation: String, in text: String, relativeTo base: URL?) -> URL? {
    for link in links(text) {
      let parts = link.rest.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let names = parts.compactMap { part -> [Substring]? in
        guard part.lowercased().hasPrefix("rel=") else { return nil }
        return part.dropFirst(4).trimmingCharacters(in: ["\""]).split(separator: " ")
          .map { Substring($0.lowercased()) }
      }
      if names.joined().contains(Substring(relation)) {
        return URL(string: link.target, relativeTo: base)?.absoluteURL
      }
    }
    return nil
  }

  /// Each target between angle brackets, which may hold commas, and what stands up to the next one.
  private static func links(_ text: String) -> [(target: String, rest: String)] {
    text.split(separator: "<").compactMap { piece in
      guard let end = piece.firstIndex(of: ">") else { return nil }
      let rest = piece[piece.index(after: end)...]
      return (String(piece[..<end]), rest.trimmingCharacters(in: [",", " "]))
    }
  }
}
