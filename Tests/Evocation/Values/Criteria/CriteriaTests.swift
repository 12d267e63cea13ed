import Evocation
import Foundation
import Testing

@Suite struct CriteriaTests {
  @Test func `criteria are written as a reader would say them`() {
    let owner: String? = "x"
    let id = UUID()
    let mine: Criteria = ["year": 2002, "owner": nil, "id": id, "o": owner]
    let key = Criteria.Key("owner")
    let late: Criteria = Criteria.Key("year") >= 2000 && !Criteria.Key("model").hasPrefix("B")
    #expect(late != (key == nil || key == "x" || Criteria.Key("a").in([1, 2])))
    #expect(mine["year"] as? Int == 2002)
    #expect(mine["id"] as? UUID == id)
    #expect(Criteria() == Criteria(nil, order: []))
  }

  private enum Color: String, CriteriaValue { case red }

  /// What a repository finds that walks the criteria.
  private func original(_ value: (any CriteriaValue)?) -> (any CriteriaValue)? {
    let criteria: Criteria = ["key": value]
    guard case .comparison("key", .equal, let operand)? = criteria.predicate else { return nil }
    return operand.original
  }

  @Test func `a repository that walks criteria finds the values as they were given`() {
    #expect(original(Int8(7)) as? Int8 == 7)
    #expect(original(Color.red) as? Color == .red)
    #expect(original("red") as? String == "red")
    #expect(original(nil) == nil)
    #expect(Criteria.Operand(Criteria.Scalar.integer(7)).original as? Int == 7)
    #expect(Criteria.Operand(Criteria.Scalar.null).original == nil)
  }

  @Test(arguments: [
    (Criteria.Scalar.bool(true), "Bool"), (.integer(7), "Int"), (.unsigned(.max), "UInt64"),
    (.real(1.5), "Double"), (.decimal(2.5), "Decimal"), (.text("a"), "String"),
    (.date(Date(timeIntervalSinceReferenceDate: 1)), "Date"), (.uuid(UUID()), "UUID"),
    (.data(Data([1])), "Data"), (.url(URL(filePath: "/a")), "URL"),
  ])
  func `a value is had as the plainest type that holds it`(
    _ scalar: Criteria.Scalar, _ type: String
  ) throws {
    let value = try #require(scalar.canonical)
    #expect("\(Swift.type(of: value))" == type)
    #expect(value.criteriaValue == scalar)
  }

  @Test func `null is no value of any type`() {
    #expect(Criteria.Scalar.null.canonical == nil)
  }
}
