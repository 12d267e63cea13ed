import Foundation

/// Cuts a JSON array that comes in pieces into arrays of so many elements, without reading it whole.
///
/// The array is the document, or lies within objects under a path of keys. What is around it is kept
/// without its elements, so that it can be decoded too. The grammar is that of RFC 8259, of which
/// only as much is looked at as says where an element ends; the decoder finds what else is wrong.
struct JSONBatches {
  enum Failure: Error {
    /// The document has no array where it should be.
    case noArray
    /// It ended too early, or goes on after its end.
    case broken
    /// What is around the elements is too long.
    case tooLong
  }

  /// Where in the document the next byte is.
  private enum Place {
    /// Before or behind the array, or in a value that is passed over.
    case outside
    /// Between the elements of the array, or in one of them.
    case inside
  }

  /// The document with the array empty, as far as it has come.
  private(set) var frame: [UInt8] = []

  private let path: [[UInt8]]
  private let size: Int
  private let longestFrame = 1 << 20

  private var place = Place.outside
  private var isFound = false
  private var depth = 0
  /// How many keys of the path lead to the object that is being read.
  private var matched = 0
  private var inString = false
  private var isEscaped = false
  /// The bytes of a key that may be the next of the path; nil where no key is awaited.
  private var key: [UInt8]?
  private var awaitsKey = false
  /// Whether the value that comes next is the one that the path leads to.
  private var isNext: Bool
  private var isOver = false

  private var batch: [UInt8] = []
  private var count = 0
  private var hasElement = false
  private var isBehindComma = false

  /// Begins a document.
  init(path: [String], size: Int) {
    self.path = path.map { Array($0.utf8) }
    self.size = max(1, size)
    isNext = true
  }

  /// Takes a piece of the document, and gives the arrays that are complete.
  mutating func take(_ piece: Data) throws(Failure) -> [Data] {
    var whole: [Data] = []
    var failure: Failure?
    piece.withUnsafeBytes { bytes in
      var start = bytes.startIndex
      for index in bytes.indices {
        let byte = bytes[index]
        let before = place
        guard step(byte) else {
          failure = .broken
          return
        }
        guard before == .inside else {
          frame.append(byte)
          if place == .inside { start = index + 1 }
          continue
        }
        let ends =
          place == .outside || (byte == UInt8(ascii: ",") && depth == matched + 1 && !inString)
        guard ends else { continue }
        guard hasElement || (place == .outside && !isBehindComma) else {
          failure = .broken
          return
        }
        batch.append(contentsOf: bytes[start..<index])
        start = index + 1
        if hasElement { count += 1 }
        hasElement = false
        isBehindComma = place == .inside
        if place == .outside { frame.append(byte) }
        if count == size || (place == .outside && count > 0) {
          whole.append(Data([UInt8(ascii: "[")] + batch + [UInt8(ascii: "]")]))
          batch.removeAll(keepingCapacity: true)
          count = 0
        } else if place == .inside {
          batch.append(byte)
        }
      }
      if place == .inside, start < bytes.endIndex {
        batch.append(contentsOf: bytes[start..<bytes.endIndex])
      }
    }
    if let failure { throw failure }
    if frame.count > longestFrame { throw .tooLong }
    return whole
  }

  /// Ends the document.
  func end() throws(Failure) {
    guard isFound else { throw .noArray }
    guard isOver else { throw .broken }
  }

  /// Goes on by a byte; false where that cannot be.
  private mutating func step(_ byte: UInt8) -> Bool {
    if inString {
      stepInString(byte)
      return true
    }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
      return true
    case UInt8(ascii: "\""):
      guard !isOver else { return false }
      inString = true
      if awaitsKey, place == .outside, depth == matched { key = [] }
      hasElement = true
      isNext = false
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard !isOver else { return false }
      open(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard depth > 0 else { return false }
      close()
    case UInt8(ascii: ","):
      if place == .outside, depth == matched { awaitsKey = true }
    case UInt8(ascii: ":"):
      guard place == .outside, depth == matched, let name = key else { break }
      isNext = !isFound && matched <= path.count && matched > 0 && name == path[matched - 1]
      key = nil
      awaitsKey = false
    default:
      guard !isOver else { return false }
      hasElement = true
      isNext = false
    }
    return true
  }

  private mutating func stepInString(_ byte: UInt8) {
    key?.append(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      inString = false
      key?.removeLast()
    }
  }

  private mutating func open(_ byte: UInt8) {
    hasElement = true
    let isObject = byte == UInt8(ascii: "{")
    if place == .outside, isNext, depth == matched {
      if isObject, matched < path.count {
        matched += 1
        awaitsKey = true
      } else if !isObject, matched == path.count {
        place = .inside
        isFound = true
        hasElement = false
      }
    }
    isNext = false
    depth += 1
  }

  private mutating func close() {
    depth -= 1
    if place == .inside, depth == matched { place = .outside }
    if place == .outside, depth < matched { matched = depth }
    isOver = depth == 0
  }
}
