// What users print is named without the modules that declare it.
extension Outbox.Delivery: PlainlyPrinted {}
extension Outbox.Delivery.Outcome: PlainlyPrinted {}
extension Outbox.Event: PlainlyPrinted {}
extension Outbox.Failure: PlainlyPrinted {}
extension Outbox.Pause: PlainlyPrinted {}
extension Outbox.Status: PlainlyPrinted {}
extension Outbox.Subject: PlainlyPrinted {}
extension Outbox.SyncState: PlainlyPrinted {}
extension Outbox.UnsentWrites: PlainlyPrinted {}
extension Together: PlainlyPrinted {}
