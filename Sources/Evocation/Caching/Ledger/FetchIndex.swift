internal import Foundation

/// The records of one model type's fetches, and which of them cover given criteria.
///
/// The criteria are read from a record once, when the record becomes known. So the date of a read
/// is found without decoding, and without reading the fetched models.
struct FetchIndex: Sendable {
  typealias Conditions = Set<Criteria.Predicate>

  private(set) var records: FetchRecords = [:]
  /// The tags of the fetches that have all models that match these conditions.
  private var tags: [Conditions: Set<ByteText>] = [:]
  private var conditions: [ByteText: Conditions] = [:]

  /// Up to this many conditions, every subset of them is looked up; of more, only each one alone.
  private static var mostConditions: Int { 6 }

  init(_ records: FetchRecords = [:]) {
    for (tag, record) in records { set(record, for: tag) }
  }

  /// Indexes records on another thread, where no caller waits for it.
  @concurrent
  static func reading(_ records: FetchRecords) async -> FetchIndex { FetchIndex(records) }

  var isEmpty: Bool { records.isEmpty }

  subscript(tag: String) -> FetchRecord? { records[tag] }

  /// Replaces the record of a tag; nil removes it.
  mutating func set(_ record: FetchRecord?, for tag: String) {
    let (old, key) = (records[tag], ByteText(tag))
    records[tag] = record
    let isSame =
      old?.requirements == record?.requirements && (old?.pages == nil) == (record?.pages == nil)
    guard !isSame else { return }
    if let known = conditions.removeValue(forKey: key) {
      tags[known]?.remove(key)
      if tags[known]?.isEmpty == true { tags[known] = nil }
    }
    guard let record, let new = Self.conditions(of: record) else { return }
    conditions[key] = new
    tags[new, default: []].insert(key)
  }

  /// The fetches of all models that match some of these conditions, and so of all that match all of
  /// them.
  func fetches(within predicate: Criteria.Predicate?) -> [FetchRecord] {
    if tags.isEmpty { return [] }
    let asked = Conditions(predicate?.conjuncts ?? [])
    let isFew = asked.count <= Self.mostConditions
    let found: [Set<ByteText>] =
      if tags.count <= 1 << Self.mostConditions {
        tags.filter { $0.key.isSubset(of: asked) }.map(\.value)
      } else {
        (isFew ? Self.choices(of: asked) : [[], asked] + asked.map { [$0] }).compactMap { tags[$0] }
      }
    return found.joined().compactMap { records[$0.text] }
  }

  private static func choices(of asked: Conditions) -> [Conditions] {
    asked.reduce(into: [[]]) { choices, condition in
      choices += choices.map { $0.union([condition]) }
    }
  }

  /// The conditions of a record's fetch; nil where the fetch may not have all models that match
  /// them.
  private static func conditions(of record: FetchRecord) -> Conditions? {
    guard record.pages == nil, let requirements = record.requirements,
      let criteria = try? JSONDecoder().decode(Criteria.self, from: requirements),
      criteria.offset == 0, criteria.cursor == nil
    else { return nil }
    let conditions = Conditions(criteria.predicate?.conjuncts ?? [])
    // A limit removes nothing where the conditions give the id.
    let isOne = conditions.contains {
      if case .comparison("id", .equal, _) = $0 { true } else { false }
    }
    return criteria.limit == nil || isOne ? conditions : nil
  }
}
