// Prometheus figures of this process, and of the database that all processes and instances share.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './db.ts'
import type { ProcessLink } from './process-link.ts'

/** What happens now and then, told by `services.count`. Every combination of the labels' values is there from the start. */
export type CountedFigure = {
  name: string
  help: string
  labels: Readonly<Record<string, readonly string[]>>
}

/** What stands in the database, told apart by one label. `read` must be cheap at any size: anybody may ask for /metrics. */
export type ReadFigure = {
  name: string
  help: string
  label: string
  read(database: Database): Promise<Readonly<Record<string, number>>>
}

/** Of the features. */
export type Figures = { counted: readonly CountedFigure[]; read: readonly ReadFigure[] }

export type Metrics = {
  contentType: string
  /** One more of `figure`; its labels must be among those it names. */
  count(figure: CountedFigure, labels: Readonly<Record<string, string>>): void
  /** `path` has few values: see `labeller`. */
  observe(request: FastifyRequest, reply: FastifyReply, path: string): void
  /** Of this process and of the database. */
  text(): Promise<string>
  /** Of this process alone. */
  own(): Promise<string>
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const OWN_PATHS = new Set(['/healthz', '/readyz', '/metrics'])
/** What was read counts for so long. */
const READ_EVERY_MS = 2_000

/**
 * Request latency, pool use, the process's own figures (event loop lag, memory) and those of the features. With `link` each names its process,
 * and whichever is asked tells of all.
 */
export function makeMetrics(
  database: Database,
  figures: Figures,
  onProblem: (error: unknown) => void,
  link: Pick<ProcessLink, 'nth' | 'figures'> | null = null,
): Metrics {
  const registry = new Registry()
  const shared = new Registry()
  if (link) registry.setDefaultLabels({ process: String(link.nth) })
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const latency = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by method, path shape and status',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'total' }, database.pool.totalCount)
      this.set({ state: 'idle' }, database.pool.idleCount)
      this.set({ state: 'waiting' }, database.pool.waitingCount)
    },
  })
  const counters = new Map(
    figures.counted.map(({ name, help, labels }) => {
      const counter = new Counter({ name, help, labelNames: Object.keys(labels), registers })
      for (const combination of combinations(labels)) counter.inc(combination, 0)
      return [name, counter]
    }),
  )
  for (const figure of figures.read) addRead(shared, database, figure, onProblem)
  return {
    contentType: registry.contentType,
    count: ({ name }, labels) => counters.get(name)?.inc(labels),
    observe(request, reply, path) {
      latency.observe(
        {
          method: METHODS.has(request.method) ? request.method : 'other',
          path,
          status: String(reply.statusCode),
        },
        reply.elapsedTime / 1_000,
      )
    },
    own: () => registry.metrics(),
    async text() {
      const [told, read] = await Promise.all([
        link ? link.figures() : registry.metrics().then(text => [text]),
        shared.metrics(),
      ])
      return `${joinFigures(told)}\n${read}`
    },
  }
}

/** Each figure once, with the lines of all who told it behind each other. */
export function joinFigures(texts: readonly string[]): string {
  const lines = new Map<string, string[]>()
  for (const figure of texts.flatMap(text => text.split(/\n+(?=# HELP )/))) {
    const [help = '', type = '', ...values] = figure.trimEnd().split('\n')
    const known = lines.get(help)
    if (known) known.push(...values)
    else if (help !== '') lines.set(help, [help, type, ...values])
  }
  return `${[...lines.values()].map(figure => figure.join('\n')).join('\n\n')}\n`
}

function combinations(labels: CountedFigure['labels']): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (made, [name, values]) => made.flatMap(one => values.map(value => ({ ...one, [name]: value }))),
    [{}],
  )
}

/** Without the database its figures are missing, and the others are told all the same. */
function addRead(
  registry: Registry,
  database: Database,
  { name, help, label, read }: ReadFigure,
  onProblem: (error: unknown) => void,
): void {
  let readAt = Number.NEGATIVE_INFINITY
  let values: ReturnType<typeof read>
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      if (performance.now() - readAt > READ_EVERY_MS) {
        readAt = performance.now()
        values = read(database).catch(error => {
          onProblem(error)
          return {}
        })
      }
      const found = Object.entries(await values)
      this.reset()
      for (const [value, amount] of found) this.set({ [label]: value }, amount)
    },
  })
}

/**
 * The template that a URL fits, `other` for what else is asked for below the same first words, `page` for the rest. `routes` are the
 * paths that exist, as templates; whatever else callers invent shares one label, so that the number of series stays small.
 */
export function labeller(routes: Iterable<string>): (url: string) => string {
  const templates = [...new Set(routes)]
  const rooms = new Set(templates.map(template => template.split('/')[1]))
  const known = new Set(templates)
  const named = templates.filter(template => template.includes('{'))
  const byLength = Map.groupBy(
    named.map(template => ({ template, parts: template.split('/') })),
    route => route.parts.length,
  )
  return url => {
    const path = url.split('?', 1)[0] as string
    // `/merchants/export.xlsx` fits `/merchants/{id}` too: the one that says more is meant.
    if (OWN_PATHS.has(path) || known.has(path)) return path
    const parts = path.split('/')
    if (parts.length < 3 || !rooms.has(parts[1] as string)) return 'page'
    const found = byLength
      .get(parts.length)
      ?.find(route =>
        route.parts.every((part, i) => part === parts[i] || (part.startsWith('{') && parts[i] !== '')),
      )
    return found?.template ?? 'other'
  }
}
