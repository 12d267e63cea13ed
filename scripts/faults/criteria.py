MATCHING = "Sources/Evocation/Criteria/Criteria.Predicate+Matching.swift"
SELECTION = "Sources/Evocation/Criteria/Criteria+Selection.swift"
ORDER = "Sources/Evocation/Criteria/ScalarOrder.swift"
NUMBERS = "Sources/Evocation/Criteria/NumberOrder.swift"

expression(
    "what is compared with null may be less than it", MATCHING,
    "scalar != .null, value != .null", "value != .null",
    "EvocationTests.CriteriaMatchingTests")
expression(
    "between leaves its upper end out", MATCHING,
    "Criteria.Comparison.lessOrEqual.holds(field, upper)",
    "Criteria.Comparison.less.holds(field, upper)",
    "EvocationTests.CriteriaMatchingTests")
expression(
    "the model at the cursor comes again", SELECTION,
    "!(place.id < id(entry))", "id(entry) < place.id",
    "EvocationTests.CriteriaSelectionTests")
expression(
    "an offset skips one model too few behind a condition", SELECTION,
    "skipped <= offset", "skipped < offset",
    "EvocationTests.CriteriaSelectionTests")
expression(
    "NaN is less than all other numbers", ORDER,
    "return «comparing(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)»",
    "comparing(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)",
    "EvocationTests.ScalarOrderTests")
expression(
    "a whole number is rounded when it is compared with a fraction", NUMBERS,
    "if left == whole { return «floor == right ? .same : .less» }", ".same",
    "EvocationTests.ScalarOrderTests")
expression(
    "equal numbers of different types have different hashes",
    "Sources/Evocation/Criteria/Criteria.Scalar+Hash.swift",
    "case .bool(let value): hasher.combine(«value ? Int64(1) : 0»)", "value ? Int64(1) : 2",
    "EvocationTests.ScalarOrderTests")
expression(
    "ids decide among equals in the direction of the order",
    "Sources/Evocation/Criteria/ModelPlace.swift",
    "return «id < other.id»", "order.last?.descending == true ? other.id < id : id < other.id",
    "EvocationTests.CriteriaSelectionTests")
expression(
    "a cursor of another order is taken",
    "Sources/Evocation/Criteria/Criteria+Resolution.swift",
    "values.count == places.count, !id.isEmpty", "!id.isEmpty",
    "EvocationTests.CriteriaResolutionTests")
