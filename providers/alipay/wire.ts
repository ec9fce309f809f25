// The text of Alipay's gateway.do: what is signed and verified, and money and time as it writes them (design: providers §2).
// Pure. It must never verify anything but the very characters received, and never calculate money in floats.
import { createSign, createVerify } from 'node:crypto'
import { parsedObject, rawMembers } from '../raw-members.ts'

/** What is signed of a request: everything but `sign` and empty values, by name, not encoded; `sign_type` included. */
export function requestText(params: Record<string, string>): string {
  return Object.keys(params)
    .filter(name => name !== 'sign' && params[name] !== '')
    .sort()
    .map(name => `${name}=${params[name]}`)
    .join('&')
}

/** The parameters without empty ones and with their `sign`. `privateKey`: the app's, PEM. */
export function signRequest(params: Record<string, string>, privateKey: string): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))
  const sign = createSign('RSA-SHA256').update(requestText(kept), 'utf8').sign(privateKey, 'base64')
  return { ...kept, sign }
}

function isSigned(text: string, sign: string, publicKey: string): boolean {
  return createVerify('RSA-SHA256').update(text, 'utf8').verify(publicKey, sign, 'base64')
}

export type GatewayAnswer = { fields: Record<string, unknown>; isVerified: boolean }

/**
 * The inner object of an answer to `method` (or of `error_response`), and whether its signature is Alipay's over the very
 * characters received. Null where the text is no such answer.
 */
export function readAnswer(text: string, method: string, alipayPublicKey: string): GatewayAnswer | null {
  const members = rawMembers(text)
  const inner = members?.get(`${method.replaceAll('.', '_')}_response`) ?? members?.get('error_response')
  const fields = inner === undefined ? null : parsedObject(inner)
  if (!members || inner === undefined || !fields) return null
  const sign: unknown = JSON.parse(members.get('sign') ?? 'null')
  return { fields, isVerified: typeof sign === 'string' && isSigned(inner, sign, alipayPublicKey) }
}

/** Alipay sends some thirty. Sorting what a stranger sends by the hundred thousand would hold up everybody. */
const FIELDS_MAX = 100

/** The fields of a form-urlencoded callback; null where a name comes twice, or they are too many. */
export function formFields(body: string): Record<string, string> | null {
  if (body.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) return null
  const pairs = [...new URLSearchParams(body)]
  const fields = Object.fromEntries(pairs)
  return Object.keys(fields).length === pairs.length ? fields : null
}

/**
 * Whether Alipay signed a callback's decoded fields: over all but `sign` and `sign_type`; or, as older products of theirs do,
 * with `sign_type`. Only RSA2.
 */
export function isNotifyVerified(fields: Record<string, string>, alipayPublicKey: string): boolean {
  const { sign, sign_type: signType, ...rest } = fields
  if (!sign || (signType !== undefined && signType !== 'RSA2')) return false
  const textOf = (signed: Record<string, string>) =>
    Object.keys(signed)
      .sort()
      .map(name => `${name}=${signed[name]}`)
      .join('&')
  return (
    isSigned(textOf(rest), sign, alipayPublicKey) ||
    isSigned(textOf({ ...rest, sign_type: 'RSA2' }), sign, alipayPublicKey)
  )
}

/** "0.01" from 1. Throws RangeError on what is no amount in fen. */
export function yuanOfFen(amountFen: number): string {
  if (!Number.isSafeInteger(amountFen) || amountFen < 0)
    throw new RangeError(`no amount in fen: ${amountFen}`)
  const digits = String(amountFen).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** 1 from "0.01", also negative; null where it is no amount of yuan with at most two decimals. */
export function fenOfYuan(yuan: string): number | null {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,2}))?$/.exec(yuan)
  if (!match) return null
  const fen = Number(`${match[2]}${(match[3] ?? '').padEnd(2, '0')}`)
  return match[1] && fen > 0 ? -fen : fen
}

/** The ISO instant of Alipay's wall-clock text; null where it is none. */
export function instantOf(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,3})?$/.test(text)) return null
  const at = Date.parse(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
