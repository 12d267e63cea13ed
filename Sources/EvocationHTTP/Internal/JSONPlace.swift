/// Finds values in parsed JSON by their places: keys with dots between them, such as `data.record`.
enum JSONPlace {
  /// Returns the value at a place; a number in it is an index in an array, and `""` is the whole.
  static func value(_ json: Any?, at place: String) -> Any? {
    place.split(separator: ".").reduce(json) { value, key in
      if let object = value as? [String: Any] { return object[String(key)] }
      guard let array = value as? [Any], let index = Int(key), array.indices.contains(index) else {
        return nil
      }
      return array[index]
    }
  }
}
