// Instants are ISO text in UTC; people see Asia/Shanghai (UTC+8 all year), and "today" is that zone's day.
const ZONE_OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

/** Whether a text is a day that there is: YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** "2026-11-20 08:00:00" in Asia/Shanghai. */
export function formatInstant(instant: string | Date): string {
  return shifted(instant).toISOString().slice(0, 19).replace('T', ' ')
}

/** "2026-11-20 08:00" in Asia/Shanghai. */
export const formatMinute = (instant: string | Date): string => formatInstant(instant).slice(0, 16)

/** "2026-11-20" in Asia/Shanghai. */
export function formatDay(instant: string | Date): string {
  return shifted(instant).toISOString().slice(0, 10)
}

/** First instant of a Shanghai day given as YYYY-MM-DD. */
export function startOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - ZONE_OFFSET_MS)
}

/** First instant after a Shanghai day given as YYYY-MM-DD. */
export function endOfDay(day: string): Date {
  return new Date(startOfDay(day).getTime() + DAY_MS)
}

/** A Shanghai day moved by whole days. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The day of the month in Asia/Shanghai, 1 to 31. */
export function dayOfMonth(instant: string | Date): number {
  return shifted(instant).getUTCDate()
}

/**
 * The instant `months` calendar months later in Asia/Shanghai, on `day` of the month, by default its own; the 31st becomes the last
 * day of a shorter month.
 */
export function addMonths(instant: string | Date, months: number, day = dayOfMonth(instant)): Date {
  const local = shifted(instant)
  const target = new Date(local)
  target.setUTCDate(1)
  target.setUTCMonth(target.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate()
  target.setUTCDate(Math.min(day, lastDay))
  return new Date(target.getTime() - ZONE_OFFSET_MS)
}

/** Whole days from one instant to another, rounded down. */
export function daysBetween(from: string | Date, to: string | Date): number {
  return Math.floor((new Date(to).getTime() - new Date(from).getTime()) / DAY_MS)
}

function shifted(instant: string | Date): Date {
  return new Date(new Date(instant).getTime() + ZONE_OFFSET_MS)
}
