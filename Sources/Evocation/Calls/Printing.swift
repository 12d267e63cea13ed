// What users print is named without the modules that declare it.
extension Evocation.Configuration: PlainlyPrinted {}
extension Proxy: PlainlyPrinted {}
