import EvocationTesting
import Foundation
import Testing

@testable import EvocationHTTP

/// An array in JSON that is cut while it comes.
@Suite struct JSONBatchesTests {
  private static func cut(
    _ text: String, path: [String] = [], size: Int, pieces: [Int] = []
  ) throws -> (batches: [String], frame: String) {
    var batches = JSONBatches(path: path, size: size)
    var all: [String] = []
    var rest = Data(text.utf8)[...]
    for length in pieces + [rest.count] {
      let piece = rest.prefix(length)
      rest = rest.dropFirst(length)
      all += try batches.take(Data(piece)).map { String(decoding: $0, as: UTF8.self) }
    }
    try batches.end()
    return (all, String(decoding: batches.frame, as: UTF8.self))
  }

  private static let cases: [(String, [String], Int, [String])] = [
    ("[]", [], 2, []),
    ("[1]", [], 2, ["[1]"]),
    ("[1,2,3]", [], 2, ["[1,2]", "[3]"]),
    (" [ 1 , 2 ] ", [], 1, ["[ 1 ]", "[ 2 ]"]),
    (
      #"[{"a":"],["},{"b":[1,2,{"c":"\"]"}]}]"#, [], 1,
      [#"[{"a":"],["}]"#, #"[{"b":[1,2,{"c":"\"]"}]}]"#]
    ),
    (#"{"n":1,"r":[1,2],"m":"]"}"#, ["r"], 5, ["[1,2]"]),
    (#"{"r2":[7],"r":[1],"z":{"r":[9]}}"#, ["r"], 5, ["[1]"]),
    (#"{"z":{"r":[9]},"v":"r","d":{"r":[8],"i":[1,2]}}"#, ["d", "i"], 1, ["[1]", "[2]"]),
    (#"{"r":[]}"#, ["r"], 1, []),
  ]

  @Test(arguments: cases)
  func `An array is cut wherever it lies, and whatever its elements hold`(
    text: String, path: [String], size: Int, batches: [String]
  ) throws {
    #expect(try Self.cut(text, path: path, size: size).batches == batches)
  }

  @Test func `What is around the array stays, without its elements`() throws {
    let text = #"{"count":3,"results":[{"id":1},{"id":2}],"next":"/cars?page=2"}"#
    let frame = try Self.cut(text, path: ["results"], size: 1).frame
    #expect(frame == #"{"count":3,"results":[],"next":"/cars?page=2"}"#)
  }

  @Test(arguments: ["", "{}", "7", "null", #"{"r":{}}"#, #"{"r":7}"#, #""r""#])
  func `A document without the array is told from an empty one`(text: String) {
    #expect(throws: JSONBatches.Failure.self) { try Self.cut(text, path: ["r"], size: 1) }
  }

  @Test(arguments: [
    "[", "[1", "[1,", #"["a"#, "[1]]", "[1]2", "[,]", "[1,]", "[1,,2]", "}", "[1] [2]",
    #"[{"a":1]"#,
  ])
  func `A document that is cut off, or goes on, is broken`(text: String) {
    let batches = try? Self.cut(text, size: 1).batches
    let isDecodable = batches?.allSatisfy { batch in
      (try? JSONSerialization.jsonObject(with: Data(batch.utf8))) != nil
    }
    #expect(isDecodable != true)
  }

  @Test func `Any document in any pieces gives what it holds`() throws {
    var generator = SeededGenerator("documents in pieces")
    for _ in 0..<300 {
      let count = Int.random(in: 0...12, using: &generator)
      let elements = (0..<count).map { _ in Self.value(depth: 3, &generator) }
      let path = [[], ["r"], ["data", "items"]].randomElement(using: &generator) ?? []
      var document: Any = elements
      for key in path.reversed() {
        document = [key: document, "other": Self.value(depth: 2, &generator), "z": 1]
      }
      let options: JSONSerialization.WritingOptions =
        Bool.random(using: &generator) ? .prettyPrinted : []
      let data = try JSONSerialization.data(withJSONObject: document, options: options)
      let text = String(decoding: data, as: UTF8.self)
      let pieces = (0..<10).map { _ in Int.random(in: 0...(text.utf8.count / 4), using: &generator)
      }
      let size = Int.random(in: 1...5, using: &generator)
      let batches = try Self.cut(text, path: path, size: size, pieces: pieces).batches
      let read = try batches.flatMap { batch in
        try #require(JSONSerialization.jsonObject(with: Data(batch.utf8)) as? [Any])
      }
      #expect(NSArray(array: read) == NSArray(array: elements), "\(text)")
      #expect(batches.count == (count + size - 1) / size, "\(text)")
    }
  }

  private static func value(depth: Int, _ generator: inout SeededGenerator) -> Any {
    switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &generator) {
    case 0: Int.random(in: -5...5, using: &generator)
    case 1: ["", "a,b", "]", "}\"{", "\\", "é\u{0}\n", "r"].randomElement(using: &generator) ?? ""
    case 2: Bool.random(using: &generator)
    case 3: NSNull()
    case 4: 2.5
    case 5:
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth - 1, &generator)
      }
    default:
      Dictionary(
        ["r", "data", "items", "x"].prefix(Int.random(in: 0...4, using: &generator)).map { key in
          (key, value(depth: depth - 1, &generator))
        }, uniquingKeysWith: { first, _ in first })
    }
  }
}
