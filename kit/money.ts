// Amounts are integers in the smallest unit (1/100 token, fen, pieces). Never a float, rounded once, half up.
import { cleanNumber } from './words/cleaned.ts'

/** `amountCents` times `basisPoints`/10,000, rounded half up to a whole cent. Amounts are not negative. */
export function discounted(amountCents: number, basisPoints: number): number {
  const scaled = BigInt(amountCents) * BigInt(basisPoints)
  return Number((scaled + 5_000n) / 10_000n)
}

/** "1,234.50" from 123450. */
export function formatCents(amountCents: number): string {
  const sign = amountCents < 0 ? '-' : ''
  const digits = Math.abs(amountCents).toString().padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return `${sign}${whole}.${digits.slice(-2)}`
}

/** Cents from a person's input such as "1,234.5"; null when it is not an amount with at most two decimals. */
export function parseCents(text: string): number | null {
  const match = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(cleanNumber(text))
  if (!match) return null
  return Number(match[1]?.replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0') || 0)
}

/** "1,234.50 代币" from 123450. */
export function amountText(amountCents: number, unit: string): string {
  return `${formatCents(amountCents)} ${unit}`
}

/** "1,234 条" from 1234. */
export function countText(count: number, unit: string): string {
  return `${formatCount(count)} ${unit}`
}

/** "1,234" from 1234. */
export function formatCount(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** 1/100 of a percent as people read it: +12.5%. */
export function percentText(hundredths: number, signed = false): string {
  const text = `${Math.abs(hundredths) / 100}%`
  if (hundredths < 0) return `−${text}`
  return signed && hundredths > 0 ? `+${text}` : text
}
