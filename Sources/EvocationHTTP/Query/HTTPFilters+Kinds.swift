extension HTTPFilters {
  /// Operators in brackets, the default: `year[gte]=1980`, `sort=-year`, `limit=20`.
  public static let brackets = HTTPFilters(
    "{key}[{op}]={value}",
    operators: words,
    items: [
      .equal: "{key}={value}", .isNull: "{key}[null]=true", .isNotNull: "{key}[null]=false",
    ],
    after: "after"
  )

  /// Operators behind the key, after Django: `year__gte=1980`, `ordering=-year`.
  ///
  /// Django has no operator for *not equal*, passes over what is compared with an empty text, and
  /// its lists cannot hold a comma.
  public static let suffixes = HTTPFilters(
    "{key}__{op}={value}",
    operators: [
      .less: "lt", .lessOrEqual: "lte", .greater: "gt", .greaterOrEqual: "gte", .isIn: "in",
      .hasPrefix: "startswith", .contains: "contains",
    ],
    items: [
      .equal: "{key}={value}", .isNull: "{key}__isnull=true", .isNotNull: "{key}__isnull=false",
    ],
    list: .separated(","),
    texts: .filled,
    separator: "__",
    sort: Sort(name: "ordering"),
    reserved: ["search"]
  )

  /// Operators before the key, after Kinto: `min_year=1980`, `_sort=-year,id`, `_limit=20`.
  ///
  /// Null is a value there, which routes that write nulls send. Where nil is left out instead, it
  /// is `items[.isNull] = "has_{key}=false"` and `items[.isNotNull] = "has_{key}=true"`.
  public static let prefixes = HTTPFilters(
    "{op}_{key}={value}",
    operators: [
      .notEqual: "not", .less: "lt", .lessOrEqual: "max", .greater: "gt", .greaterOrEqual: "min",
      .isIn: "in",
    ],
    items: [
      .equal: "{key}={value}", .isNull: "{key}=null", .isNotNull: "not_{key}=null",
    ],
    list: .separated(","),
    texts: .json,
    sort: Sort(name: "_sort", identifier: "{key}"),
    paging: .limit("_limit"),
    reserved: ["_since", "_before", "_to", "_token", "_fields"]
  )

  /// Operators before the value, after PostgREST and Supabase: `year=gte.1980`,
  /// `or=(year.lt.1970,origin.eq.Japan)`, `order=year.desc`.
  public static let postgREST = HTTPFilters(
    "{key}={op}.{value}",
    operators: [
      .equal: "eq", .notEqual: "isdistinct", .less: "lt", .lessOrEqual: "lte", .greater: "gt",
      .greaterOrEqual: "gte", .isIn: "in",
    ],
    items: [
      .isNull: "{key}=is.null", .isNotNull: "{key}=not.is.null", .hasPrefix: "{key}=like.{like}*",
      .contains: "{key}=like.*{like}*",
    ],
    list: .parentheses,
    groups: Groups(item: "{key}.{op}.{value}", negated: "{key}.not.{op}.{value}"),
    separator: "->",
    textSeparator: "->>",
    sort: Sort(
      name: "order", ascending: "{key}.asc.nullsfirst", descending: "{key}.desc.nullslast",
      identifier: "{key}"
    ),
    reserved: ["select", "columns", "on_conflict", "not.and", "not.or"]
  )

  private static let words: [Operator: String] = [
    .notEqual: "ne", .less: "lt", .lessOrEqual: "lte", .greater: "gt", .greaterOrEqual: "gte",
    .isIn: "in", .between: "between", .hasPrefix: "prefix", .contains: "contains",
  ]
}
