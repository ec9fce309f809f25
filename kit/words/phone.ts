// Phone numbers: the mainland pattern, and how they are shown where the whole number is not needed.

export const MAINLAND_MOBILE = /^1[3-9]\d{9}$/

export function isMainlandMobile(text: string): boolean {
  return MAINLAND_MOBILE.test(text)
}

/** "138****5678"; short numbers keep their last two digits. */
export function maskPhone(phone: string): string {
  if (phone.length >= 11) return `${phone.slice(0, 3)}****${phone.slice(-4)}`
  return `${'*'.repeat(Math.max(phone.length - 2, 0))}${phone.slice(-2)}`
}

/** Last four digits, for the watermark. */
export function lastFour(phone: string): string {
  return phone.slice(-4)
}
