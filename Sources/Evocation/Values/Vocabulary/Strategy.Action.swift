extension Strategy {
  /// The actions that have a rule; `storeOrUpdate` uses the rule for `store`.
  public enum Action: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// Reading all models that match.
    case find
    /// Reading the first model that matches.
    case findOne
    /// Adding models.
    case store
    /// Adding one model.
    case storeOne
    /// Changing models.
    case update
    /// Changing one model.
    case updateOne
    /// Removing models.
    case remove
    /// Removing one model.
    case removeOne

    /// Whether the action only reads.
    public var isRead: Bool { self == .find || self == .findOne }

    /// Whether the action removes models.
    public var isRemoval: Bool { self == .remove || self == .removeOne }

    /// Whether the action changes only models that are there.
    package var isUpdate: Bool { self == .update || self == .updateOne }

    var index: Int {
      switch self {
      case .find: 0
      case .findOne: 1
      case .store: 2
      case .storeOne: 3
      case .update: 4
      case .updateOne: 5
      case .remove: 6
      case .removeOne: 7
      }
    }
  }
}
