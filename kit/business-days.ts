// Days on which people work: Monday to Friday, but for holidays, and days at weekends that make up for them. Pure; days are
// YYYY-MM-DD of Asia/Shanghai.
import { addDays } from './time.ts'

export const DAY_KINDS = { holiday: '节假日', workday: '调休上班' } as const
export type DayKind = keyof typeof DAY_KINDS

/** What differs from the week, by its day. */
export type Calendar = ReadonlyMap<string, DayKind>

export function isBusinessDay(day: string, calendar: Calendar): boolean {
  const kind = calendar.get(day)
  if (kind) return kind === 'workday'
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6
}

/** The longest stretch of days without work that a calendar can make of a year: looked no further. */
const FURTHEST = 366

/** The day on which so many business days after another have passed: what is promised within two of them ends with it. */
export function businessDaysAfter(day: string, count: number, calendar: Calendar): string {
  let at = day
  let left = count
  for (let looked = 0; left > 0 && looked < FURTHEST; looked++) {
    at = addDays(at, 1)
    if (isBusinessDay(at, calendar)) left--
  }
  return at
}
