MATCHING = "Sources/Evocation/Matching/Criteria.Predicate+Matching.swift"
SELECTION = "Sources/Evocation/Matching/Criteria+Selection.swift"
ORDER = "Sources/Evocation/Criteria/ScalarOrder.swift"
NUMBERS = "Sources/Evocation/Criteria/NumberOrder.swift"

expression(
    "what is compared with null may be less than it", MATCHING,
    "scalar != .null && value != .null", "value != .null",
    "ValuesTests.CriteriaMatchingTests")
expression(
    "between leaves its upper end out", MATCHING,
    "Criteria.Comparison.lessOrEqual.holds(field, upper)",
    "Criteria.Comparison.less.holds(field, upper)",
    "ValuesTests.CriteriaMatchingTests")
expression(
    "the model at the cursor comes again", SELECTION,
    "!(start.id < id(entry))", "id(entry) < start.id",
    "ValuesTests.CriteriaSelectionTests")
expression(
    "an offset skips one model too few behind a condition", SELECTION,
    "skipped <= offset", "skipped < offset",
    "ValuesTests.CriteriaSelectionTests")
expression(
    "NaN is less than all other numbers", ORDER,
    "return «comparing(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)»",
    "comparing(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)",
    "ValuesTests.ScalarOrderTests")
expression(
    "a whole number is rounded when it is compared with a fraction", NUMBERS,
    "if left == whole { return «floor == right ? .same : .less» }", ".same",
    "ValuesTests.ScalarOrderTests")
expression(
    "equal numbers of different types have different hashes",
    ORDER,
    "case .integer(let value): hasher.combine(«value»)", "value &+ 1",
    "ValuesTests.ScalarOrderTests")
expression(
    "ids decide among equals in the direction of the order",
    "Sources/Evocation/Matching/Criteria+Selection.swift",
    "return «id < other.id»", "order.last?.descending == true ? other.id < id : id < other.id",
    "ValuesTests.CriteriaSelectionTests")
expression(
    "a cursor of another order is taken",
    "Sources/Evocation/Matching/Criteria+Cursor.swift",
    "«values.count == targets.count», !id.isEmpty", "true",
    "ValuesTests.CriteriaResolutionTests")
expression(
    "criteria that nest too deeply are looked through",
    "Sources/Evocation/Criteria/Criteria.Predicate+Levels.swift",
    "guard «levels <= Self.mostLevels» else", "true",
    "ValuesTests.CriteriaDepthTests")
expression(
    "criteria that are too deep go on growing",
    "Sources/Evocation/Criteria/Criteria+Operators.swift",
    "guard «levels <= most» else", "true",
    "ValuesTests.CriteriaDepthTests")
expression(
    "texts of the same letters and other bytes are the same question",
    ORDER, "case (.text(let left), .text(let right)): return «bytes(left, right)»",
    "comparing(left, right)",
    "ValuesTests.CriteriaIdentityTests")
expression(
    "tags hold letters that have several spellings",
    "Sources/Evocation/Caching/Sources/CacheRequirements.swift",
    "return «text.utf8.allSatisfy { $0 < 0x80 } ? text : text.escaped»", "text",
    "ValuesTests.CriteriaIdentityTests")
expression(
    "criteria are written that nobody can read, because they nest too deeply",
    "Sources/Evocation/Criteria/Criteria.Predicate+Codable.swift",
    "guard «levels <= Criteria.mostCodedLevels» else", "true",
    "ValuesTests.CriteriaDepthTests")
