// A day or a moment as people type and paste it: 2026-12-01, 2026/12/1 9:00, 2026年12月1日 09:00.
import { isDay } from '../time.ts'

const DAY = String.raw`(\d{4})(?:-|/|\.|年)(\d{1,2})(?:-|/|\.|月)(\d{1,2})日?`
const ONE_DAY = new RegExp(`^${DAY}$`)
const MOMENT = new RegExp(String.raw`^${DAY}(?:T|\s+|(?<=日))(\d{1,2}):(\d{2})(?::(\d{2}))?$`)

export const WRONG_DAY = '日期格式不对，应如 2026-12-01'
export const WRONG_MOMENT = '时间格式不对，应如 2026-12-01 09:00'

const plain = (text: string) => text.normalize('NFKC').trim()
const two = (part: string | undefined) => (part ?? '').padStart(2, '0')

function dayOf(year: string | undefined, month: string | undefined, day: string | undefined): string | null {
  const text = `${year}-${two(month)}-${two(day)}`
  return isDay(text) ? text : null
}

/** YYYY-MM-DD, or null where the text is no day. */
export function readDay(text: string): string | null {
  const [, year, month, day] = ONE_DAY.exec(plain(text)) ?? []
  return dayOf(year, month, day)
}

/** YYYY-MM-DD HH:mm:ss, or null where the text is no day with its time. */
export function readMoment(text: string): string | null {
  const [, year, month, day, hour, minute, second = '00'] = MOMENT.exec(plain(text)) ?? []
  const date = dayOf(year, month, day)
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  return date !== null && isTime ? `${date} ${two(hour)}:${minute}:${second}` : null
}
