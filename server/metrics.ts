// Prometheus figures of this process.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { CALLBACKS } from './callbacks.ts'

export type Metrics = {
  contentType: string
  observe(request: FastifyRequest, reply: FastifyReply): void
  text(): Promise<string>
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const OWN_PATHS = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Request latency by route and status, pool use, and the process's own figures (event loop lag, memory). `routes` are the
 * paths under /api that exist, and whole those of callbacks, as templates; whatever else callers invent shares one label, so that the number of series
 * stays small.
 */
export function makeMetrics(pool: pg.Pool, routes: Iterable<string>): Metrics {
  const registry = new Registry()
  const labelOf = labeller(routes)
  collectDefaultMetrics({ register: registry })
  const latency = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by method, path shape and status',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'total' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  return {
    contentType: registry.contentType,
    observe(request, reply) {
      latency.observe(
        {
          method: METHODS.has(request.method) ? request.method : 'other',
          path: labelOf(request.url),
          status: String(reply.statusCode),
        },
        reply.elapsedTime / 1_000,
      )
    },
    text: () => registry.metrics(),
  }
}

/** The template that a URL fits, `page` outside /api, `other` for the rest. */
function labeller(routes: Iterable<string>): (url: string) => string {
  const byLength = Map.groupBy(
    [...new Set(routes)].map(template => ({ template, parts: template.split('/') })),
    route => route.parts.length,
  )
  return url => {
    const path = url.split('?', 1)[0] as string
    if (OWN_PATHS.has(path)) return path
    const isCallback = path.startsWith(CALLBACKS)
    if (!path.startsWith('/api/') && !isCallback) return 'page'
    const prefix = isCallback ? '' : '/api'
    const parts = path.slice(prefix.length).split('/')
    const fitting = (byLength.get(parts.length) ?? []).filter(route =>
      route.parts.every((part, i) => part === parts[i] || (part.startsWith('{') && parts[i] !== '')),
    )
    // `/merchants/export.xlsx` fits `/merchants/{id}` too: the one that says more is meant.
    const exact = fitting.find(route => route.template === parts.join('/'))
    const found = exact ?? fitting[0]
    return found ? `${prefix}${found.template}` : 'other'
  }
}
