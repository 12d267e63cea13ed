extension Duration {
  /// Returns a number of minutes, for ages and pauses.
  ///
  /// A number that is too large becomes the longest duration.
  public static func minutes(_ minutes: Int) -> Duration { .seconds(minutes, times: 60) }

  /// Returns a number of hours, for ages and pauses.
  ///
  /// A number that is too large becomes the longest duration.
  public static func hours(_ hours: Int) -> Duration { .seconds(hours, times: 3600) }

  /// Returns a number of days of 24 hours, for ages and pauses.
  ///
  /// A number that is too large becomes the longest duration.
  public static func days(_ days: Int) -> Duration { .seconds(days, times: 86_400) }

  private static func seconds(_ count: Int, times seconds: Int) -> Duration {
    let (product, overflow) = count.multipliedReportingOverflow(by: seconds)
    return overflow ? (count < 0 ? .zero - longest : longest) : .seconds(product)
  }
}
