// The sender: claims messages, calls the provider outside of any transaction, and records what came of it. What may have
// been sent is never sent again: it is unknown, and the provider is asked about it.
import { notify } from '#features/office/notices/server-notify.ts'
import { isSignatureRefused } from '#features/shops/signatures/rules.ts'
import { loseSignature } from '#features/shops/signatures/server-use.ts'
import {
  ProviderRefused,
  ProviderUnknown,
  type SmsAnswer,
  type SmsBatch,
  type SmsSender,
} from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import { isAccountRefused, isThrottling, PRIORITY_KEYS, reasonOf, SENDING_LIMITS } from './rules.ts'
import { type Batch, claimDue } from './server-claims.ts'
import { type Outcome, recordOutcomes, tellOutcomes } from './server-outcomes.ts'

const CALLS_AT_ONCE = 8
/** A call that was not begun so long after the claim is left to a later claim: nothing was sent. */
const BEGUN_WITHIN_MS = 5_000
const TIDIED_AT_ONCE = 500
const RECORD_TRIES = 3

/** After some calls without an answer the provider is left alone for a while, so that a stopped one does not use up the outbox. */
const FAILURES_BEFORE_PAUSE = 3
const PAUSE_MAX_MS = 60_000
/** `until`: on the clock of the process. */
const pauses = new WeakMap<Services, { failures: number; until: number }>()

/** Does a part of the work and answers whether more waits. */
export async function sendQueued(services: Services): Promise<boolean> {
  const waiting = await whatWaits(services)
  if (waiting.late) await expireLate(services)
  if (waiting.lost) await giveUpLost(services)
  const { sms } = services.providers
  if (!sms) return false
  if ((pauses.get(services)?.until ?? 0) > performance.now()) return false
  const batches = waiting.due ? await claimDue(services, sms) : []
  if (batches.length === 0) return false
  await sendBatches(services, sms, batches)
  return true
}

async function whatWaits(services: Services) {
  const { rows } = await readAsSystem(services, ctx =>
    ctx.client.query<{ late: boolean; lost: boolean; due: boolean }>({
      name: 'messages_waiting',
      text: `
        select exists (select from outbox_messages where status = 'queued' and expires_at <= now()) as late,
          exists (select from outbox_messages where status = 'sending' and claimed_at < now() - make_interval(secs => $1)) as lost,
          exists (select from outbox_messages where status = 'queued' and priority = any ($2::int[]) and not_before <= now()) as due`,
      values: [SENDING_LIMITS.claimSeconds, PRIORITY_KEYS],
    }),
  )
  return rows[0] as { late: boolean; lost: boolean; due: boolean }
}

async function expireLate(services: Services): Promise<void> {
  await settle(
    services,
    `status = 'queued' and expires_at <= now() order by expires_at`,
    'expired',
    'EXPIRED',
  )
}

/** A sender that is gone left these: nobody knows whether it had called the provider. */
async function giveUpLost(services: Services): Promise<void> {
  const stale = `status = 'sending' and claimed_at < now() - interval '${SENDING_LIMITS.claimSeconds} seconds' order by claimed_at`
  await settle(services, stale, 'unknown', 'SENDER_GONE')
}

async function settle(
  services: Services,
  which: string,
  status: 'expired' | 'unknown',
  code: string,
): Promise<void> {
  await actAsSystem(services, `messages ${status}`, async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>(
      `select id::float8 as id from outbox_messages where ${which} limit ${TIDIED_AT_ONCE} for update skip locked`,
    )
    const at = ctx.now.toISOString()
    await recordOutcomes(
      ctx,
      rows.map(({ id }) => ({ id, status, at, code })),
    )
  })
}

/** Outcomes that come while earlier ones are written are written together. */
async function sendBatches(services: Services, sms: SmsSender, batches: Batch[]): Promise<void> {
  const endsAtMs = services.clock.now().getTime() + BEGUN_WITHIN_MS
  const told: Outcome[] = []
  let writing: Promise<void> = Promise.resolve()
  const record = (outcomes: Outcome[]) => {
    told.push(...outcomes)
    writing = writing.then(() => {
      const together = told.splice(0)
      return together.length > 0 ? recordSurely(services, together) : undefined
    })
    return writing
  }
  const waiting = [...batches]
  const caller = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift())
      await record(await callProvider(services, sms, batch, endsAtMs))
  }
  const callers = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, caller))
  const failed = callers.find(caller => caller.status === 'rejected')
  if (failed) throw failed.reason
}

/** What was sent must not be forgotten because two writers met. */
async function recordSurely(services: Services, outcomes: readonly Outcome[]): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await tellOutcomes(services, outcomes)
    } catch (error) {
      if (tries >= RECORD_TRIES) throw error
      services.onProblem(error)
    }
}

async function callProvider(
  services: Services,
  sms: SmsSender,
  batch: Batch,
  endsAtMs: number,
): Promise<Outcome[]> {
  if (services.clock.now().getTime() > endsAtMs) return notSent(services, batch)
  const call = callOf(services, sms, batch)
  try {
    const answers = await sms.send(call)
    pauses.delete(services)
    return await outcomesOfAnswers(services, sms, batch, answers)
  } catch (error) {
    if (batch.messages.length > 1 && error instanceof ProviderRefused && sms.mayBlameOne(call, error.code))
      return sendHalves(services, sms, batch, endsAtMs)
    if (error instanceof ProviderRefused && isOwnRefused(batch, error.code))
      return refusedUnderOwn(services, sms, batch, error)
    return outcomesOfFailure(services, batch, error)
  }
}

/** Nothing was sent: it goes under the vendor's signature the next time, since the shop's is not used any more. */
async function refusedUnderOwn(
  services: Services,
  sms: SmsSender,
  batch: Batch,
  { code, message: answer }: { code: string; message: string },
): Promise<Outcome[]> {
  await loseSignature(services, { service: sms.name, signature: batch.signature, code, answer })
  return notSent(services, batch)
}

function isOwnRefused({ signature }: Batch, code: string): boolean {
  return signature !== '' && isSignatureRefused(code)
}

/** A service may refuse the signature at each number. */
function outcomesOfAnswers(
  services: Services,
  sms: SmsSender,
  batch: Batch,
  answers: readonly SmsAnswer[],
): Promise<Outcome[]> | Outcome[] {
  const refusal = answers[0]?.refusal
  return refusal &&
    isOwnRefused(batch, refusal.code) &&
    answers.every(one => one.refusal?.code === refusal.code)
    ? refusedUnderOwn(services, sms, batch, refusal)
    : outcomesOf(services, batch, answers)
}

function callOf({ providers }: Services, sms: SmsSender, batch: Batch): SmsBatch {
  const { template, signature, isMixed, messages, reference: batchReference } = batch
  const isOwn = isMixed && messages.length > 1
  return {
    signature: signature || providers.smsSignature,
    template: sms.name === 'aliyun' ? template.aliyunCode : template.tencentId,
    params: isOwn ? [] : (messages[0]?.params ?? []),
    messages: messages.map(({ id, phone, params }) => ({
      reference: String(id),
      phone,
      ...(isOwn && { params }),
    })),
    batchReference,
  }
}

/** Refused, so nothing was sent: whoever is not to blame is not to suffer. Both halves keep the reference that is written. */
async function sendHalves(
  services: Services,
  sms: SmsSender,
  batch: Batch,
  endsAtMs: number,
): Promise<Outcome[]> {
  const half = Math.ceil(batch.messages.length / 2)
  const outcomes: Outcome[] = []
  for (const messages of [batch.messages.slice(0, half), batch.messages.slice(half)])
    outcomes.push(...(await callProvider(services, sms, { ...batch, messages }, endsAtMs)))
  return outcomes
}

function outcomesOf({ clock }: Services, batch: Batch, answers: readonly SmsAnswer[]): Outcome[] {
  const at = clock.now().toISOString()
  const byReference = new Map(answers.map(answer => [answer.reference, answer]))
  return batch.messages.map(({ id }): Outcome => {
    const answer = byReference.get(String(id))
    if (!answer) return { id, at, status: 'unknown', code: 'NO_ANSWER' }
    const { providerId, segments, refusal } = answer
    return refusal
      ? { id, at, status: 'failed', ...refusal }
      : { id, at, status: 'submitted', providerId, segments }
  })
}

async function outcomesOfFailure(services: Services, batch: Batch, error: unknown): Promise<Outcome[]> {
  const at = services.clock.now().toISOString()
  if (error instanceof ProviderRefused && isAccountRefused(error.code)) {
    countFailure(services)
    // What is recorded of the call must not hang on its being told.
    await tellOperator(services, error).catch(services.onProblem)
    return notSent(services, batch)
  }
  if (error instanceof ProviderRefused && !isThrottling(error.code)) {
    pauses.delete(services)
    const { code, message } = error
    return batch.messages.map(({ id }) => ({ id, at, status: 'failed', code, message }))
  }
  countFailure(services)
  if (error instanceof ProviderRefused || neverReached(error)) return notSent(services, batch)
  // Whatever else went wrong may have gone wrong after the message was on its way.
  if (!(error instanceof ProviderUnknown)) services.onProblem(error)
  return batch.messages.map(({ id }) => ({ id, at, status: 'unknown', code: 'NO_ANSWER' }))
}

/** Once a day for each reason; messages wait meanwhile. */
function tellOperator(services: Services, { code, message }: ProviderRefused): Promise<void> {
  return actAsSystem(services, 'messages refused', async ctx => {
    await notify(ctx, {
      vendor: 'operator',
      holding: 'messageDesk.outbox',
      topic: 'SmsTrouble_Notify',
      title: '短信通道异常，短信暂停发送',
      body: `${reasonOf(code, message)}（${code}）。处理后会自动继续发送，超过有效时间的会退回。`,
      link: '/admin/operations/outbox',
      onceKey: `sms-account ${code} ${formatDay(ctx.now)}`,
    })
  })
}

function notSent({ clock }: Services, batch: Batch): Outcome[] {
  const at = clock.now().toISOString()
  return batch.messages.map(({ id }) => ({ id, at, status: 'queued' }))
}

function countFailure(services: Services): void {
  const failures = (pauses.get(services)?.failures ?? 0) + 1
  const pauseMs =
    failures < FAILURES_BEFORE_PAUSE ? 0 : Math.min(PAUSE_MAX_MS, 1_000 * 2 ** Math.min(failures, 6))
  pauses.set(services, { failures, until: performance.now() + pauseMs })
}

const NEVER_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** No connection came about, so nothing of the message left this program. */
function neverReached(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (NEVER_REACHED.includes((error as NodeJS.ErrnoException).code ?? '')) return true
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(neverReached)
  return neverReached(error.cause)
}
