// The storage in a bucket of any service that speaks S3. Its library is loaded at the first use: an office that keeps its files on the
// disk never pays for it. Requests carry no checksums beyond their signature, which not all services understand.
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Bucket } from '#server/env.ts'
import { AREAS, isKey, type Storage } from './storage.ts'

type Sdk = typeof import('@aws-sdk/client-s3')
/** What may be asked again is: `again`. What would begin or end something twice is not: `once`. */
type Line = { sdk: Sdk; again: S3Client; once: S3Client }

const ATTEMPTS = 3
const CONNECT_WITHIN_MS = 3_000
const ANSWER_WITHIN_MS = 20_000
/** Whoever takes a file from us may be slow, and so may we then. */
const SILENT_MS = 60_000
/** Each is held in memory while it is sent; services take 10,000 of them. */
const PART_BYTES = 8 * 1_048_576

export type Limits = { answerWithinMs?: number; partBytes?: number }

export function bucketHome(
  bucket: Bucket,
  { answerWithinMs = ANSWER_WITHIN_MS, partBytes = PART_BYTES }: Limits = {},
): Storage {
  const Bucket = bucket.name
  let opened: Promise<Line> | null = null
  const line = () => {
    opened ??= connect(bucket, answerWithinMs)
    return opened
  }

  async function putWhole(Key: string, Body: Buffer): Promise<void> {
    const { sdk, again } = await line()
    await again.send(new sdk.PutObjectCommand({ Bucket, Key, Body }))
  }

  async function putInParts(Key: string, first: Buffer, others: AsyncIterator<Buffer, void>): Promise<void> {
    const { sdk, again, once } = await line()
    const { UploadId } = await once.send(new sdk.CreateMultipartUploadCommand({ Bucket, Key }))
    try {
      const Parts: { ETag: string | undefined; PartNumber: number }[] = []
      for (let Body: Buffer | undefined = first; Body; Body = (await others.next()).value ?? undefined) {
        const part = { Bucket, Key, UploadId, PartNumber: Parts.length + 1 }
        const { ETag } = await again.send(new sdk.UploadPartCommand({ ...part, Body }))
        Parts.push({ ETag, PartNumber: part.PartNumber })
      }
      const all = { Bucket, Key, UploadId, MultipartUpload: { Parts } }
      await once.send(new sdk.CompleteMultipartUploadCommand(all))
    } catch (error) {
      // What this does not reach either is cleared later.
      await Promise.allSettled([again.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))])
      throw error
    }
  }

  return {
    async put(key, bytes) {
      if (Buffer.isBuffer(bytes)) return putWhole(key, bytes)
      const parts = inParts(bytes, partBytes)
      const first = (await parts.next()).value ?? Buffer.alloc(0)
      if (first.length < partBytes) await putWhole(key, first)
      else await putInParts(key, first, parts)
    },
    async get(Key, part) {
      const { sdk, again } = await line()
      const asked = part ? { Range: `bytes=${part.from}-${part.to}` } : {}
      const found = await unlessMissing(again.send(new sdk.GetObjectCommand({ Bucket, Key, ...asked })))
      if (!found) return null
      const bytes = found.Body as Readable
      if (found.ContentLength !== undefined) return { byteSize: found.ContentLength, bytes }
      bytes.destroy()
      throw new Error(`the bucket does not say how large ${Key} is`)
    },
    async head(key) {
      const { sdk, again } = await line()
      const found = await unlessMissing(again.send(new sdk.HeadObjectCommand({ Bucket, Key: key })))
      return (
        found && { key, byteSize: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) }
      )
    },
    async delete(Key) {
      const { sdk, again } = await line()
      await unlessMissing(again.send(new sdk.DeleteObjectCommand({ Bucket, Key })))
    },
    async list(Prefix, after = '', most = 1_000) {
      const { sdk, again } = await line()
      const from = after === '' ? {} : { StartAfter: after }
      const asked = { Bucket, Prefix, MaxKeys: most, ...from }
      const { Contents = [], IsTruncated } = await again.send(new sdk.ListObjectsV2Command(asked))
      const kept = Contents.filter(({ Key = '' }) => isKey(Key)).map(({ Key = '', Size, LastModified }) => ({
        key: Key,
        byteSize: Size ?? 0,
        modifiedAt: LastModified ?? new Date(0),
      }))
      return { kept, next: (IsTruncated && Contents.at(-1)?.Key) || null }
    },
    async clearUnfinished(before) {
      const { sdk, again } = await line()
      for (const area of AREAS) {
        const asked = { Bucket, Prefix: `${area}/` }
        // The first thousand: what is aborted leaves the list, and the next look finds the others.
        const { Uploads = [] } = await again.send(new sdk.ListMultipartUploadsCommand(asked))
        for (const { Key, UploadId, Initiated } of Uploads)
          if (Initiated && Initiated < before)
            await again.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
      }
    },
    close() {
      const ended = opened
      opened = null
      void ended?.then(({ again, once }) => {
        again.destroy()
        once.destroy()
      })
    },
  }
}

async function connect(bucket: Bucket, answerWithinMs: number): Promise<Line> {
  const sdk = await import('@aws-sdk/client-s3')
  const { endpoint, region, accessKeyId, secretAccessKey } = bucket
  const client = (maxAttempts: number) =>
    new sdk.S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: bucket.style === 'path',
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts,
      requestHandler: {
        connectionTimeout: CONNECT_WITHIN_MS,
        requestTimeout: answerWithinMs,
        throwOnRequestTimeout: true,
        socketTimeout: SILENT_MS,
      },
    })
  return { sdk, again: client(ATTEMPTS), once: client(1) }
}

/** Pieces of that many bytes, the last one smaller: there is none behind what ends with a whole piece. */
async function* inParts(bytes: Readable, partBytes: number): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    held.push(chunk)
    size += chunk.length
    if (size < partBytes) continue
    let all = Buffer.concat(held)
    for (; all.length >= partBytes; all = all.subarray(partBytes)) yield all.subarray(0, partBytes)
    held = [all]
    size = all.length
  }
  if (size > 0) yield Buffer.concat(held)
}

const MISSING = ['NoSuchKey', 'NotFound']

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (MISSING.includes((error as Error).name)) return null
    throw error
  }
}
