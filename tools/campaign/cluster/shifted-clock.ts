// Loaded before everything else in each thread of a process (NODE_OPTIONS): its wall clock says CLOCK_SHIFT_MS more.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0)
const trueNow = Date.now.bind(Date)
const shiftedNow = (): number => trueNow() + shiftMs

Date.now = shiftedNow
globalThis.Date = new Proxy(Date, {
  construct: (date, args: unknown[], made) =>
    Reflect.construct(date, args.length === 0 ? [shiftedNow()] : args, made) as Date,
  apply: (date) => new date(shiftedNow()).toString(),
})
