// The way of large files: in as the raw body of a request, however long it takes as long as bytes come; out in parts.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Services } from '../ctx.ts'
import { admitUpload, type FilePurposes } from '../files.ts'
import { Refusal } from '../refuse.ts'
import { asAnswer } from '../serve.ts'
import {
  findShown,
  mostStreamed,
  readLarge,
  storeLarge,
  tagOf,
  tooLargeText,
} from '../storage/large-files.ts'
import { addressOf, type Called, withKeyRow } from './api-keys.ts'
import { callRequest } from './call-request.ts'
import { askedPart, askingOf, inParts, wantsNone } from './parts.ts'

export const LARGE_FILES = '/api/large-files'
/** A sender that says nothing for so long is gone. */
const SILENT_MS = 30_000
const BROKEN = '上传中断，请重新上传'

export function addLargeFiles(app: FastifyInstance, services: Services, files: FilePurposes): void {
  const uploaders = new WeakMap<FastifyRequest, Actor>()
  const contextOf = (request: FastifyRequest, reply: FastifyReply) => ({
    services,
    request: callRequest(request, reply, services),
  })
  const purposeOf = (request: FastifyRequest) => (request.query as { purpose?: unknown }).purpose
  app.register(async large => {
    large.removeAllContentTypeParsers()
    large.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    large.get<{ Params: { id: string } }>(`${LARGE_FILES}/:id`, async (request, reply) => {
      const context = contextOf(request, reply)
      const row = await withKeyRow(context, called(request, true), () =>
        findShown(files, context, request.params.id),
      )
      const whole = { byteSize: row.byteSize, tag: tagOf(row) }
      const asking = askingOf(request)
      const asked = askedPart(asking, whole)
      reply.header('cache-control', 'private, max-age=31536000, immutable').type(row.mime)
      const isAsked = asked !== 'beyond' && !wantsNone(asking, whole)
      const bytes = isAsked ? await readLarge(services.storage, row.id, asked) : Readable.from([])
      return reply.send(inParts(request, reply, whole, { asked, bytes }))
    })
    large.post(LARGE_FILES, {
      bodyLimit: Number.MAX_SAFE_INTEGER,
      async onRequest(request, reply) {
        reply.header('cache-control', 'no-store')
        const context = contextOf(request, reply)
        const admitted = () => admitUpload(files, context, purposeOf(request), true)
        try {
          uploaders.set(request, await withKeyRow(context, called(request, false), admitted))
        } catch (error) {
          // Whoever may send nothing holds no connection by sending it slowly.
          reply.header('connection', 'close')
          throw asAnswer(error)
        }
      },
      async handler(request, reply) {
        const context = contextOf(request, reply)
        const actor = uploaders.get(request) as Actor
        const purpose = String(purposeOf(request))
        const maxBytes = await mostStreamed(files, context, actor, purpose)
        const bytes = request.body as Readable
        const heard = cutSilent(request)
        try {
          if (Number(request.headers['content-length'] ?? 0) > maxBytes)
            throw new Refusal('FILE_TOO_LARGE', tooLargeText(maxBytes))
          return await storeLarge(files, context, actor, { purpose, bytes, maxBytes })
        } catch (error) {
          // What still comes is not waited for.
          reply.header('connection', 'close')
          const isBroken = request.raw.destroyed && !request.raw.complete
          throw asAnswer(isBroken && !(error instanceof Refusal) ? new Refusal('FILE_BROKEN', BROKEN) : error)
        } finally {
          heard()
        }
      },
    })
  })
}

const called = (request: FastifyRequest, reads: boolean): Called => ({
  operation: '/files',
  title: undefined,
  reads,
  address: addressOf(request),
})

/** Ends the connection of a sender that has gone silent; to be called off once its file is there. */
function cutSilent({ raw }: FastifyRequest): () => void {
  const { socket } = raw
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    if (socket.bytesRead === seen) raw.destroy()
    seen = socket.bytesRead
  }, SILENT_MS)
  return () => clearInterval(timer)
}
