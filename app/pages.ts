// The built page: immutable files, compressed beforehand, and the HTML of every path with its nonce.
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { contentSecurityPolicy, makeNonce } from '#server/http.ts'
import { makePage } from './page.ts'

export async function addPages(
  http: FastifyInstance,
  options: {
    dir: string
    demo: boolean
    /** Origins of a third party's puzzle, parted by spaces. */
    foreign?: string | undefined
  },
): Promise<void> {
  const page = makePage(options.dir)
  await http.register(fastifyStatic, {
    root: join(options.dir, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  })
  http.get('/favicon.ico', async (_request, reply) => reply.code(204).send())
  http.setNotFoundHandler(async (request, reply) => {
    if (request.method !== 'GET' || request.url.startsWith('/api/') || request.url.startsWith('/assets/'))
      return reply.code(404).send({ code: 'NOT_FOUND', message: '页面不存在' })
    const nonce = makeNonce()
    const pathname = request.url.split('?', 1)[0] as string
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce, options.foreign))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(pathname, nonce, { demo: options.demo }))
  })
}
