// One signed call to WeChat Pay and its verified answer, and the keys that may sign what comes from there. Platform
// certificates are downloaded when a serial is not known, trusted because only the holder of the APIv3 key can encrypt them.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import {
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
  ProviderUnverified,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { type Answer, call } from '#providers/call.ts'
import { parseAnswer } from '#providers/read.ts'
import {
  authorizationOf,
  decryptResource,
  encryptSensitive,
  readSignedHeaders,
  type Signer,
  signatureFlaw,
} from './wire.ts'

const NAME = 'WeChat Pay'
/** For how long a download that brought nothing new keeps unknown serials from causing another. */
const REFRESH_PAUSE_MS = 60_000
/** For how long a download that failed keeps unknown serials from causing another. */
const FAILED_PAUSE_MS = 5_000
const KEYS_AGE_MAX_MS = 12 * 3_600_000
/** Codes after which nobody knows what happened; underscores removed. */
const UNKNOWN_CODES = new Set(['SYSTEMERROR', 'BANKERROR'])

/** Codes of too many calls; underscores removed. */
const BUSY_CODES = new Set(['FREQUENCYLIMITED', 'FREQUENCYLIMITEXCEED', 'RATELIMITED', 'RATELIMITEXCEEDED'])

export type TransportSettings = {
  /** https://api.mch.weixin.qq.com, or the second host api2. */
  baseUrl: string
  /** Of the merchant that signs. */
  mchid: string
  merchantSerial: string
  merchantKeyPem: string
  apiV3Key: Buffer
  /** WeChat Pay's public key from the merchant's console; null: platform certificates alone. */
  publicKey: { id: string; pem: string } | null
  /** Whether what platform certificates signed is accepted; they are downloaded when needed. */
  acceptCertificates: boolean
}

/** Encrypts for WeChat Pay alone; `serial` names the key and goes with the request. */
export type Sealer = { serial: string; seal(text: string): string }
export type Upload = { name: string; type: string; bytes: Buffer }

export type Transport = {
  signer: Signer
  /** The JSON of a verified answer, null where it has no body. `serial`: of the key that parts of the body are encrypted with. */
  send(method: 'GET' | 'POST', target: string, body?: unknown, serial?: string): Promise<unknown>
  /** As a form whose `meta` alone is signed. */
  upload(target: string, file: Upload): Promise<unknown>
  /** By the public key where there is one, else by the newest certificate, which may have to be downloaded. */
  sealer(): Promise<Sealer>
  /** A file of another, unsigned answer: fetched from our own host only, and its hash is that of `file`. */
  download(file: unknown): Promise<Buffer>
  /** Downloads the certificates to see whether the APIv3 key opens them; none is right for a merchant with the public key alone. */
  tryCertificates(): Promise<void>
  /** Why it is not to be believed, or null. May download certificates. */
  flawOf(header: (name: string) => string | null | undefined, body: Buffer): Promise<string | null>
}

const ErrorBody = z.object({ code: z.string().min(1), message: z.string().default('') })
const Certificates = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      expire_time: z.string(),
      encrypt_certificate: z.object({
        algorithm: z.string(),
        nonce: z.string(),
        associated_data: z.string(),
        ciphertext: z.string(),
      }),
    }),
  ),
})
const BillFile = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[0-9a-fA-F]{40}$/),
  download_url: z.url(),
})

/** Codes are spelt with and without underscores, depending on the age of an interface. */
export function isCode(code: string, ...wanted: string[]): boolean {
  const plain = (text: string) => text.replaceAll('_', '').toUpperCase()
  return wanted.some(one => plain(one) === plain(code))
}

/** Reads what WeChat Pay said; another shape than the documented one is no believable answer. */
export function readShape<S extends z.ZodType>(shape: S, value: unknown): z.infer<S> {
  const read = shape.safeParse(value)
  if (!read.success) throw new ProviderUnknown('the answer is not in the documented form', read.error)
  return read.data
}

export function makeTransport(settings: TransportSettings, surroundings: Surroundings): Transport {
  const signer = {
    mchid: settings.mchid,
    serial: settings.merchantSerial,
    key: createPrivateKey(settings.merchantKeyPem),
  }
  const ask = (
    method: string,
    url: string,
    signed = '',
    { form, serial = settings.publicKey?.id }: { form?: FormData; serial?: string | undefined } = {},
  ) => {
    const { pathname, search } = new URL(url)
    const request = { method, target: pathname + search, body: signed }
    const body = form ?? (signed === '' ? null : signed)
    return call(surroundings, url, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'partner-office',
        authorization: authorizationOf(signer, request, surroundings.now(), surroundings.nonce()),
        // The boundary of a form is fetch's own.
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(serial === undefined ? {} : { 'wechatpay-serial': serial }),
      },
      ...(body === null ? {} : { body }),
    })
  }
  const keys = makeKeys(settings, surroundings, () => ask('GET', `${settings.baseUrl}/v3/certificates`))

  async function flawOf(header: (name: string) => string | null | undefined, body: Buffer) {
    const headers = readSignedHeaders(header)
    if (!headers) return 'it is not signed'
    return signatureFlaw(headers, body, await keys.for(headers.serial), surroundings.now())
  }

  async function read(answer: Answer): Promise<unknown> {
    const isError = answer.status >= 400
    const isSigned = answer.headers.has('wechatpay-signature')
    // A refusal at the door comes without a signature; one that carries a signature must carry a right one.
    if (answer.status < 500 && (!isError || isSigned)) {
      const flaw = await flawOf(name => answer.headers.get(name), answer.body)
      if (flaw) throw new ProviderUnverified(`the answer cannot be verified: ${flaw}`, 'answer')
    }
    if (isError) throw errorOf(answer)
    return answer.body.length === 0 ? null : parseAnswer(NAME, answer.body)
  }

  return {
    signer,
    flawOf,
    tryCertificates: () => keys.tryOpening(),
    async send(method, target, body, serial) {
      const signed = body === undefined ? '' : JSON.stringify(body)
      return read(await ask(method, settings.baseUrl + target, signed, { serial }))
    },
    async upload(target, { name, type, bytes }) {
      const meta = JSON.stringify({
        filename: name,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
      const form = new FormData()
      form.append('meta', meta)
      form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
      return read(await ask('POST', settings.baseUrl + target, meta, { form }))
    },
    async sealer() {
      const { serial, key } = await keys.newest()
      return { serial, seal: text => encryptSensitive(key, text) }
    },
    async download(file) {
      const { download_url: url, hash_value: hash } = readShape(BillFile, file)
      if (new URL(url).origin !== new URL(settings.baseUrl).origin)
        throw new ProviderUnknown('the file lies on another host')
      const { status, body } = await ask('GET', url)
      if (status !== 200) throw new ProviderUnknown(`the file's host answered ${status}`)
      if (createHash('sha1').update(body).digest('hex') !== hash.toLowerCase())
        throw new ProviderUnknown('the file is not the one that was announced')
      return body
    },
  }
}

function errorOf({ status, headers, body }: Answer): Error {
  // Request-Id ends in the number that says more than the code; support asks for it.
  const reference = /-(\d+)$/.exec(headers.get('request-id') ?? '')?.[1] ?? ''
  if (status >= 500) return new ProviderUnknown(`WeChat Pay answered ${status} ${reference}`.trim())
  const { code, message } = readShape(ErrorBody, parseAnswer(NAME, body))
  if (isCode(code, ...UNKNOWN_CODES))
    return new ProviderUnknown(`WeChat Pay answered ${code} ${reference}`.trim())
  const isBusy = status === 429 || isCode(code, ...BUSY_CODES)
  return new (isBusy ? ProviderBusy : ProviderRefused)(code, message, reference)
}

/** The keys by serial, with certificates downloaded when a serial is not known or they are old. */
function makeKeys(
  settings: TransportSettings,
  { now }: Surroundings,
  fetchCertificates: () => Promise<Answer>,
) {
  const fixed = new Map<string, KeyObject>()
  if (settings.publicKey) fixed.set(settings.publicKey.id, createPublicKey(settings.publicKey.pem))
  let known: ReadonlyMap<string, KeyObject> = fixed
  let newest: { serial: string; key: KeyObject } | null = null
  let loadedAt = Number.NEGATIVE_INFINITY
  let uselessAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null

  async function load(): Promise<void> {
    const answer = await fetchCertificates()
    if (answer.status !== 200)
      throw new ProviderUnknown(`the certificates cannot be had: ${errorOf(answer).message}`)
    const certificates = readCertificates(settings.apiV3Key, answer.body, now())
    const fresh = new Map([...fixed, ...certificates.map(({ serial, key }) => [serial, key] as const)])
    const headers = readSignedHeaders(name => answer.headers.get(name))
    const flaw = headers ? signatureFlaw(headers, answer.body, fresh, now()) : 'it is not signed'
    if (flaw) throw new ProviderUnknown(`the certificates cannot be verified: ${flaw}`)
    known = fresh
    newest = certificates.toSorted((one, other) => other.expiresAt - one.expiresAt)[0] ?? null
    loadedAt = now().getTime()
  }
  const loadOnce = () => {
    running ??= load().finally(() => {
      running = null
    })
    return running
  }

  return {
    async tryOpening(): Promise<void> {
      const answer = await fetchCertificates()
      if (answer.status === 200) readCertificates(settings.apiV3Key, answer.body, now())
      else if (answer.status !== 404 || settings.publicKey === null) throw errorOf(answer)
    },
    async newest(): Promise<{ serial: string; key: KeyObject }> {
      const { publicKey } = settings
      const key = publicKey && fixed.get(publicKey.id)
      if (publicKey && key) return { serial: publicKey.id, key }
      if (!newest || now().getTime() - loadedAt > KEYS_AGE_MAX_MS) await loadOnce()
      if (!newest) throw new ProviderUnknown('there is no certificate to encrypt with')
      return newest
    },
    async for(serial: string): Promise<ReadonlyMap<string, KeyObject>> {
      if (!settings.acceptCertificates || fixed.has(serial)) return known
      const at = now().getTime()
      const isKnown = known.has(serial)
      const isFresh = at - loadedAt <= KEYS_AGE_MAX_MS || at - failedAt < REFRESH_PAUSE_MS
      // Whoever invents serials must not make us call WeChat Pay each time.
      if (isKnown ? isFresh : at - uselessAt < REFRESH_PAUSE_MS) return known
      if (!isKnown && !running && at - failedAt < FAILED_PAUSE_MS)
        throw new ProviderUnknown('the certificates could not be had a moment ago')
      try {
        await loadOnce()
      } catch (error) {
        failedAt = now().getTime()
        // A certificate that is known stays good while newer ones cannot be had.
        if (!isKnown) throw error
      }
      if (!known.has(serial)) uselessAt = at
      return known
    },
  }
}

type Certificate = { serial: string; key: KeyObject; expiresAt: number }

function readCertificates(apiV3Key: Buffer, body: Buffer, now: Date): Certificate[] {
  const { data } = readShape(Certificates, parseAnswer(NAME, body))
  try {
    return data
      .filter(one => Date.parse(one.expire_time) > now.getTime())
      .map(one => {
        const certificate = new X509Certificate(decryptResource(apiV3Key, one.encrypt_certificate))
        if (certificate.serialNumber.toUpperCase() !== one.serial_no.toUpperCase())
          throw new Error('a certificate has another serial than announced')
        return {
          serial: one.serial_no,
          key: certificate.publicKey,
          expiresAt: Date.parse(one.expire_time),
        }
      })
  } catch (error) {
    throw new ProviderUnverified('the certificates cannot be read', 'certificates', '', error)
  }
}
