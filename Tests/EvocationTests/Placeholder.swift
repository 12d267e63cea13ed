import Evocation
import Foundation
import Testing

@Test func `criteria are written as a reader would say them`() {
  let owner: String? = "x"
  let id = UUID()
  let a: Criteria = ["year": 2002, "owner": nil, "id": id, "o": owner]
  #expect(a["id"] as? UUID == id)
  let b: Criteria = Criteria.Key("year") >= 2000 && !Criteria.Key("model").hasPrefix("B")
  let c =
    Criteria.Key("owner") == nil || Criteria.Key("owner") == "x" || Criteria.Key("a").in([1, 2])
  #expect(b != c)
  #expect(a["year"] as? Int == 2002)
  func take(_ c: Criteria? = nil) {}
  take(["year": 2002])
  take(Criteria.Key("year") != 3)
}
