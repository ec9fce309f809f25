// A small S3 service for tests: what the storage asks of one, and no more. It checks every request's signature (AWS Signature Version
// 4) and body by code of its own, keeps its objects in files so that large ones take no memory, and fails where it is told to. It knows
// one bucket, addressed by path, and refuses what many services do not understand: checksums in trailers, bodies in signed chunks.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { appendFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Bucket } from '#server/env.ts'

/** What befalls a request instead of, or in the middle of, its answer. */
export type Trouble = 503 | 'cut' | 'silent' | 'half' | null
export type Asked = { method: string; path: string; query: Record<string, string> }

type Upload = {
  key: string
  initiated: Date
  parts: Map<number, { path: string; tag: string; size: number }>
}
type Call = Asked & { request: IncomingMessage; response: ServerResponse; key: string; body: Buffer }

export type S3Server = {
  bucket: Bucket
  /** The same as an office is told it. */
  settings: Record<string, string>
  asked: Asked[]
  /** The keys that lie there, in their order. */
  keys(): string[]
  /** Uploads in parts that have neither ended nor been aborted. */
  uploads: ReadonlyMap<string, Upload>
  /** Asked before each answer. */
  trouble: (asked: Asked) => Trouble
  stop(): Promise<void>
}

const REGION = 'cn-test-1'
const SKEW_MS = 15 * 60_000
const IDLE_MS = 120_000
const LEAST_PART = 5 * 1_048_576

class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-office-bucket-'))
  const objects = new Map<string, { path: string; size: number; at: Date }>()
  const uploads = new Map<string, Upload>()
  const keys = { accessKeyId: `AK${randomUUID().slice(0, 8)}`, secretAccessKey: randomUUID() }

  async function answer(call: Call): Promise<void> {
    const { method, query, key } = call
    const kind = `${method} ${key === '' ? 'bucket' : 'object'}`
    if (kind === 'GET bucket' && query['list-type'] === '2') return list(call)
    if (kind === 'GET bucket' && query.uploads !== undefined) return listUploads(call)
    if (kind === 'POST object' && query.uploads !== undefined) return begin(call)
    if (kind === 'POST object' && query.uploadId !== undefined) return complete(call)
    if (kind === 'PUT object' && query.uploadId !== undefined) return takePart(call)
    if (kind === 'DELETE object' && query.uploadId !== undefined) return abort(call)
    if (kind === 'PUT object') return put(call)
    if (kind === 'GET object' || kind === 'HEAD object') return get(call)
    if (kind !== 'DELETE object') throw new Refused(501, 'NotImplemented')
    const gone = objects.get(key)
    objects.delete(key)
    if (gone) await rm(gone.path)
    call.response.writeHead(204).end()
  }

  async function put({ key, body, response }: Call): Promise<void> {
    const path = join(folder, randomUUID())
    await writeFile(path, body)
    await replace(key, path, body.length)
    response.writeHead(200, { etag: tagOf(body) }).end()
  }

  async function replace(key: string, path: string, size: number): Promise<void> {
    const before = objects.get(key)
    objects.set(key, { path, size, at: new Date() })
    if (before) await rm(before.path)
  }

  async function get({ method, key, request, response }: Call): Promise<void> {
    const found = objects.get(key)
    if (!found) throw new Refused(404, 'NoSuchKey')
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = from === '' ? null : { start: Number(from), end: Number(to) }
    response.writeHead(part ? 206 : 200, {
      'content-length': part ? part.end - part.start + 1 : found.size,
      'last-modified': found.at.toUTCString(),
      ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${found.size}` }),
    })
    if (method === 'HEAD') response.end()
    else createReadStream(found.path, part ?? {}).pipe(response)
  }

  function list({ query, response }: Call): void {
    const { prefix = '', 'start-after': after = '', 'max-keys': most = '1000' } = query
    const all = [...objects].filter(([key]) => key.startsWith(prefix) && key > after).sort(byKey)
    const rows = all
      .slice(0, Number(most))
      .map(
        ([key, { size, at }]) =>
          `<Contents><Key>${key}</Key><LastModified>${at.toISOString()}</LastModified><Size>${size}</Size></Contents>`,
      )
    const isCut = all.length > Number(most)
    sendXml(response, 'ListBucketResult', `<IsTruncated>${isCut}</IsTruncated>${rows.join('')}`)
  }

  function listUploads({ query, response }: Call): void {
    const rows = [...uploads]
      .filter(([, { key }]) => key.startsWith(query.prefix ?? ''))
      .map(
        ([id, { key, initiated }]) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
      )
    sendXml(response, 'ListMultipartUploadsResult', rows.join(''))
  }

  function begin({ key, response }: Call): void {
    const id = randomUUID()
    uploads.set(id, { key, initiated: new Date(), parts: new Map() })
    sendXml(response, 'InitiateMultipartUploadResult', `<Key>${key}</Key><UploadId>${id}</UploadId>`)
  }

  function uploadOf({ query, key }: Call): Upload {
    const upload = uploads.get(query.uploadId ?? '')
    if (upload?.key !== key) throw new Refused(404, 'NoSuchUpload')
    return upload
  }

  async function takePart(call: Call): Promise<void> {
    const upload = uploadOf(call)
    const path = join(folder, randomUUID())
    await writeFile(path, call.body)
    const part = { path, tag: tagOf(call.body), size: call.body.length }
    upload.parts.set(Number(call.query.partNumber), part)
    call.response.writeHead(200, { etag: part.tag }).end()
  }

  async function complete(call: Call): Promise<void> {
    const upload = uploadOf(call)
    const named = [...call.body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      tag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
      number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    }))
    const parts = named.map(({ number, tag }, nth) => {
      const part = upload.parts.get(number)
      if (part?.tag !== tag) throw new Refused(400, 'InvalidPart')
      if (part.size < LEAST_PART && nth < named.length - 1) throw new Refused(400, 'EntityTooSmall')
      return part
    })
    const path = join(folder, randomUUID())
    for (const part of parts)
      for await (const chunk of createReadStream(part.path)) await appendFile(path, chunk as Buffer)
    await drop(call)
    await replace(call.key, path, (await stat(path)).size)
    sendXml(call.response, 'CompleteMultipartUploadResult', `<Key>${call.key}</Key>`)
  }

  async function drop(call: Call): Promise<void> {
    const { parts } = uploadOf(call)
    uploads.delete(call.query.uploadId as string)
    for (const { path } of parts.values()) await rename(path, `${path}.gone`).then(() => rm(`${path}.gone`))
  }

  async function abort(call: Call): Promise<void> {
    await drop(call)
    call.response.writeHead(204).end()
  }

  const asked: Asked[] = []
  const server = createServer((request, response) => {
    // A client corrects its clock by this one, and Node's own would be the system's.
    response.setHeader('date', new Date().toUTCString())
    handle(request, response).catch((error: Error) => {
      const { status, code } = error instanceof Refused ? error : { status: 500, code: 'InternalError' }
      if (response.headersSent) response.destroy()
      else sendXml(response, 'Error', `<Code>${code}</Code><Message>${code}</Message>`, status)
    })
  })
  // Longer than a busy machine leaves a connection idle: a client that sends on one just closed fails.
  server.keepAliveTimeout = IDLE_MS
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://bucket')
    const one: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
    }
    asked.push(one)
    const trouble = started.trouble(one)
    if (trouble === 'cut') return void request.socket.destroy()
    const body = await buffer(request)
    refuseUnsigned(request, body, keys)
    if (trouble === 'silent') return
    if (trouble === 503) throw new Refused(503, 'SlowDown')
    const [, bucketName, ...path] = url.pathname.split('/')
    if (bucketName !== 'papers') throw new Refused(404, 'NoSuchBucket')
    if (trouble === 'half') cutInTheMiddle(response)
    await answer({ ...one, request, response, body, key: decodeURIComponent(path.join('/')) })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const started: S3Server = {
    settings: {
      STORAGE_S3_ENDPOINT: endpoint,
      STORAGE_S3_BUCKET: 'papers',
      STORAGE_S3_REGION: REGION,
      STORAGE_S3_ACCESS_KEY_ID: keys.accessKeyId,
      STORAGE_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    bucket: { endpoint, name: 'papers', region: REGION, ...keys, style: 'path' },
    asked,
    keys: () => [...objects.keys()].sort(),
    uploads,
    trouble: () => null,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return started
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
const tagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

function sendXml(response: ServerResponse, root: string, inner: string, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?><${root}>${inner}</${root}>`)
}

/** Says how much is to come, and ends after some of it. */
function cutInTheMiddle(response: ServerResponse): void {
  const write = response.write.bind(response) as (chunk: Buffer) => boolean
  response.write = (chunk: Buffer) => {
    write(chunk.subarray(0, chunk.length / 2))
    setImmediate(() => response.destroy())
    return true
  }
}

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

/** docs.aws.amazon.com: Authenticating Requests: Using the Authorization Header. */
function refuseUnsigned(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey }: Pick<Bucket, 'accessKeyId' | 'secretAccessKey'>,
): void {
  const header = (name: string) => String(request.headers[name] ?? '')
  if (header('x-amz-trailer') !== '' || header('content-encoding').includes('aws-chunked'))
    throw new Refused(501, 'NotImplemented')
  const [, id, day = '', region = '', names = '', signature = ''] = FORM.exec(header('authorization')) ?? []
  if (id !== accessKeyId || region !== REGION) throw new Refused(403, 'InvalidAccessKeyId')
  const at = header('x-amz-date')
  const sent = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - sent) < SKEW_MS) || !at.startsWith(day))
    throw new Refused(403, 'RequestTimeTooSkewed')
  const signed = names.split(';')
  const mustBeSigned = Object.keys(request.headers).filter(
    name => name === 'host' || name.startsWith('x-amz-'),
  )
  if (mustBeSigned.some(name => !signed.includes(name))) throw new Refused(403, 'AccessDenied')
  if (header('x-amz-content-sha256') !== hashOf(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch')
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const pairs = query === '' ? [] : query.split('&').map(pair => (pair.includes('=') ? pair : `${pair}=`))
  const canonical = [
    request.method,
    path,
    pairs.sort().join('&'),
    ...signed.map(name => `${name}:${header(name).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    hashOf(body),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', at, scope, hashOf(canonical)].join('\n')
  const step = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const signingKey = [region, 's3', 'aws4_request'].reduce(step, step(`AWS4${secretAccessKey}`, day))
  const expected = step(signingKey, toSign)
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex')))
    throw new Refused(403, 'SignatureDoesNotMatch')
}
