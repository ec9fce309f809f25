// Traces by OpenTelemetry, for offices that have a collector: each request, the statements and the calls to outside services within it. Loaded
// only where OTEL_EXPORTER_OTLP_ENDPOINT is set. What is told are names and times: no address with its numbers, no value, no text of a statement.
import diagnostics from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { isTracingSuppressed, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyRequest } from 'fastify'
import pg from 'pg'

export type Traces = {
  /** Runs what is left of a request within its span; goes on with the caller's trace where one is named (traceparent). */
  begin(request: FastifyRequest, goOn: () => void): void
  /** `label`: the address without what is somebody's. */
  end(request: FastifyRequest, label: string, status: number): void
  stop(): Promise<void>
}

export type TraceOptions = {
  /** Of the collector, as the standard has it: /v1/traces is added. */
  endpoint: string
  /** Of the traces that begin here, between 0 and 1. */
  share: number
  onProblem: (error: unknown) => void
}

const SERVICE = 'partner-office'
const FAILED = 500
const getter = {
  get: (headers: FastifyRequest['headers'], key: string) => headers[key],
  keys: (headers: FastifyRequest['headers']) => Object.keys(headers),
}

export function startTraces({ endpoint, share, onProblem }: TraceOptions): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': SERVICE }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const propagator = new W3CTraceContextPropagator()
  const tracer = provider.getTracer(SERVICE)
  const spans = new WeakMap<FastifyRequest, Span>()
  const restore = traceStatements(tracer)
  const unsubscribe = traceOutside(tracer)
  return {
    begin(request, goOn) {
      const from = propagator.extract(ROOT_CONTEXT, request.headers, getter)
      const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, from)
      spans.set(request, span)
      context.with(trace.setSpan(from, span), goOn)
    },
    end(request, label, status) {
      const span = spans.get(request)
      if (!span) return
      span.updateName(`${request.method} ${label}`)
      span.setAttributes({
        'http.request.method': request.method,
        'http.route': label,
        'http.response.status_code': status,
        'request.id': request.id,
      })
      if (status >= FAILED) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    async stop() {
      restore()
      unsubscribe()
      await provider.shutdown().catch(onProblem)
      context.disable()
    },
  }
}

/** Where somebody's request is at work: what loops ask for by themselves makes no traces. */
function spanWithin(tracer: Tracer, name: string, attributes: Record<string, string>): Span | null {
  const here: Context = context.active()
  if (!trace.getSpan(here)?.isRecording() || isTracingSuppressed(here)) return null
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, here)
}

function endWith(span: Span, failure?: unknown): void {
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Each statement of a connection, by the name that it was prepared under, or by its first word. */
function traceStatements(tracer: Tracer): () => void {
  const { query } = pg.Client.prototype
  const asked = query as (this: pg.Client, ...given: unknown[]) => unknown
  pg.Client.prototype.query = function traced(this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: string; name?: string } | undefined]
    const text = typeof first === 'string' ? first : (first?.text ?? '')
    const word = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'query'
    const name = (typeof first === 'object' && first.name) || word
    const span = spanWithin(tracer, name, { 'db.system.name': 'postgresql', 'db.operation.name': word })
    const answer = asked.apply(this, given)
    if (span && answer instanceof Promise)
      answer.then(
        () => endWith(span),
        error => endWith(span, error),
      )
    return answer
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
  }
}

type FetchMessage = { request: object & { origin?: string; method?: string }; error?: unknown }
type CallMessage = { request: ClientRequest; error?: unknown }

/** Calls to other services by fetch and by Node's own client: to which host, and how they ended. */
function traceOutside(tracer: Tracer): () => void {
  const open = new WeakMap<object, Span>()
  const begin = (request: object, host: string, method: string) => {
    const span = spanWithin(tracer, `${method} ${host}`, {
      'server.address': host,
      'http.request.method': method,
    })
    if (span) open.set(request, span)
  }
  const end = (request: object, failure?: unknown) => {
    const span = open.get(request)
    if (span) endWith(span, failure)
    open.delete(request)
  }
  const heard: Record<string, (message: unknown) => void> = {
    'undici:request:create': message => {
      const { request } = message as FetchMessage
      begin(request, request.origin ? new URL(request.origin).host : '', request.method ?? 'GET')
    },
    'undici:request:headers': message => end((message as FetchMessage).request),
    'undici:request:error': message => {
      const { request, error } = message as FetchMessage
      end(request, error)
    },
    'http.client.request.start': message => {
      const { request } = message as CallMessage
      begin(request, request.host, request.method)
    },
    'http.client.response.finish': message => end((message as CallMessage).request),
    'http.client.request.error': message => {
      const { request, error } = message as CallMessage
      end(request, error)
    },
  }
  for (const [name, hear] of Object.entries(heard)) diagnostics.subscribe(name, hear)
  return () => {
    for (const [name, hear] of Object.entries(heard)) diagnostics.unsubscribe(name, hear)
  }
}
