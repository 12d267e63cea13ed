expression(
    "A condition of order never holds for null", "Criteria.Comparison.holds",
    "scalar != .null && value != .null", "value != .null", "CriteriaMatchingTests")
expression(
    "Whole numbers and fractions are compared without rounding", "NumberOrder.whole",
    "floor == right ? .same : .less", ".same", "ScalarOrderTests")
expression(
    "Texts of the same letters and other bytes are different", "ScalarOrder.of",
    "case (.text(let left), .text(let right)): return «bytes(left, right)»", "comparing(left, right)",
    "CriteriaIdentityTests")
expression(
    "Models that are equal in a descending order come by ascending ids", "SortKey.precedes",
    "id < other.id", "order.last?.descending == true ? other.id < id : id < other.id",
    "CriteriaSelectionTests")
expression(
    "A page begins behind its cursor, and not at it", "Criteria.selectInOrder",
    "!(start.id < id(entry))", "id(entry) < start.id", "CriteriaSelectionTests")
expression(
    "Criteria that nest too deeply are an error, and never the end of the process", "Criteria.checkLevels",
    "!areTooDeep", "true", "CriteriaDepthTests")
expression(
    "An error names the nearest key that the model has", "ModelSchema.nearest",
    "($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)",
    "($0.element.distance, $0.offset) > ($1.element.distance, $1.offset)", "CriteriaResolutionTests")
expression(
    "The schema makes no value of a struct past its init", "SchemaProbe.plainCases",
    "Mirror(reflecting: first).displayStyle == .enum", "true", "ModelSchemaTests")
statement(
    "A model has a column for each key that any of its values has", "SchemaProbe.vary",
    "first.recorder.join(other.recorder, isWhole: other.isSuccess)", "", "SchemaShapesTests")
expression(
    "The id of a model is what it encodes, under whatever key", "IdentitySearch.effect",
    "coded.field(under: $0) == id", "true", "ModelIdentityTests")
expression(
    "A key that an answer left out keeps what local has", "Rebasing.completed",
    "!different.isEmpty", "false", "AbsentKeysTests")
expression(
    "Absent keys are known by place of the answer's own models only", "Array.isSame",
    "left.count == right.count && left.baseAddress == right.baseAddress", "left.count == right.count",
    "UnsaidKeysTests")
expression(
    "A model is completed by the state of its own", "UnsaidKeys.completed",
    "let place = «places[index]»", "index", "UnsaidKeysTests")
statement(
    "The pages of a refresh in memory are whole before the transaction ends", "InMemoryListStore.commit",
    "try write.sparingUnsent(in: $0).holdingPages()", "try write.sparingUnsent(in: $0)",
    "AbsentKeysTests")
expression(
    "A removal of a summary is no conflict with what no answer had", "Outbox.Entry.filled",
    "note?.unsaid ?? []", "[]", "AbsentKeysTests")
expression(
    "What an earlier answer had is not unsaid by a summary", "OutboxTransaction.leave",
    "try known(of: model) != nil || hasUnreadable(model)", "false", "AbsentKeysTests")
expression(
    "A property that no answer could spare is refused", "Proxy.localKeys",
    "wiring.hasRemote", "false", "AbsentKeysTests")
expression(
    "The key id is the id only if the id follows what stands there", "IdentitySearch.identity",
    "Field(read: other.id) == coded?[\"id\"]", "true", "ModelIdentityTests")
expression(
    "A store in memory refuses an id that comes twice in one call", "Array.repeatedIDs",
    "isThere(id) || !isNew", "isThere(id)", "InMemoryRepositoryTests")
expression(
    "A mirror that a limit may have cut removes nothing", "InMemoryRepository.mirror",
    "criteria.isEnded(by: models.count)", "true", "PartialAnswerTests")
expression(
    "A commit in memory copies no models", "InMemoryRepository.apply",
    "edits.apply(to: &shared.models)",
    "{ () -> StoreChanges<Model> in var copy = shared.models; let all = edits.apply(to: &copy); "
    "shared.models = copy; return all }()",
    "InMemoryCommitTests")
expression(
    "Criteria with a decimal that is not a number are read again", "ScalarKind.scalar",
    "text == Decimal.nan.description", "false", "CriteriaCodableTests")
expression(
    "A list of values has one tag in every order", "Predicate.ascii",
    "Self.sorted(values)", "values", "CriteriaIdentityTests")
expression(
    "A list of values is the same in every order", "Predicate.identity",
    ".isIn(key, Set(values))", ".isIn(key, Set(values.prefix(1)))", "CriteriaIdentityTests")
expression(
    "The order of joined terms makes no other criteria", "Predicate.sortedText",
    "case .all: \"{\\\"all\\\":[\\(«parts.sorted()»", "parts", "CriteriaIdentityTests")
expression(
    "A computed property is no key, however harmless it looks", "CodedPath.found",
    "proof.isNeedless || proof.holds(for: candidate)", "true", "KeyPathProofTests")
expression(
    "Composed and decomposed letters are the same without case", "Criteria.CompareOptions.folded",
    "text.precomposedStringWithCanonicalMapping.folding(options: options, locale: nil)",
    "text.folding(options: options, locale: nil)", "CompareOptionsTests")
expression(
    "Text is compared by the criteria's options", "Criteria.Predicate.holds",
    "comparison.holds(options.folded(text), other)", "comparison.holds(text, other)",
    "CompareOptionsTests")
expression(
    "What is not finite in a dictionary is the text that JSON has for it", "Scalar.inJSON",
    "!value.isFinite", "false", "ModelShapesTests")
expression(
    "A key path of an object is its coding key", "WholeProperty.name",
    "if isVaried, isSame, «isStored» {", "false", "WholePropertyTests")
expression(
    "A key path has no key whose value another model has under it", "WholeProperty.name",
    "others.allSatisfy({ $0.coded.value(under: candidate.path) == $0.read })", "true", "WholePropertyTests")
expression(
    "A property is known by its name only where no model has another value there", "CodedPath.named",
    "isCoded && isSame", "isCoded", "WholePropertyTests")
statement(
    "Each case of an enum with payloads may have keys of its own", "SchemaProbe.varyKeys",
    "if first.isSuccess { first.others.append(value) } else { first = other }", "", "WholePropertyTests")
expression(
    "An id that a type reads from whatever it does not know is the value that it encodes", "ModelIdentity.scalars",
    "(try? FieldEncoder.fields(of: model))?.field(under: path) == .scalar(candidate)", "true", "ModelIdentityTests")
