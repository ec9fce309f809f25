// The day on which tests run (`npm test -- --on 2028-02-29`): moves the Date of this process. Imported first where there is one.
import { isDay, startOfDay } from '#kit/time.ts'

/** Where a process is told of it: its own text, so that programs that a test starts stand in the same moment. */
const MOVED = 'TEST_CLOCK_MOVED_MS'
/** A day without a time begins with work. */
const MORNING_MS = 10 * 3_600_000
const MINUTE_MS = 60_000

const SystemDate = Date
let byMs = Number(process.env[MOVED] ?? 0)

/** How far the Date of this process stands from the system's, in ms. */
export const movedMs = (): number => byMs

/** From here on it is this moment, and goes on from there. */
export function moveTo(moment: Date): void {
  byMs = moment.getTime() - SystemDate.now()
  process.env[MOVED] = String(byMs)
  globalThis.Date = MovedDate
  SystemDate.prototype.constructor = MovedDate
}

const MovedDate: DateConstructor = new Proxy(SystemDate, {
  construct: (target, values, self) =>
    values.length === 0
      ? new target(target.now() + byMs)
      : Reflect.construct(target, values, self === MovedDate ? target : self),
  apply: target => new target(target.now() + byMs).toString(),
  get: (target, key) => (key === 'now' ? () => target.now() + byMs : Reflect.get(target, key, target)),
})

/** The moment of Shanghai that `--on` names: "2026-11-28", which is its morning, or "2026-12-31 23:50". */
export function momentOf(text: string): Date {
  const [day = '', time, ...more] = text.split(' ')
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time ?? '10:00') ?? []
  if (!isDay(day) || minutes === undefined || more.length > 0)
    throw new Error(
      `--on takes a day or a minute of Shanghai, as 2026-11-28 or "2026-12-31 23:50", not "${text}".`,
    )
  const inDay = time === undefined ? MORNING_MS : (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return new SystemDate(startOfDay(day).getTime() + inDay)
}

if (byMs !== 0) moveTo(new SystemDate(SystemDate.now() + byMs))
