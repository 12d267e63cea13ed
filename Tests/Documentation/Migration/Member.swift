/// The model of the samples for those who come from StoreFlowable.
struct Member: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var name: String
}

typealias MemberStore = KeptValues<Member>
