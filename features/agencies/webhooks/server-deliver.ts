// Sends what is due: many at once, so that a slow receiver holds up no other, and none inside a transaction.
import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '#server/ctx.ts'
import { AddressRefused, postOutside } from '#server/outside/post.ts'
import type { Tried } from './rules.ts'
import { type Claimed, claimDeliveries, STALE_MS } from './server-claims.ts'
import { bodyOf, messageIdOf } from './server-message.ts'
import { recordTry, releaseDelivery } from './server-outcomes.ts'
import { signedHeaders } from './server-sign.ts'
import { spreadChanges } from './server-spread.ts'

const WITHIN_MS = 10_000
const ANSWER_BYTES = 4_096
/** Of this instance, over all endpoints. */
const AT_ONCE = 64
const LOOK_AGAIN_MS = 250

type UnderWay = { sent: Set<Promise<void>>; stop: AbortController }
const UNDER_WAY = new WeakMap<Services, UnderWay>()

function underWay(services: Services): UnderWay {
  const known = UNDER_WAY.get(services)
  if (known) return known
  const made = { sent: new Set<Promise<void>>(), stop: new AbortController() }
  UNDER_WAY.set(services, made)
  return made
}

/** Writes deliveries for what has changed and begins to send what is due; answers whether to look again at once. */
export async function deliverWebhooks(services: Services): Promise<boolean> {
  const { sent, stop } = underWay(services)
  const busy = sent.size > 0
  const more = await spreadChanges(services)
  const claimed = sent.size < AT_ONCE ? await claimDeliveries(services, AT_ONCE - sent.size) : []
  const takenAt = performance.now()
  for (const delivery of claimed) {
    const one = send(services, delivery, { takenAt, signal: stop.signal })
      .catch(services.onProblem)
      .finally(() => sent.delete(one))
    sent.add(one)
  }
  // What ended meanwhile made room that this look may not have seen.
  if (more || sent.size === 0) return more || busy || claimed.length > 0
  // One that ended makes room for the next of its shop; one that has not holds up nobody.
  await Promise.race([...sent, pause(LOOK_AGAIN_MS)])
  return true
}

/** Stops what is under way, and leaves it to whoever comes next. */
export async function stopDelivering(services: Services): Promise<void> {
  const { sent, stop } = underWay(services)
  stop.abort()
  await Promise.all(sent)
  UNDER_WAY.delete(services)
}

async function send(
  services: Services,
  delivery: Claimed,
  { takenAt, signal }: { takenAt: number; signal: AbortSignal },
): Promise<void> {
  const began = performance.now()
  // A process that stood still meanwhile: another has it by now, or may.
  if (began - takenAt > STALE_MS) return
  const tried = await attempt(services, delivery, signal)
  if (signal.aborted && tried.httpCode === null) return releaseDelivery(services, delivery)
  await recordTry(services, delivery, { ...tried, tookMs: Math.round(performance.now() - began) })
}

async function attempt(
  services: Services,
  delivery: Claimed,
  signal: AbortSignal,
): Promise<Omit<Tried, 'tookMs'>> {
  const body = bodyOf(delivery)
  const message = {
    id: messageIdOf(delivery),
    seconds: Math.floor(services.clock.now().getTime() / 1_000),
    body,
  }
  const secrets = delivery.secrets.map(secret => services.secrets.decrypt(secret))
  try {
    const { status, answer } = await postOutside({
      url: delivery.url,
      headers: signedHeaders(message, secrets),
      body,
      withinMs: WITHIN_MS,
      answerMost: ANSWER_BYTES,
      toLoopback: services.env.webhooksToLoopback,
      signal,
    })
    return { httpCode: status, answer, problem: '' }
  } catch (error) {
    return { httpCode: null, answer: '', problem: problemOf(error) }
  }
}

/** In people's words, with the code by which their people find it. */
function problemOf(error: unknown): string {
  if (error instanceof AddressRefused) return '接收地址不在公网上，没有发送'
  if (!(error instanceof Error)) throw error
  if (error.name === 'TimeoutError') return `${WITHIN_MS / 1_000} 秒内没有应答`
  const { code } = error as NodeJS.ErrnoException
  return `没有连上接收地址（${String(code ?? error.name).slice(0, 60)}）`
}
