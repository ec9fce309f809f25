// The ranges of days that a filter offers: calendar ones everywhere, and those of the documents.
import { addDays, addMonths, formatDay, startOfDay } from './time.ts'

/** So many days back with today (negative: ahead), since the same day so many months ago, or since a day under a name of its own. */
export type DayPreset = Counted | { readonly label: string; readonly since: string }
type Counted = readonly [count: number, unit: 'day' | 'month']

/** First and last day, both included. */
export type DayRange = { label: string; from: string; to: string }

/** What is offered on a day: of the past, or of what is to come where the presets look ahead. */
export function rangesOf(presets: readonly DayPreset[], today: string): DayRange[] {
  const isAhead = presets.some(preset => !('since' in preset) && preset[0] < 0)
  const declared = presets.filter(preset => 'since' in preset || !(preset[0] === 1 && preset[1] === 'day'))
  return [...calendarRanges(today, isAhead), ...declared.map(preset => rangeOf(preset, today))]
}

function calendarRanges(today: string, isAhead: boolean): DayRange[] {
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7))
  const first = `${today.slice(0, 8)}01`
  const range = (label: string, from: string, to: string) => ({ label, from, to })
  if (isAhead)
    return [
      range('今天', today, today),
      range('明天', addDays(today, 1), addDays(today, 1)),
      range('本周', today, addDays(monday, 6)),
      range('本月', today, addDays(monthAfter(first, 1), -1)),
      range('下月', monthAfter(first, 1), addDays(monthAfter(first, 2), -1)),
    ]
  return [
    range('今天', today, today),
    range('昨天', addDays(today, -1), addDays(today, -1)),
    range('本周', monday, today),
    range('本月', first, today),
    range('上月', monthAfter(first, -1), addDays(first, -1)),
  ]
}

function monthAfter(first: string, months: number): string {
  return formatDay(addMonths(startOfDay(first), months))
}

function rangeOf(preset: DayPreset, today: string): DayRange {
  if ('since' in preset) return { label: preset.label, from: preset.since, to: today }
  const [count, unit] = preset
  if (unit === 'month')
    return { label: `近 ${count} 个月`, from: formatDay(addMonths(startOfDay(today), -count)), to: today }
  if (count < 0) return { label: `${-count} 天内`, from: today, to: addDays(today, -count - 1) }
  return { label: `近 ${count} 天`, from: addDays(today, 1 - count), to: today }
}
