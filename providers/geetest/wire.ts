// Owns the proof that we hold the key of a GeeTest v4 puzzle. Must never carry the key itself.
import { createHmac } from 'node:crypto'

export function signToken(lotNumber: string, captchaKey: string): string {
  return createHmac('sha256', captchaKey).update(lotNumber).digest('hex')
}
