internal import Foundation

/// The records of fetches of one model type, and which of them have all that criteria ask for.
///
/// What was asked for is read from a record once, when the record becomes known; so the date of an
/// answer is found without decoding, and without a look at its models.
struct FetchIndex: Sendable {
  typealias Conditions = Set<Criteria.Predicate>

  private var records: FetchRecords = [:]
  /// The tags of the fetches of all models that fit these conditions.
  private var tags: [Conditions: Set<ByteText>] = [:]
  private var conditions: [ByteText: Conditions] = [:]

  /// Every choice is looked for of so many conditions; of more only each by itself.
  private static var mostConditions: Int { 6 }

  init(_ records: FetchRecords = [:]) {
    for (tag, record) in records { set(record, for: tag) }
  }

  /// Reads records where nobody waits for the thread.
  @concurrent
  static func reading(_ records: FetchRecords) async -> FetchIndex { FetchIndex(records) }

  var isEmpty: Bool { records.isEmpty }

  subscript(tag: String) -> FetchRecord? { records[tag] }

  /// Puts a record in place of the one that is there; nil takes it away.
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

  /// The fetches of all models that fit some of these conditions, and so of all that fit them together.
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

  /// The conditions by which a record's models were fetched; nil where it is not known that the fetch
  /// has all of them.
  private static func conditions(of record: FetchRecord) -> Conditions? {
    guard record.pages == nil, let requirements = record.requirements,
      let criteria = try? JSONDecoder().decode(Criteria.self, from: requirements),
      criteria.offset == 0, criteria.cursor == nil
    else { return nil }
    let conditions = Conditions(criteria.predicate?.conjuncts ?? [])
    // A limit cuts nothing off where the id is given.
    let isOne = conditions.contains {
      if case .comparison("id", .equal, _) = $0 { true } else { false }
    }
    return criteria.limit == nil || isOne ? conditions : nil
  }
}
