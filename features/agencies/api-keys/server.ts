// Making, changing, replacing and ending keys. A token is told in one answer and kept as its hash alone.
import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { hashToken } from '#features/office/access/server.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { endOfDay, formatDay, formatInstant } from '#kit/time.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import type { FieldChange } from '#server/tables.ts'
import { apiKeys as contract } from './contract.ts'
import { KEY_FIELDS } from './fields.ts'
import {
  brokenKey,
  isOverlap,
  KEY_REFUSALS,
  type KeyDeed,
  type KeyForm,
  type KeyRefusal,
  LIMITS,
  OVERLAPS,
  refuseTouch,
} from './rules.ts'
import {
  addressText,
  lastDayOf,
  listKeys,
  nodesForKeys,
  showKey,
  showTree,
  verbsOf,
  visible,
} from './server-list.ts'
import { apiKeys, apiKeyUses } from './tables.ts'

const DONE = { done: true } as const
/** Under this lock an agency's keys are counted and made one by one. */
const MAKE_LOCK = 7_211_024
const LOGGED = {
  name: KEY_FIELDS.name,
  expiresOn: KEY_FIELDS.expiresOn,
  perMinute: KEY_FIELDS.perMinute,
  addressText: KEY_FIELDS.addressText,
} as const

type Key = typeof apiKeys.$inferSelect

const told = ({ name, tokenEnd }: Pick<Key, 'name' | 'tokenEnd'>) => `${name}（尾号 ${tokenEnd}）`

function refuseField(code: KeyRefusal | null, field: string): void {
  refuse(code, KEY_REFUSALS, { field })
}

function makeToken() {
  const token = `pok_${randomBytes(32).toString('base64url')}`
  return { token, tokenHash: hashToken(token), tokenEnd: token.slice(-4) }
}

/** The key, locked, where the acting account may do this to it. */
async function touched(ctx: Ctx, id: number, deed: KeyDeed): Promise<Key> {
  const [row] = await ctx.db.select().from(apiKeys).where(visible(ctx, id)).for('update')
  const key = found(row)
  ctx.object('apiKey', id)
  const isOver = key.endedAt !== null || Date.parse(key.expiresAt) <= ctx.now.getTime()
  // What is over may be ended all the same: so it leaves the names that are taken.
  const counts = deed === 'end' ? key.endedAt !== null : isOver
  refuse(refuseTouch(deed, ctx.actor, { accountId: key.accountId, isOver: counts }), KEY_REFUSALS)
  return key
}

/** The form as it is kept; refuses what is broken, and verbs that the acting account does not hold. */
async function accepted(ctx: Ctx, form: KeyForm, before?: Key) {
  const expiresOn = before && lastDayOf(before.expiresAt)
  const [broken] = brokenKey(form, formatDay(ctx.now), expiresOn === undefined ? undefined : { expiresOn })
  if (broken) refuseField(broken.code, broken.field)
  const nodes = await nodesForKeys(ctx)
  if (nodes.some(({ id, isPersons }) => isPersons && form.nodeIds.includes(id)))
    refuseField('VERBS_CLOSED', 'nodeIds')
  const verbs = verbsOf(nodes, form.nodeIds)
  if (verbs.some(({ key }) => !ctx.actor.permissions.has(key))) refuseField('VERBS_BEYOND', 'nodeIds')
  if (verbs.length === 0) refuseField('VERBS_REQUIRED', 'nodeIds')
  const values = {
    name: form.name,
    nodeIds: verbs.map(({ id }) => id),
    addresses: [...new Set(form.addresses)],
    perMinute: form.perMinute,
    expiresAt: endOfDay(form.expiresOn).toISOString(),
  }
  return { values, verbs }
}

const shownOf = (key: Pick<Key, 'name' | 'addresses' | 'perMinute' | 'expiresAt'>) => ({
  name: key.name,
  expiresOn: lastDayOf(key.expiresAt),
  perMinute: key.perMinute,
  addressText: addressText(key.addresses),
})

/** Another key of the agency may have the name meanwhile. */
async function unlessTaken<T>(write: PromiseLike<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (sqlState(error) === '23505') refuseField('KEY_NAME_TAKEN', 'name')
    throw error
  }
}

export const addKey: Verb<typeof contract.add> = async (ctx, form) => {
  const { agentId, accountId } = ctx.actor
  const { values, verbs } = await accepted(ctx, form)
  await ctx.db.execute(sql`select pg_advisory_xact_lock(${MAKE_LOCK}, ${agentId}::int)`)
  const working = await ctx.db.$count(
    apiKeys,
    and(eq(apiKeys.agentId, agentId), isNull(apiKeys.endedAt), gt(apiKeys.expiresAt, sql`now()`)),
  )
  if (working >= LIMITS.keys) refuse('KEYS_FULL', KEY_REFUSALS)
  const { token, ...kept } = makeToken()
  const now = ctx.now.toISOString()
  const [key] = await unlessTaken(
    ctx.db
      .insert(apiKeys)
      .values({ ...values, ...kept, agentId, accountId, createdAt: now })
      .returning({ id: apiKeys.id }),
  )
  const { id } = found(key)
  await ctx.db
    .insert(apiKeyUses)
    .values({ keyId: id, agentId, tokens: values.perMinute, filledAt: now, calls: 0 })
  ctx.object('apiKey', id)
  const nothing = { name: null, expiresOn: null, perMinute: null, addressText: null }
  ctx.note(told({ ...values, ...kept }), [
    ...changesOf(nothing as Record<keyof typeof LOGGED, unknown>, shownOf(values), LOGGED),
    { name: '权限', before: null, after: verbs.map(({ name }) => name).join('、') },
  ])
  return { id, token, firstCall: ctx.services.firstCallOf(verbs.map(({ key }) => key)) }
}

export const editKey: Verb<typeof contract.edit> = async (ctx, { id, ...form }) => {
  const key = await touched(ctx, id, 'change')
  const { values, verbs } = await accepted(ctx, form, key)
  const nodes = await nodesForKeys(ctx)
  const named = (ids: readonly number[]) =>
    nodes
      .filter(node => ids.includes(node.id))
      .map(({ name }) => name)
      .join('、')
  const after = verbs.map(verb => verb.id)
  const given = after.filter(one => !key.nodeIds.includes(one))
  const taken = key.nodeIds.filter(one => !after.includes(one))
  const changes: FieldChange[] = changesOf(shownOf(key), shownOf(values), LOGGED)
  if (given.length > 0) changes.push({ name: '新增权限', before: null, after: named(given) })
  if (taken.length > 0) changes.push({ name: '收回权限', before: named(taken), after: null })
  ctx.note(told(key), changes)
  if (changes.length === 0) ctx.nothingChanged()
  else await unlessTaken(ctx.db.update(apiKeys).set(values).where(eq(apiKeys.id, id)))
  return DONE
}

export const rotateKey: Verb<typeof contract.rotate> = async (ctx, { id, overlapHours }) => {
  const key = await touched(ctx, id, 'change')
  if (!isOverlap(overlapHours)) refuseField('OVERLAP_UNKNOWN', 'overlapHours')
  const { token, ...kept } = makeToken()
  const until = Math.min(ctx.now.getTime() + overlapHours * 3_600_000, Date.parse(key.expiresAt))
  const previous =
    overlapHours === 0
      ? { previousHash: null, previousEnd: null, previousUntil: null }
      : {
          previousHash: key.tokenHash,
          previousEnd: key.tokenEnd,
          previousUntil: new Date(until).toISOString(),
        }
  await ctx.db
    .update(apiKeys)
    .set({ ...kept, ...previous })
    .where(eq(apiKeys.id, id))
  await ctx.db.update(apiKeyUses).set({ previousUsedAt: null }).where(eq(apiKeyUses.keyId, id))
  ctx.note(told(key), [
    { name: KEY_FIELDS.tokenEnd.label, before: key.tokenEnd, after: kept.tokenEnd },
    {
      name: '旧密钥',
      before: null,
      after: overlapHours === 0 ? OVERLAPS[0] : `保留至 ${formatInstant(new Date(until))}`,
    },
  ])
  const held = (await nodesForKeys(ctx)).filter(
    node => key.nodeIds.includes(node.id) && ctx.actor.permissions.has(node.key),
  )
  return { id, token, firstCall: ctx.services.firstCallOf(held.map(node => node.key)) }
}

export const endPrevious: Verb<typeof contract.endPrevious> = async (ctx, { id }) => {
  const key = await touched(ctx, id, 'change')
  const works = key.previousUntil !== null && Date.parse(key.previousUntil) > ctx.now.getTime()
  if (!works) refuse('NO_PREVIOUS', KEY_REFUSALS)
  await ctx.db
    .update(apiKeys)
    .set({ previousHash: null, previousEnd: null, previousUntil: null })
    .where(eq(apiKeys.id, id))
  ctx.note(told(key), [{ name: '旧密钥', before: `尾号 ${key.previousEnd}`, after: '已停用' }])
  return DONE
}

export const endKey: Verb<typeof contract.end> = async (ctx, { id }) => {
  const key = await touched(ctx, id, 'end')
  const nobody = { previousHash: null, previousEnd: null, previousUntil: null }
  await ctx.db
    .update(apiKeys)
    .set({ ...nobody, endedAt: sql`now()`, endedBy: 'hand' })
    .where(eq(apiKeys.id, id))
  ctx.note(told(key), [{ name: KEY_FIELDS.state.label, before: '有效', after: '已撤销' }])
  if (key.accountId !== ctx.actor.accountId)
    await notify(ctx, {
      accountIds: [key.accountId],
      topic: 'ApiKey_Notify',
      title: '接口密钥已被撤销',
      body: `${ctx.actor.name} 撤销了您的接口密钥「${key.name}」，使用它的程序不能再访问。`,
      link: '/admin/account/apiKeys',
    })
  return DONE
}

export const apiKeysRouter = serve(contract, {
  list: listKeys,
  details: showKey,
  tree: showTree,
  add: addKey,
  edit: editKey,
  rotate: rotateKey,
  endPrevious,
  end: endKey,
})
