// The text of TianQue's open platform: what is signed, and money and time as it writes them. Pure.
// SHA-1 with RSA over `name=value&…` of all members but `sign`, by name, empty ones left out; an object is its JSON text in the order in
// which it is sent. [K] Of public programs that speak to it; not tried with the real service.
import { createSign, createVerify } from 'node:crypto'
import { parsedObject, rawMembers } from '../raw-members.ts'

/** Texts alone, since a number would be signed as another text than is meant; lists hold such objects. */
export type RequestData = Record<string, string | readonly Record<string, string>[]>
export type Envelope = Record<string, string | RequestData>

const textOf = (value: Envelope[string]) => (typeof value === 'string' ? value : JSON.stringify(value))

const signedText = (members: Readonly<Record<string, string>>): string =>
  Object.keys(members)
    .filter(name => name !== 'sign' && members[name] !== '')
    .sort()
    .map(name => `${name}=${members[name]}`)
    .join('&')

/** The envelope with its `sign`. `privateKey`: the organisation's, PEM. */
export function signEnvelope(envelope: Envelope, privateKey: string): Envelope {
  const members = Object.fromEntries(Object.entries(envelope).map(([name, value]) => [name, textOf(value)]))
  const sign = createSign('RSA-SHA1').update(signedText(members), 'utf8').sign(privateKey, 'base64')
  return { ...envelope, sign }
}

/** signed: by the platform's key, over the very characters received. */
export type Reading = { members: Record<string, unknown>; sign: 'signed' | 'wrong' | 'absent' }

/** Null where the text is no JSON object, or has a name twice. */
export function readEnvelope(text: string, publicKey: string): Reading | null {
  const raw = rawMembers(text)
  const members = parsedObject(text)
  if (!raw || !members) return null
  if (typeof members.sign !== 'string' || members.sign === '') return { members, sign: 'absent' }
  const texts = Object.fromEntries(
    [...raw].flatMap(([name, written]) => {
      const value = members[name]
      if (value === null) return []
      return [[name, typeof value === 'string' ? value : written] as const]
    }),
  )
  const verifier = createVerify('RSA-SHA1').update(signedText(texts), 'utf8')
  return { members, sign: verifier.verify(publicKey, members.sign, 'base64') ? 'signed' : 'wrong' }
}

const CHINA_MS = 8 * 60 * 60 * 1_000

/** `20260401093000`, in Chinese time. */
export function stampOf(at: Date): string {
  return new Date(at.getTime() + CHINA_MS).toISOString().replace(/\D/g, '').slice(0, 14)
}

/** ISO instant of such a text; null where it is none. */
export function instantOf(stamp: unknown): string | null {
  const parts = typeof stamp === 'string' ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(stamp) : null
  if (!parts) return null
  const [, year, month, day, hour, minute, second] = parts
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+08:00`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** "0.01" from 1: an amount must be a text, or the signature is another. */
export function yuanText(amountFen: number): string {
  if (!Number.isSafeInteger(amountFen) || amountFen <= 0)
    throw new RangeError(`no amount in fen: ${amountFen}`)
  return (amountFen / 100).toFixed(2)
}
