import Foundation

// Thirty models of twelve properties, as a large app has them.

enum Status: String, Codable { case open, closed, archived }

enum Kind: Int, Codable, CaseIterable { case plain, special }

struct Position: Codable {
  var latitude: Double
  var longitude: Double
}

struct Account: Codable, Identifiable, Sendable {
  var id: Int
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
}

struct Address: Codable, Identifiable, Sendable {
  var id: UUID
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
}

struct Album: Codable, Identifiable, Sendable {
  var id: String
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
}

struct Article: Codable, Identifiable, Sendable {
  var id: Int64
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
}

struct Attachment: Codable, Identifiable, Sendable {
  var id: Int
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
}

struct Author: Codable, Identifiable, Sendable {
  var id: UUID
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
}

struct Booking: Codable, Identifiable, Sendable {
  var id: String
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
}

struct Brand: Codable, Identifiable, Sendable {
  var id: Int64
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
}

struct Category: Codable, Identifiable, Sendable {
  var id: Int
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
}

struct Channel: Codable, Identifiable, Sendable {
  var id: UUID
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
}

struct Comment: Codable, Identifiable, Sendable {
  var id: String
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
}

struct Contact: Codable, Identifiable, Sendable {
  var id: Int64
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
}

struct Coupon: Codable, Identifiable, Sendable {
  var id: Int
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
}

struct Customer: Codable, Identifiable, Sendable {
  var id: UUID
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
}

struct Delivery: Codable, Identifiable, Sendable {
  var id: String
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
}

struct Device: Codable, Identifiable, Sendable {
  var id: Int64
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
}

struct Document: Codable, Identifiable, Sendable {
  var id: Int
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
}

struct Employee: Codable, Identifiable, Sendable {
  var id: UUID
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
}

struct Event: Codable, Identifiable, Sendable {
  var id: String
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
}

struct Invoice: Codable, Identifiable, Sendable {
  var id: Int64
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
}

struct Message: Codable, Identifiable, Sendable {
  var id: Int
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
}

struct Note: Codable, Identifiable, Sendable {
  var id: UUID
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
}

struct Order: Codable, Identifiable, Sendable {
  var id: String
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
}

struct Payment: Codable, Identifiable, Sendable {
  var id: Int64
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
}

struct Place: Codable, Identifiable, Sendable {
  var id: Int
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
}

struct Playlist: Codable, Identifiable, Sendable {
  var id: UUID
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
  var code: String
  var amount: Double
}

struct Product: Codable, Identifiable, Sendable {
  var id: String
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
  var title: String
  var status: Status
}

struct Project: Codable, Identifiable, Sendable {
  var id: Int64
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
  var createdAt: Date
  var position: Position?
}

struct Review: Codable, Identifiable, Sendable {
  var id: Int
  var code: String
  var amount: Double
  var website: URL?
  var summary: String
  var name: String
  var updatedAt: Date?
  var rating: Double?
  var image: URL?
  var count: Int
  var price: Decimal
  var isHidden: Bool
}

struct Ticket: Codable, Identifiable, Sendable {
  var id: UUID
  var title: String
  var status: Status
  var kind: Kind
  var language: String?
  var isActive: Bool
  var owner: UUID?
  var parent: Int?
  var note: String?
  var tags: [String]
  var rank: Int
  var weight: Double
}
