// Signatures and encryption of WeChat Pay APIv3: pure, no clock, no network.
// Must never accept an answer or a callback that it cannot verify.
import { constants, createDecipheriv, type KeyObject, publicEncrypt, sign, verify } from 'node:crypto'

const SKEW_MAX_SECONDS = 300
export const STALE = 'the timestamp is too far from now'
const TAG_BYTES = 16
/** WeChat Pay sends signatures that begin so, to see whether they are checked at all. */
const PROBE_PREFIX = 'WECHATPAY/SIGNTEST/'

export type Signer = {
  /** The merchant that signs; acting for another it is the service provider (sp_mchid). */
  mchid: string
  serial: string
  key: KeyObject
}
export type SignedHeaders = { timestamp: string; nonce: string; signature: string; serial: string }
export type EncryptedResource = {
  algorithm: string
  /** Base64; the last 16 bytes are the tag. */
  ciphertext: string
  associated_data: string
  nonce: string
}

/** RSA-SHA256 with PKCS#1 v1.5 padding, base64. */
export function signText(key: KeyObject, text: string): string {
  return sign('sha256', Buffer.from(text), key).toString('base64')
}

/** The Authorization header of a request. `target` is path and query, `body` what is sent, exactly. */
export function authorizationOf(
  signer: Signer,
  request: { method: string; target: string; body: string },
  at: Date,
  nonce: string,
): string {
  const timestamp = Math.floor(at.getTime() / 1000)
  const text = `${request.method}\n${request.target}\n${timestamp}\n${nonce}\n${request.body}\n`
  const fields = {
    mchid: signer.mchid,
    nonce_str: nonce,
    timestamp,
    serial_no: signer.serial,
    signature: signText(signer.key, text),
  }
  const list = Object.entries(fields).map(([name, value]) => `${name}="${value}"`)
  return `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`
}

/** Null where one of the four headers is missing. */
export function readSignedHeaders(header: (name: string) => string | null | undefined): SignedHeaders | null {
  const timestamp = header('wechatpay-timestamp')
  const nonce = header('wechatpay-nonce')
  const signature = header('wechatpay-signature')
  const serial = header('wechatpay-serial')
  return timestamp && nonce && signature && serial ? { timestamp, nonce, signature, serial } : null
}

/**
 * Why an answer or a callback is not to be believed; null where it is genuine. `keys` holds what may sign: platform
 * certificates by their serial and the public key by its id, since both may arrive while a merchant changes over.
 */
export function signatureFlaw(
  { timestamp, nonce, signature, serial }: SignedHeaders,
  body: Buffer,
  keys: ReadonlyMap<string, KeyObject>,
  now: Date,
): string | null {
  if (!/^\d{1,12}$/.test(timestamp)) return 'the timestamp is not a number'
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > SKEW_MAX_SECONDS) return STALE
  if (signature.startsWith(PROBE_PREFIX)) return 'the signature is a probe'
  const key = keys.get(serial)
  if (!key) return 'the serial is not known'
  const text = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')])
  return verify('sha256', text, key, Buffer.from(signature, 'base64')) ? null : 'the signature is wrong'
}

/** The merchant's APIv3 key as bytes; throws unless there are 32. */
export function readApiV3Key(text: string): Buffer {
  const key = Buffer.from(text)
  if (key.length !== 32) throw new Error('the APIv3 key must be 32 bytes long')
  return key
}

/** The plain text of a callback's resource or a certificate; throws where key or data do not fit. */
export function decryptResource(key: Buffer, resource: EncryptedResource): string {
  if (resource.algorithm !== 'AEAD_AES_256_GCM') throw new Error('the algorithm is not known')
  const data = Buffer.from(resource.ciphertext, 'base64')
  if (data.length < TAG_BYTES) throw new Error('the ciphertext is too short')
  // Published vectors use 16 bytes; readApiV3Key insists on 32.
  const algorithm = key.length === 16 ? 'aes-128-gcm' : 'aes-256-gcm'
  const decipher = createDecipheriv(algorithm, key, Buffer.from(resource.nonce), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(resource.associated_data))
  decipher.setAuthTag(data.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]).toString()
}

/** What WeChat's browser needs to open the payment (getBrandWCPayRequest). */
export function payRequestOf(
  appId: string,
  prepayId: string,
  key: KeyObject,
  at: Date,
  nonceStr: string,
): Record<string, string> {
  const timeStamp = String(Math.floor(at.getTime() / 1000))
  const bundle = `prepay_id=${prepayId}`
  return {
    appId,
    timeStamp,
    nonceStr,
    package: bundle,
    signType: 'RSA',
    paySign: signText(key, `${appId}\n${timeStamp}\n${nonceStr}\n${bundle}\n`),
  }
}

/** What RSA of 2048 bits takes with OAEP: 256 bytes less two hashes and two bytes. */
export const SENSITIVE_BYTES_MAX = 214

/** A field that WeChat Pay alone may read: RSA-OAEP with SHA-1, base64; other each time. Throws where it is too long. */
export function encryptSensitive(key: KeyObject, text: string): string {
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  return publicEncrypt({ key, padding, oaepHash: 'sha1' }, Buffer.from(text)).toString('base64')
}
