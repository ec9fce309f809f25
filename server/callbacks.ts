// What outside services call: the raw bytes as they came, before any parser, and past the check of the page's origin.
import type { FastifyInstance } from 'fastify'
import type { Services } from './ctx.ts'

export type CallbackCall = {
  headers: Record<string, string | undefined>
  /** Of the address that was called; of a name that came twice, its last. */
  query: Record<string, string>
  body: Buffer
  /** Parts of the path. */
  params: Record<string, string>
}
export type CallbackHandler = {
  /** Below /callbacks, such as `/pay/:channel`. */
  path: `/${string}`
  /** Anybody may send it, and it is read before it is known whose it is. */
  bodyMaxBytes?: number
  handle(services: Services, call: CallbackCall): Promise<{ status: number; type: string; body: string }>
}

const BODY_MAX_BYTES = 64 * 1024

/** Must be known to the check of origins. */
export const CALLBACKS = '/callbacks/'

export function addCallbacks(
  app: FastifyInstance,
  services: Services,
  handlers: readonly CallbackHandler[],
): void {
  app.register(async room => {
    room.removeAllContentTypeParsers()
    room.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const handler of handlers)
      room.post(
        `/callbacks${handler.path}`,
        { bodyLimit: handler.bodyMaxBytes ?? BODY_MAX_BYTES },
        async (request, reply) => {
          const headers = Object.fromEntries(
            Object.entries(request.headers).map(([name, value]) => [
              name,
              Array.isArray(value) ? value[0] : value,
            ]),
          )
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          const answer = await handler.handle(services, {
            headers,
            query: Object.fromEntries(new URL(request.url, 'http://callbacks').searchParams),
            body,
            params: request.params as Record<string, string>,
          })
          return reply.code(answer.status).type(answer.type).send(answer.body)
        },
      )
  })
}
