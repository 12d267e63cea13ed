public import Foundation

extension HTTPFormat {
  /// The form in which a service writes dates, by the name of those that write them so.
  ///
  /// ```swift
  /// format.write(dates: .postgres)
  /// ```
  ///
  /// Each form also reads ISO 8601, with `T` or a blank between day and time, with or without fractions of
  /// a second, and with an offset such as `+00`, `+0530` or `Z`.
  public enum Dates: Sendable, Hashable {
    /// `2026-11-30T18:37:13.25Z`, the default of every format, which alone does not read a date without
    /// an offset.
    case iso8601
    /// `2026-11-30 18:37:13.25+00`, as PostgreSQL writes it; without an offset in UTC.
    case postgres
    /// `2026-11-30T18:37:13.250000`, as Django writes it without time zones, in UTC.
    case django
    /// `2026-11-30T18:37:13`, without an offset, in a time zone that the service's documentation names.
    case zoneless(TimeZone)
    /// `2026-11-30`, a day, which begins at midnight in this time zone.
    case day(TimeZone)
  }

  /// Has the encoder and the decoder write and read dates in a form.
  ///
  /// It keeps the other settings of ``encoder`` and ``decoder``, so set those before. Dates in conditions
  /// are written in the same form.
  public mutating func write(dates: Dates) {
    encoder = { [encoder] in
      let encoder = encoder()
      encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(dates.text(of: date))
      }
      return encoder
    }
    decoder = { [decoder] in
      let decoder = decoder()
      decoder.dateDecodingStrategy = .custom { decoder in
        let container = try decoder.singleValueContainer()
        guard let date = dates.date(of: try container.decode(String.self)) else {
          throw DecodingError.dataCorruptedError(
            in: container, debugDescription: ISO8601Date.reason)
        }
        return date
      }
      return decoder
    }
  }
}

extension HTTPFormat.Dates {
  /// The time zone of a date without an offset; nil if there must be one.
  private var zone: TimeZone? {
    switch self {
    case .iso8601: nil
    case .postgres, .django: .gmt
    case .zoneless(let zone), .day(let zone): zone
    }
  }

  func text(of date: Date) -> String {
    switch self {
    case .iso8601, .postgres: return ISO8601Date.text(of: date)
    case .django: return String(ISO8601Date.text(of: date).dropLast())
    case .zoneless(let zone): return String(Self.text(of: date, in: zone).dropLast())
    case .day(let zone): return String(Self.text(of: date, in: zone).prefix(10))
    }
  }

  /// Returns the text of the time that clocks in a zone show, as if it were UTC.
  private static func text(of date: Date, in zone: TimeZone) -> String {
    ISO8601Date.text(of: date.addingTimeInterval(Double(zone.secondsFromGMT(for: date))))
  }

  /// Returns the date of a text, or nil for any other text.
  func date(of text: String) -> Date? {
    guard let zone else { return ISO8601Date.date(of: text) }
    var text = text.trimmingCharacters(in: .whitespaces)
    if text.utf8.count == 10 { text += "T00:00:00" }
    // Of these signs each is one character, so that places can be counted.
    guard (19...40).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || Self.signs.contains($0) })
    else { return nil }
    let middle = text.index(text.startIndex, offsetBy: 10)
    if text[middle] == " " { text.replaceSubrange(middle...middle, with: "T") }
    let time = text[middle...]
    guard !time.hasSuffix("Z") else { return ISO8601Date.date(of: text) }
    guard let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) else {
      return ISO8601Date.date(of: text + "Z").map { Self.moment(at: $0, in: zone) }
    }
    // `+00` and `+0530` are offsets, too.
    var digits = text[sign...].filter(\.isNumber)
    guard digits.count == 2 || digits.count == 4 else { return nil }
    if digits.count == 2 { digits += "00" }
    return ISO8601Date.date(
      of: text[..<sign] + "\(text[sign])\(digits.prefix(2)):\(digits.suffix(2))")
  }

  private static let signs = Set("-:.+TZ ".utf8)

  /// Returns the moment at which clocks in a zone show a time that was read as UTC.
  private static func moment(at time: Date, in zone: TimeZone) -> Date {
    let guess = time.addingTimeInterval(-Double(zone.secondsFromGMT(for: time)))
    return time.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
  }
}
