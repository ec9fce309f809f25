// Owns how long SMS credit lasts (D2 §5).
// Must never read a clock or a database.

export const FORECAST = { days: 30, driesUpWithinDays: 7 } as const

export type Lasting = { perDayTenths: number; daysLeft: number; driesUp: boolean }

/** How long `balance` pieces last where `used` went in the last 30 days; null where none did. */
export function forecastOf(balance: number, used: number): Lasting | null {
  if (used <= 0) return null
  const daysLeft = Math.floor((balance * FORECAST.days) / used)
  return {
    perDayTenths: Math.round((used * 10) / FORECAST.days),
    daysLeft,
    driesUp: daysLeft < FORECAST.driesUpWithinDays,
  }
}
