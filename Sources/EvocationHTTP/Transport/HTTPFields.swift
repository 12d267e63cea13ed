/// Header fields by their names, in which upper and lower case are the same.
struct HTTPFields: Sendable {
  private(set) var named: [String: String] = [:]

  /// A field's value.
  ///
  /// Control characters are left out of what is set, because a line break, such as one at the end of
  /// a token that was read from a file, would begin another field.
  subscript(name: String) -> String? {
    get { named.first { $0.key.lowercased() == name.lowercased() }?.value }
    set {
      named = named.filter { $0.key.lowercased() != name.lowercased() }
      named[name] = newValue.map { value in
        String(value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
      }
    }
  }

  /// The fields that may go to any host, since they hold no credential.
  var withoutCredentials: HTTPFields {
    let harmless = ["accept", "content-type", "if-none-match", "idempotency-key"]
    var fields = self
    fields.named = named.filter { harmless.contains($0.key.lowercased()) }
    return fields
  }
}
