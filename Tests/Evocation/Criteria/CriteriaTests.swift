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
}
