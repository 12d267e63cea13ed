import Evocation
import Testing

@testable import CoreSupport
@testable import EvocationValues

/// How often a tag is made.
@Suite struct CriteriaTagTests {
  private let key = Criteria.Key("id")

  @Test func `a tag of a long list is made once, for all copies of the criteria`() {
    let long = key.in(0..<1000)
    let copy = long
    #expect(!copy.keptTag.isMade)
    let tag = long.tag
    #expect(copy.keptTag.isMade && copy.tag == tag)
    #expect(tag == key.in((0..<1000).reversed()).tag)
    for nested in [!long, long && key == 1, long || !(key == 1 && long)] {
      #expect(nested.tag.contains("999") && nested.keptTag.isMade)
    }
  }

  @Test func `a short tag is not kept, because making it costs less`() {
    let short = key.in([1, 2])
    #expect(short.tag == short.tag && !short.keptTag.isMade)
  }

  @Test func `criteria that were changed have a tag of their own`() {
    let long = key.in(0..<1000)
    let tag = long.tag
    var changed: [Criteria] = [
      long.limit(1), long.offset(2), long.sorted(by: key),
      long.after(.init(values: [], id: [.null])),
    ]
    var other = long
    other.predicate = key.in(0..<999).predicate
    changed.append(other)
    #expect(Set(changed.map(\.tag) + [tag]).count == 6 && long.tag == tag)
    for criteria in changed {
      let same = Criteria(
        criteria.predicate, order: criteria.order, limit: criteria.limit, offset: criteria.offset,
        cursor: criteria.cursor)
      #expect(criteria.tag == same.tag)
    }
  }

  @Test func `whether a tag was made changes neither what is equal nor the text`() {
    let (asked, fresh) = (key.in(0..<100), key.in(0..<100))
    _ = asked.tag
    #expect(asked == fresh && asked.hashValue == fresh.hashValue)
    #expect("\(asked)" == "\(fresh)" && !"\(asked)".contains("keptTag"))
  }
}
