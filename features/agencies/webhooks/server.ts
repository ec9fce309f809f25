// Endpoints and their secrets. A secret is told in one answer and kept sealed, since it signs.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { isOverlap, OVERLAPS } from '#features/agencies/api-keys/rules.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { isPublicAddress } from '#server/outside/addresses.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { webhooks as contract } from './contract.ts'
import { ENDPOINT_FIELDS } from './fields.ts'
import { LIMITS, refuseUrl, WEBHOOK_DELIVERY_STEPS, WEBHOOK_REFUSALS, type WebhookRefusal } from './rules.ts'
import { replay, resend, sendTest } from './server-again.ts'
import { listDeliveries, listEndpoints, listOptions, showDelivery, topicText } from './server-list.ts'
import { makeSecret } from './server-sign.ts'
import { refuseNarrow, touched } from './server-touch.ts'
import { webhookDeliveries, webhookEndpoints } from './tables.ts'

const DONE = { done: true } as const
/** Under this lock an agency's endpoints are counted and made one by one. */
const MAKE_LOCK = 7_211_032
const LOGGED = { url: ENDPOINT_FIELDS.url, topicText: ENDPOINT_FIELDS.topicText } as const

type Form = Pick<typeof webhookEndpoints.$inferSelect, 'url' | 'topics'>

function refuseField(code: WebhookRefusal | null, field: string): void {
  refuse(code, WEBHOOK_REFUSALS, { field })
}

function refuseForm(ctx: Ctx, { url, topics }: Form): void {
  const { webhooksToLoopback: toLoopback } = ctx.services.env
  refuseField(refuseUrl(url, { toLoopback, isClosed: host => !isPublicAddress(host) }), 'url')
  refuseField(topics.length === 0 ? 'TOPICS_REQUIRED' : null, 'topics')
}

const shownOf = ({ url, topics }: Form) => ({ url, topicText: topicText(topics) })

async function unlessTaken<T>(write: PromiseLike<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (sqlState(error) === '23505') refuseField('URL_TAKEN', 'url')
    throw error
  }
}

export const addEndpoint: Verb<typeof contract.add> = async (ctx, form) => {
  refuseNarrow(ctx)
  refuseForm(ctx, form)
  const { agentId, name } = ctx.actor
  await ctx.db.execute(sql`select pg_advisory_xact_lock(${MAKE_LOCK}, ${agentId}::int)`)
  const standing = await ctx.db.$count(
    webhookEndpoints,
    and(eq(webhookEndpoints.agentId, agentId), isNull(webhookEndpoints.removedAt)),
  )
  refuse(standing >= LIMITS.endpoints ? 'ENDPOINTS_FULL' : null, WEBHOOK_REFUSALS)
  const { secret, secretEnd } = makeSecret()
  const values = { ...form, topics: [...new Set(form.topics)] }
  const [row] = await unlessTaken(
    ctx.db
      .insert(webhookEndpoints)
      .values({
        ...values,
        agentId,
        secret: ctx.services.secrets.encrypt(secret),
        secretEnd,
        createdByName: name,
        createdAt: sql`now()`,
      })
      .returning({ id: webhookEndpoints.id }),
  )
  const { id } = found(row)
  ctx.object('webhook', id)
  const nothing = { url: null, topicText: null } as Record<keyof typeof LOGGED, unknown>
  ctx.note(form.url, changesOf(nothing, shownOf(values), LOGGED))
  return { id, secret }
}

export const editEndpoint: Verb<typeof contract.edit> = async (ctx, { id, ...form }) => {
  const before = await touched(ctx, id)
  refuseForm(ctx, form)
  const values = { ...form, topics: [...new Set(form.topics)] }
  const changes = changesOf(shownOf(before), shownOf(values), LOGGED)
  ctx.note(before.url, changes)
  if (changes.length === 0) ctx.nothingChanged()
  else await unlessTaken(ctx.db.update(webhookEndpoints).set(values).where(eq(webhookEndpoints.id, id)))
  return DONE
}

export const setEnabled: Verb<typeof contract.setEnabled> = async (ctx, { id, enabled }) => {
  const before = await touched(ctx, id)
  refuse(enabled && before.secret === null ? 'SECRET_MISSING' : null, WEBHOOK_REFUSALS)
  if (before.enabled === enabled) ctx.nothingChanged()
  else
    await ctx.db
      .update(webhookEndpoints)
      .set(
        enabled
          ? { enabled, offReason: null, offAt: null, failingSince: null }
          : { enabled, offReason: 'hand', offAt: sql`now()` },
      )
      .where(eq(webhookEndpoints.id, id))
  // What waited is tried at once, whenever it was to be tried again.
  if (enabled && !before.enabled)
    await ctx.db
      .update(webhookDeliveries)
      .set({ dueAt: sql`now()` })
      .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.state, 'pending')))
  const word = (on: boolean) => (on ? '已启用' : '已停用')
  ctx.note(before.url, [{ name: '状态', before: word(before.enabled), after: word(enabled) }])
  ctx.afterCommit(() => ctx.services.wake('webhooks'))
  return DONE
}

export const rotateSecret: Verb<typeof contract.rotate> = async (ctx, { id, overlapHours }) => {
  const before = await touched(ctx, id)
  refuseField(isOverlap(overlapHours) ? null : 'OVERLAP_UNKNOWN', 'overlapHours')
  const { secret, secretEnd } = makeSecret()
  const until = new Date(ctx.now.getTime() + overlapHours * 3_600_000)
  await ctx.db
    .update(webhookEndpoints)
    .set({
      secret: ctx.services.secrets.encrypt(secret),
      secretEnd,
      previousSecret: overlapHours === 0 ? null : before.secret,
      previousUntil: overlapHours === 0 ? null : until.toISOString(),
    })
    .where(eq(webhookEndpoints.id, id))
  ctx.note(before.url, [
    { name: ENDPOINT_FIELDS.secretEnd.label, before: before.secretEnd, after: secretEnd },
    {
      name: '旧密钥',
      before: null,
      after: overlapHours === 0 ? OVERLAPS[0] : `保留至 ${formatInstant(until)}`,
    },
  ])
  return { id, secret }
}

export const endPrevious: Verb<typeof contract.endPrevious> = async (ctx, { id }) => {
  const before = await touched(ctx, id)
  const signs = before.previousUntil !== null && Date.parse(before.previousUntil) > ctx.now.getTime()
  refuse(signs ? null : 'NO_PREVIOUS', WEBHOOK_REFUSALS)
  await ctx.db
    .update(webhookEndpoints)
    .set({ previousSecret: null, previousUntil: null })
    .where(eq(webhookEndpoints.id, id))
  ctx.note(before.url, [{ name: '旧密钥', before: '有效', after: '已停用' }])
  return DONE
}

export const removeEndpoint: Verb<typeof contract.remove> = async (ctx, { id }) => {
  const { url } = await touched(ctx, id)
  await ctx.db
    .update(webhookEndpoints)
    .set({ enabled: false, removedAt: sql`now()`, previousSecret: null, previousUntil: null })
    .where(eq(webhookEndpoints.id, id))
  await ctx.db
    .update(webhookDeliveries)
    .set({ state: WEBHOOK_DELIVERY_STEPS.giveUp.to, problem: '接收地址已删除' })
    .where(
      and(
        eq(webhookDeliveries.endpointId, id),
        inArray(webhookDeliveries.state, WEBHOOK_DELIVERY_STEPS.giveUp.from),
      ),
    )
  ctx.note(url, [{ name: ENDPOINT_FIELDS.state.label, before: null, after: '已删除' }])
  return DONE
}

export const webhooksRouter = serve(contract, {
  list: listEndpoints,
  options: listOptions,
  add: addEndpoint,
  edit: editEndpoint,
  setEnabled,
  rotate: rotateSecret,
  endPrevious,
  remove: removeEndpoint,
  sendTest,
  replay,
  deliveries: listDeliveries,
  delivery: showDelivery,
  resend,
})
