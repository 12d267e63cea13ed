import Evocation
import Foundation

extension QueryWriter {
  func order(
    _ sort: Criteria.Sort, isAdded: Bool = false
  ) throws -> HTTPFilters.Order {
    let (path, name) = try path(of: sort.key)
    return HTTPFilters.Order(
      path: path, name: name, isIdentifier: sort.key == identifierKey, descending: sort.descending,
      isAdded: isAdded)
  }

  func ordering(_ order: [Criteria.Sort]) throws -> [URLQueryItem] {
    for key in order.map(\.key) {
      guard !parameters.contains(key), filters.orders?.contains(key) != false else {
        throw HTTPError.unsupported("it cannot sort by \"\(key)\"")
      }
      guard !isNumericID(key) else {
        throw HTTPError.unsupported("it sorts \"\(key)\" as a number, and models have it as a text")
      }
    }
    var keys = try order.map { try self.order($0) }
    if filters.ordersByIdentifier, !order.contains(where: { $0.key == identifierKey }) {
      keys.append(try self.order(Criteria.Sort(identifierKey), isAdded: true))
    }
    guard !keys.isEmpty else { return [] }
    guard let ordering = filters.order else { throw HTTPError.unsupported("it has no order") }
    return try ordering.items(keys)
  }

  func part(limit: Int?, offset: Int) throws -> HTTPQuery {
    switch filters.paging {
    case .offset(let limitName, let offsetName):
      return HTTPQuery(
        items: [
          limit.map { item(limitName, $0) }, offset > 0 ? item(offsetName, offset) : nil,
        ].compactMap(\.self))
    case .page(let number, let size, let first):
      if limit == 0, let size { return HTTPQuery(items: [item(size, 0)]) }
      guard let limit, limit > 0 else {
        guard offset == 0 else {
          throw HTTPError.unsupported("it counts pages, and the criteria have no limit")
        }
        return HTTPQuery()
      }
      guard offset % limit == 0 else {
        throw HTTPError.unsupported("it counts pages of \(limit), and \(offset) is not whole pages")
      }
      let page = first.addingReportingOverflow(offset / limit).partialValue
      return HTTPQuery(items: [item(number, page)] + (size.map { [item($0, limit)] } ?? []))
    case .range(let unit):
      guard limit != nil || offset > 0 else { return HTTPQuery() }
      let (last, isOver) = offset.addingReportingOverflow(max(1, limit ?? Int.max) - 1)
      let end = isOver || limit == nil ? "" : String(last)
      return HTTPQuery(range: "\(unit.map { "\($0)=" } ?? "")\(offset)-\(end)")
    case .limit(let name):
      guard offset == 0 else { throw HTTPError.unsupported("it has no offset") }
      return HTTPQuery(items: limit.map { [item(name, $0)] } ?? [])
    case .items(let items): return HTTPQuery(items: try items(limit, offset))
    }
  }

  private func item(_ name: String, _ value: Int) -> URLQueryItem {
    URLQueryItem(name: name, value: String(value))
  }

  func following(_ cursor: Criteria.Cursor) throws -> URLQueryItem {
    guard let name = filters.after else {
      throw HTTPError.unsupported("it has no way to continue after a model")
    }
    guard cursor.id.count == 1, let id = cursor.id.first, let text = text.text(of: id) else {
      throw HTTPError.unsupported("its \"after\" takes a cursor whose id is one value")
    }
    return URLQueryItem(name: name, value: text)
  }
}

extension HTTPFilters.Paging {
  /// The names of its items.
  var names: [String] {
    switch self {
    case .offset(let limit, let offset): [limit, offset]
    case .page(let number, let size, _): [number, size ?? number]
    case .limit(let limit): [limit]
    case .range: []
    case .items(let items): ((try? items(1, 1)) ?? []).map(\.name)
    }
  }
}
