import Foundation

/// Reads the addresses of a `Link` field by their relations.
enum LinkHeader {
  /// Returns the address of a relation such as `next`, as it is in the field.
  static func target(_ relation: String, in text: String) -> String? {
    links(text).first { link in
      let parts = link.rest.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let names = parts.compactMap { part -> [Substring]? in
        guard part.lowercased().hasPrefix("rel=") else { return nil }
        return part.dropFirst(4).trimmingCharacters(in: ["\""]).split(separator: " ")
          .map { Substring($0.lowercased()) }
      }
      return names.joined().contains(Substring(relation))
    }?.target
  }

  /// Returns each target, which is in angle brackets and may contain commas, and the text after it.
  private static func links(_ text: String) -> [(target: String, rest: String)] {
    text.split(separator: "<").compactMap { piece in
      guard let end = piece.firstIndex(of: ">") else { return nil }
      let rest = piece[piece.index(after: end)...]
      return (String(piece[..<end]), rest.trimmingCharacters(in: [",", " "]))
    }
  }
}
