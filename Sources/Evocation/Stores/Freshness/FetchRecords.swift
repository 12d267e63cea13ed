/// Records of a ledger by their tags, which differ when their bytes differ.
///
/// Unlike these, the keys of a dictionary count as equal when they are equal as characters and
/// differ in bytes.
///
/// ```swift
/// let records = try await ledger.records(prefix: "")
/// for (tag, record) in records { print(tag, record.fetchedAt) }
/// ```
public struct FetchRecords: Sendable, Equatable, PlainlyPrinted {
  private var records: [ByteText: FetchRecord] = [:]

  /// Creates an empty collection of records.
  public init() {}

  /// The record of a tag; nil where there is none.
  public subscript(tag: String) -> FetchRecord? {
    get { records[ByteText(tag)] }
    set { records[ByteText(tag)] = newValue }
  }

  /// How many records there are.
  public var count: Int { records.count }

  /// Whether there are no records.
  public var isEmpty: Bool { records.isEmpty }

  /// The tags, in any order.
  public var tags: some Collection<String> { records.keys.lazy.map(\.text) }

  /// The records without their tags, in the order of ``tags``.
  public var values: some Collection<FetchRecord> { records.values }

  /// Returns the records that the closure includes.
  public func filter(
    _ isIncluded: ((tag: String, record: FetchRecord)) throws -> Bool
  ) rethrows -> FetchRecords {
    var found = self
    found.records = try records.filter { try isIncluded(($0.key.text, $0.value)) }
    return found
  }
}

extension FetchRecords: Sequence {
  /// Creates an iterator over the records with their tags, in any order.
  public func makeIterator() -> some IteratorProtocol<(tag: String, record: FetchRecord)> {
    records.lazy.map { (tag: $0.key.text, record: $0.value) }.makeIterator()
  }
}

extension FetchRecords: ExpressibleByDictionaryLiteral {
  /// Creates records from a literal; of a tag that occurs twice, the last record counts.
  public init(dictionaryLiteral elements: (String, FetchRecord)...) {
    for (tag, record) in elements { self[tag] = record }
  }
}
