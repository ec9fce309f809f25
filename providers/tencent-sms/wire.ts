// Owns the small forms of Tencent SMS (2021-01-11): phone numbers in E.164 and times. Signing is providers/tc3.ts.
// Must never decide what an answer means; that is client.ts.

const MAINLAND = '+86'

export function toE164(phone: string): string {
  return `${MAINLAND}${phone}`
}

/** A mainland number without its country code; others keep theirs. */
export function fromE164(phone: string): string {
  return phone.startsWith(MAINLAND) ? phone.slice(MAINLAND.length) : phone
}

/** ISO text of the receipts' `2015-10-17 08:03:04` in Asia/Shanghai, or null. */
export function readTime(text: unknown): string | null {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null
  return isoOf(Date.parse(`${text.replace(' ', 'T')}+08:00`))
}

/** ISO text of whole seconds since 1970, or null. */
export function readSeconds(value: unknown): string | null {
  return typeof value === 'number' && Number.isInteger(value) ? isoOf(value * 1000) : null
}

function isoOf(ms: number): string | null {
  const instant = new Date(ms)
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}
