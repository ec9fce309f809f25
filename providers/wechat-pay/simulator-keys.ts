// The simulated WeChat Pay's keys as plain texts, its own signer and verifier, and the certificates it issues.
// Shares nothing with the client, so that the two cannot share a mistake.
import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPairSync,
  randomBytes,
  randomInt,
} from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CERTIFICATE_YEARS = 5

export type KeyPair = { publicKeyPem: string; privateKeyPem: string }
/** A merchant with WeChat Pay; a service provider acts for sub-merchants. */
export type Party = KeyPair & {
  name: string
  mchid: string
  appid: string
  serial: string
  apiV3Key: string
  subMchids: string[]
}
export type PlatformCertificate = KeyPair & {
  serial: string
  certificatePem: string
  effectiveAt: string
  expiresAt: string
}
export type WechatPayKeys = {
  direct: Party
  partner: Party
  /** Further merchants. */
  others?: Party[]
  appSecret: string
  platform: PlatformCertificate
  publicKey: KeyPair & { id: string }
}

/** Plain texts, to be kept in a file. Takes about a second. */
export function makeWechatPayKeys(now = new Date()): WechatPayKeys {
  return {
    direct: makeParty('演示商户', '1900000001', []),
    partner: makeParty('演示服务商', '1900000002', ['1900000102']),
    appSecret: randomText(32),
    platform: makeCertificate(now),
    publicKey: { ...makePair(), id: `PUB_KEY_ID_01${randomDigits(30)}` },
  }
}

export const partiesOf = ({ direct, partner, others = [] }: WechatPayKeys): Party[] => [
  direct,
  partner,
  ...others,
]

export function makeParty(name: string, mchid: string, subMchids: string[]): Party {
  const appid = `wx${randomBytes(8).toString('hex')}`
  return { ...makePair(), name, mchid, appid, serial: makeSerial(), apiV3Key: randomText(32), subMchids }
}

function makePair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKeyPem: publicKey, privateKeyPem: privateKey }
}

/** 40 hexadecimal digits, positive as a DER integer. */
function makeSerial(): string {
  const bytes = randomBytes(20)
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.toString('hex').toUpperCase()
}

export function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

export function randomDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('')
}

export function signWith(privateKeyPem: string, text: string): string {
  return createSign('RSA-SHA256').update(text).sign(privateKeyPem, 'base64')
}

export function isSignedBy(publicKeyPem: string, text: string, signature: string): boolean {
  return createVerify('RSA-SHA256').update(text).verify(publicKeyPem, signature, 'base64')
}

/** As callbacks and certificates carry their contents. */
export function encryptFor(apiV3Key: string, associatedData: string, text: string) {
  const nonce = randomText(12)
  const cipher = createCipheriv('aes-256-gcm', apiV3Key, nonce)
  cipher.setAAD(Buffer.from(associatedData))
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    nonce,
    associated_data: associatedData,
    ciphertext: data.toString('base64'),
  }
}

// A certificate is a list of DER values: tag, length, contents (X.690). Node reads certificates and writes none.
function der(tag: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts)
  const size = contents.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), contents])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const SHA256_WITH_RSA = sequence(
  der(0x06, Buffer.from('2a864886f70d01010b', 'hex')),
  der(0x05, Buffer.alloc(0)),
)
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'))

/** A self-signed certificate (X.509 version 1) as WeChat Pay would issue for itself. */
export function makeCertificate(now: Date): PlatformCertificate {
  const pair = makePair()
  const serial = makeSerial()
  const effective = new Date(Math.floor(now.getTime() / 1000) * 1000 - 86_400_000)
  const expires = new Date(effective)
  expires.setUTCFullYear(expires.getUTCFullYear() + CERTIFICATE_YEARS)
  const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('Simulated WeChat Pay')))))
  const body = sequence(
    der(0x02, Buffer.from(serial, 'hex')),
    SHA256_WITH_RSA,
    name,
    sequence(time(effective), time(expires)),
    name,
    createPublicKey(pair.publicKeyPem).export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('RSA-SHA256').update(body).sign(createPrivateKey(pair.privateKeyPem))
  const certificate = sequence(body, SHA256_WITH_RSA, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    ...pair,
    serial,
    certificatePem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    effectiveAt: effective.toISOString(),
    expiresAt: expires.toISOString(),
  }
}
