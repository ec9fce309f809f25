// The built page: immutable files, compressed beforehand, and the HTML of every path with its nonce.
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { brandAt } from '#features/office/agents/server-brand.ts'
import { NO_PACKS, PACKS_PATH, type Packs } from '#kit/print/bridge/packs.ts'
import type { Services } from '#server/ctx.ts'
import { contentSecurityPolicy, makeNonce } from '#server/http.ts'
import { agentLabelOf } from '#server/own-origin.ts'
import { makePage } from './page.ts'

/** What a browser asks for where it wants to install the page, and the print program for a desk. */
const ROOT_FILES = {
  'manifest.webmanifest': 'application/manifest+json',
  'sw.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
  'bridge.mjs': 'text/javascript; charset=utf-8',
}

/** The thread that reads codes back (web/print/scan-worker.ts), compressed or not. */
const SCANNER = /\/scan-worker-[\w-]+\.js(\.\w+)?$/
/** A thread has the policy of its own file: WebAssembly runs there, and in no page. */
const SCANNER_POLICY = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'`
/** The one that draws over a canvas (web/print/edit/afloat) fetches nothing but its own parts. */
const DRAWER = /\/afloat-worker-[\w-]+\.js(\.\w+)?$/
const DRAWER_POLICY = `default-src 'none'; script-src 'self'`

export async function addPages(
  http: FastifyInstance,
  services: Services,
  options: {
    dir: string
    demo: boolean
    helpLine?: string | undefined
    /** What `npm run bridge:pack` made; beside the page's folder unless told. It may come while the office runs. */
    packsDir?: string
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
    setHeaders: (reply, path) => {
      if (SCANNER.test(path)) reply.header('content-security-policy', SCANNER_POLICY)
      if (DRAWER.test(path)) reply.header('content-security-policy', DRAWER_POLICY)
    },
  })
  for (const [name, type] of Object.entries(ROOT_FILES)) {
    const text = readFileSync(join(options.dir, name))
    http.get(`/${name}`, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(type).send(text),
    )
  }
  addPacks(http, options.packsDir ?? join(options.dir, '..', 'packs'))
  http.get('/favicon.ico', async (_request, reply) => reply.code(204).send())
  http.setNotFoundHandler(async (request, reply) => {
    if (request.method !== 'GET' || request.url.startsWith('/api/') || request.url.startsWith('/assets/'))
      return reply.code(404).send({ code: 'NOT_FOUND', message: '页面不存在' })
    const nonce = makeNonce()
    const pathname = request.url.split('?', 1)[0] as string
    const { host } = request.headers
    const isDomain = agentLabelOf(host, services.env) !== null
    const underDomain = isDomain ? { brand: await brandAt(services, host) } : undefined
    return reply
      .header(
        'content-security-policy',
        contentSecurityPolicy(nonce, options.foreign, services.env.bridgePort),
      )
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page(pathname, nonce, { ...options, bridgePort: services.env.bridgePort, underDomain }))
  })
}

/** The desk's print program, packed for each system: the list, and what the list names. */
function addPacks(http: FastifyInstance, dir: string): void {
  const list = async (): Promise<Packs> =>
    existsSync(join(dir, 'packs.json'))
      ? { ...NO_PACKS, ...(JSON.parse(await readFile(join(dir, 'packs.json'), 'utf8')) as Partial<Packs>) }
      : NO_PACKS
  http.get<{ Params: { name: string } }>(`${PACKS_PATH}/:name`, async ({ params: { name } }, reply) => {
    reply.header('cache-control', 'no-cache')
    const packs = await list()
    if (name === 'packs.json') return reply.send(packs)
    const file = [...packs.files, ...packs.updates].find(one => one.name === name)
    if (!file) return reply.code(404).send({ code: 'NOT_FOUND', message: '页面不存在' })
    return reply
      .type('application/octet-stream')
      .header('content-length', file.byteSize)
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .send(createReadStream(join(dir, file.name)))
  })
}
