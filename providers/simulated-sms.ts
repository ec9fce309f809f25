// What the simulators of both SMS services share: registry, limits, balance, carriers, receipts, inbox and control plane.
// It shares no code with the clients.

import { inboxPage, inboxRows } from './simulated-sms-inbox.ts'
import { type FrequencyRules, makeFrequencyLimits } from './simulated-sms-limits.ts'
import { makeReceiptPusher, type ReceiptForms } from './simulated-sms-receipts.ts'
import {
  kindOf,
  makeSmsRegistry,
  type PreloadedRegistry,
  type ReviewedKind,
  type SimulatedTemplate,
} from './simulated-sms-registry.ts'
import { makeSmsStore, type Outcome, type SmsCall } from './simulated-sms-store.ts'
import { type Control, json, type SimAnswer, type SimRequest } from './simulator.ts'

export type SimulatedSmsOptions = {
  registry: PreloadedRegistry
  /** Keeps the signatures; absent: they are forgotten at the end. */
  registryFile?: string
  /** Where receipts go; null until `setReceiptsUrl` or the control plane says. */
  receiptsUrl?: string | null
  /** Frequency limits per number; off for load tests. On by default. */
  limits?: boolean
  /** Segments that may still be sent. Endless by default. */
  balanceSegments?: number
  /** How long a review takes. */
  reviewMs?: number
  /** How long a carrier takes to report. */
  carrierMs?: number
  /** The minutes 1, 5 and 10 of repeated receipts are multiplied by this; 1/120 by default, so half a second first. */
  callbackScale?: number
  /** Messages that details and receipts still know. */
  rememberMax?: number
}
export type SmsEngineForms = ReceiptForms & { title: string; firstId: number; frequency: FrequencyRules }
export type SmsEngine = ReturnType<typeof makeSmsEngine>

/** What a simulator of an SMS service is beside its server. */
export type SmsSimulatorParts = {
  setReceiptsUrl(url: string | null): void
  counts(): Record<string, number>
}

/** 70 UTF-16 units of 【signature】text fit one segment, beyond that 67 each. */
function countSegments(signature: string, text: string): number {
  const units = signature.length + 2 + text.length
  if (units < 71) return 1
  return Math.floor((units + 66) / 67)
}

/** `2017-01-01 00:00:00` in Asia/Shanghai. */
export function localTime(ms: number): string {
  return new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Without the country code, in each of the forms that the services take. */
export function mainlandNumber(number: string): string {
  return number.replace(/^(\+86|0086|86)(?=1\d{10}$)/, '')
}

export function makeSmsEngine(options: SimulatedSmsOptions, forms: SmsEngineForms) {
  const rememberMax = options.rememberMax ?? 100_000
  const carrierMs = options.carrierMs ?? 300
  const registry = makeSmsRegistry(
    options.registry,
    options.reviewMs ?? 5000,
    forms.firstId,
    options.registryFile ?? null,
  )
  const limits = makeFrequencyLimits(forms.frequency)
  const store = makeSmsStore(rememberMax)
  const receipts = makeReceiptPusher({
    url: options.receiptsUrl ?? null,
    carrierMs,
    scale: options.callbackScale ?? 1 / 120,
    queueMax: rememberMax,
    get: store.get,
    bodyOf: forms.bodyOf,
    isKept: forms.isKept,
  })
  let isLimited = options.limits ?? true
  let balanceSegments = options.balanceSegments ?? Number.POSITIVE_INFINITY
  const counts = { calls: 0, accepted: 0, refused: 0, segments: 0 }

  const engine = {
    registry,
    store,
    receipts,
    counts,
    carrierMs,
    countSegments,
    /** Takes segments from the balance, or takes none and answers false. */
    charge(segments: number): boolean {
      if (segments > balanceSegments) return false
      balanceSegments -= segments
      return true
    },
    /** The rule that this message would break; where it breaks none, it is counted. */
    limit: (phone: string, signature: string, template: SimulatedTemplate, nowMs: number) =>
      isLimited ? limits.take(phone, signature, template.kind, nowMs) : null,
    /** Accepts one message. Answers its number in the order of all. */
    accept(
      message: { phone: string; signature: string; text: string; segments: number; outcome: Outcome },
      call: SmsCall,
      nowMs: number,
    ): number {
      const sequence = store.add({ ...message, call, sentAtMs: nowMs })
      counts.accepted++
      counts.segments += message.segments
      if (message.outcome !== 'silent') receipts.add(sequence)
      return sequence
    },
    allCounts: () => ({ ...counts, ...receipts.counts }),
    setLimited(on: boolean) {
      isLimited = on
      limits.forget()
    },
    setBalance(segments: number) {
      balanceSegments = segments
    },
    answerControl: (path: string, request: SimRequest, control: Control) =>
      answerControl(engine, forms.title, path, request, control),
  }
  return engine
}

/**
 * GET inbox, inbox.json, registry, counts; POST registry {signature} or {template}, review {kind, key, approve, reason} or
 * {kind, key, ended}, carriers {key, carriers}, removal {kind, key},
 * balance {segments}, limits {on}, receipts {url}.
 */
function answerControl(
  engine: SmsEngine,
  title: string,
  path: string,
  request: SimRequest,
  control: Control,
): SimAnswer | null {
  const phone = request.query.get('phone') ?? ''
  const nowMs = control.now().getTime()
  if (request.method === 'POST') return answerPost(engine, path, JSON.parse(request.body.toString()), nowMs)
  if (path === 'inbox')
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      body: inboxPage(title, engine.store, phone),
    }
  if (path === 'inbox.json')
    return json({
      messages: inboxRows(engine.store, phone).slice(0, Number(request.query.get('limit') ?? 1000)),
    })
  if (path === 'counts') return json(engine.allCounts())
  if (path === 'registry') return answerRegistry(engine, nowMs)
  return null
}

function answerRegistry({ registry }: SmsEngine, nowMs: number): SimAnswer {
  return json({
    signatures: registry.list('signature', nowMs),
    templates: registry.list('template', nowMs),
    qualifications: registry.list('qualification', nowMs),
  })
}

type Post = {
  signature?: string
  template?: { code: string; text: string; kind?: 'code' | 'notice' }
  kind?: ReviewedKind
  key?: string
  approve?: boolean
  ended?: boolean
  carriers?: number
  reason?: string
  segments?: number
  on?: boolean
  url?: string | null
}

function answerPost(engine: SmsEngine, path: string, post: Post, nowMs: number): SimAnswer | null {
  const { registry } = engine
  if (path === 'registry') {
    if (post.signature) registry.addSignature(post.signature, 0, nowMs).state = 'approved'
    if (post.template) {
      const { code, text, kind } = post.template
      registry.addTemplate({ code, text, name: code, kind: kind ?? kindOf(text) }, nowMs).state = 'approved'
    }
    return answerRegistry(engine, nowMs)
  }
  if (path === 'review') {
    const state = post.ended ? 'ended' : post.approve === true ? 'approved' : 'rejected'
    const isFound = registry.decide(post.kind as ReviewedKind, post.key ?? '', {
      state,
      reason: post.reason ?? '',
    })
    return isFound ? answerRegistry(engine, nowMs) : { status: 404, body: 'no such entry' }
  }
  if (path === 'carriers') registry.decide('signature', post.key ?? '', { carriers: post.carriers ?? 3 })
  else if (path === 'removal') registry.remove(post.kind as ReviewedKind, post.key ?? '')
  else if (path === 'balance') engine.setBalance(post.segments ?? 0)
  else if (path === 'limits') engine.setLimited(post.on === true)
  else if (path === 'receipts') engine.receipts.setUrl(post.url ?? null)
  else return null
  return json(engine.allCounts())
}
