// Prometheus figures of this process.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  contentType: string
  observe(request: FastifyRequest, reply: FastifyReply): void
  text(): Promise<string>
}

/** Request latency by route shape and status, pool use, and the process's own figures (event loop lag, memory). */
export function makeMetrics(pool: pg.Pool): Metrics {
  const registry = new Registry()
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
        { method: request.method, path: pathShape(request.url), status: String(reply.statusCode) },
        reply.elapsedTime / 1_000,
      )
    },
    text: () => registry.metrics(),
  }
}

/** Numbers become `{id}` and files one label, so that the number of series stays small. */
function pathShape(url: string): string {
  const path = url.split('?', 1)[0] as string
  if (!path.startsWith('/api/'))
    return path === '/healthz' || path === '/readyz' || path === '/metrics' ? path : 'page'
  return path.replace(/\/\d+(?=\/|$)/g, '/{id}').slice(0, 80)
}
