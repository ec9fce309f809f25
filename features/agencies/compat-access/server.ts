// One's own door for the documents' calls: opened with the password, whose MD5 is kept sealed, and closed; what is used, for the operator.
import { createHash } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import { addKey, endKey } from '#features/agencies/api-keys/server.ts'
import { lastDayOf, nodesForKeys } from '#features/agencies/api-keys/server-list.ts'
import { apiKeys } from '#features/agencies/api-keys/tables.ts'
import {
  countTry,
  forgetTries,
  refuseThrottled,
  type Subject,
} from '#features/agencies/sign-in/server-limits.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { addDays, formatDay } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { filtered, type ListSource, rowsAndTotal } from '#server/list.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { verifyPassword } from '#server/secrets.ts'
import { serve } from '#server/serve.ts'
import { compatAccess as contract } from './contract.ts'
import { COMPAT_USES } from './fields.ts'
import { type CallState, COMPAT_REFUSALS, daysOf, LIMITS, TERMS } from './rules.ts'
import { digestOf, enter } from './server-enter.ts'
import { compatAccesses, compatClosedCalls, compatTokens, compatUses } from './tables.ts'

const DONE = { done: true } as const

async function ownAccess(ctx: Ctx) {
  const [row] = await ctx.db
    .select({
      keyId: compatAccesses.keyId,
      passwordDigest: compatAccesses.passwordDigest,
      passwordHash: accounts.passwordHash,
      expiresAt: apiKeys.expiresAt,
      isOver: sql<boolean>`${apiKeys.endedAt} is not null or ${apiKeys.expiresAt} <= now()`,
    })
    .from(compatAccesses)
    .innerJoin(accounts, eq(accounts.id, compatAccesses.accountId))
    .innerJoin(apiKeys, eq(apiKeys.id, compatAccesses.keyId))
    .where(eq(compatAccesses.accountId, ctx.actor.accountId))
  return row
}

export const standing: Verb<typeof contract.standing> = async ctx => {
  const isOffered = ctx.services.env.compat
  const row = isOffered ? await ownAccess(ctx) : undefined
  if (!row || row.isOver) return { isOffered, access: null }
  const [used] = await ctx.db
    .select({ lastUsedAt: compatUses.lastUsedAt })
    .from(compatUses)
    .where(eq(compatUses.accountId, ctx.actor.accountId))
    .orderBy(desc(compatUses.lastUsedAt))
    .limit(1)
  const isVoid = !digestOf(ctx, row.passwordHash).equals(row.passwordDigest)
  const expiresOn = lastDayOf(row.expiresAt)
  return { isOffered, access: { expiresOn, isVoid, lastUsedAt: used?.lastUsedAt ?? null } }
}

/** The password as its owner types it; refused and counted as at every place that asks for it again. */
async function proven(ctx: Ctx, password: string): Promise<string> {
  const { accountId, loginName } = ctx.actor
  const subjects: Subject[] = [{ by: 'device', subject: `password ${accountId}` }]
  await refuseThrottled(ctx, subjects)
  const [account] = await ctx.db
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  const { passwordHash } = found(account)
  const matches = await verifyPassword(password, passwordHash)
  const tries = await countTry(ctx, subjects)
  ctx.note(loginName)
  if (!matches)
    throw new Refusal('PASSWORD_WRONG', COMPAT_REFUSALS.PASSWORD_WRONG, { field: 'password' }, true)
  await forgetTries(ctx, tries)
  return passwordHash
}

export const open: Verb<typeof contract.open> = async (ctx, { password, days }) => {
  const { accountId, agentId, loginName, permissions } = ctx.actor
  if (!ctx.services.env.compat) refuse('COMPAT_OFF', COMPAT_REFUSALS)
  const before = await ownAccess(ctx)
  if (before && !before.isOver) refuse('ALREADY_OPEN', COMPAT_REFUSALS)
  const typed = password.trim()
  const passwordHash = await proven(ctx, typed)
  const nodes = await nodesForKeys(ctx)
  const { id: keyId } = await addKey(ctx, {
    name: `旧接口 ${loginName}`,
    nodeIds: nodes.filter(({ says, key }) => says !== '' && permissions.has(key)).map(({ id }) => id),
    addresses: [],
    perMinute: LIMITS.perMinute,
    expiresOn: addDays(formatDay(ctx.now), daysOf(days)),
  })
  const values = {
    agentId,
    keyId,
    verifier: ctx.services.secrets.encrypt(createHash('md5').update(typed).digest('hex')),
    passwordDigest: digestOf(ctx, passwordHash),
    createdAt: ctx.now.toISOString(),
  }
  await ctx.db
    .insert(compatAccesses)
    .values({ accountId, ...values })
    .onConflictDoUpdate({ target: compatAccesses.accountId, set: values })
  ctx.note(loginName, [{ name: '旧接口', before: null, after: `开通 ${TERMS[days]}` }])
  return DONE
}

export const close: Verb<typeof contract.close> = async ctx => {
  const { accountId, loginName } = ctx.actor
  const access = await ownAccess(ctx)
  if (!access) throw new Refusal('NOT_OPEN', COMPAT_REFUSALS.NOT_OPEN)
  if (!access.isOver) await endKey(ctx, { id: access.keyId })
  await ctx.db.delete(compatTokens).where(eq(compatTokens.accountId, accountId))
  await ctx.db.delete(compatAccesses).where(eq(compatAccesses.accountId, accountId))
  ctx.note(loginName, [{ name: '旧接口', before: '已开通', after: '已关闭' }])
  return DONE
}

const STATE = sql<CallState>`case when exists (select 1 from ${compatClosedCalls} c where c.call = ${compatUses.call})
  then 'closed' else 'open' end`
const LATEST = [desc(compatUses.lastUsedAt), desc(compatUses.id)]

export const listUses: Verb<typeof contract.uses> = async (ctx, input) => {
  const ofAccount = sql<string>`(select a.name || ' ' || a.login_name from ${accounts} a where a.id = ${compatUses.accountId})`
  const ofAgent = sql<string>`(select g.company_name from ${agents} g where g.id = ${compatUses.agentId})`
  const list: ListSource = {
    name: 'compat uses',
    table: compatUses,
    conditions: [
      ...(ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope
        ? []
        : [{ key: 'nobody', sql: sql`false` }]),
      ...(input.search
        ? [
            {
              key: 'search',
              sql: sql`position(lower(${sql.placeholder('sought')}) in lower(${compatUses.call} || ' ' || ${ofAgent} || ' ' || ${ofAccount})) > 0`,
              values: { sought: input.search },
            },
          ]
        : []),
      ...filtered(
        COMPAT_USES,
        input,
        { state: state => [{ key: `state ${state}`, sql: sql`${STATE} = ${sql.raw(`'${state}'`)}` }] },
        compatUses,
      ),
    ],
    sort: 'latest',
    order: LATEST,
  }
  const answer = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: compatUses.id,
        call: compatUses.call,
        state: STATE.as('state'),
        agentName: ofAgent.as('agent_name'),
        accountName: ofAccount.as('account_name'),
        calls: compatUses.calls,
        lastUsedAt: compatUses.lastUsedAt,
        lastIp: compatUses.lastIp,
        expiresAt: apiKeys.expiresAt,
      })
      .from(page)
      .innerJoin(compatUses, eq(compatUses.id, page.id))
      .leftJoin(compatAccesses, eq(compatAccesses.accountId, compatUses.accountId))
      .leftJoin(
        apiKeys,
        and(
          eq(apiKeys.id, compatAccesses.keyId),
          sql`${apiKeys.endedAt} is null and ${apiKeys.expiresAt} > now()`,
        ),
      )
      .orderBy(...LATEST),
  )
  return {
    ...answer,
    rows: answer.rows.map(({ expiresAt, ...row }) => ({
      ...row,
      expiresOn: expiresAt === null ? null : lastDayOf(expiresAt),
    })),
  }
}

export const setCall: Verb<typeof contract.setCall> = async (ctx, { call, closed }) => {
  const [used] = await ctx.db
    .select({ id: compatUses.id })
    .from(compatUses)
    .where(eq(compatUses.call, call))
    .limit(1)
  if (!used || !ctx.actor.isVendorStaff) refuse('CALL_UNKNOWN', COMPAT_REFUSALS)
  const values = { call, closedAt: ctx.now.toISOString(), closedBy: ctx.actor.accountId }
  const changed = closed
    ? await ctx.db
        .insert(compatClosedCalls)
        .values(values)
        .onConflictDoNothing()
        .returning({ call: compatClosedCalls.call })
    : await ctx.db
        .delete(compatClosedCalls)
        .where(eq(compatClosedCalls.call, call))
        .returning({ call: compatClosedCalls.call })
  const word = (isClosed: boolean) => (isClosed ? '已停用' : '使用中')
  ctx.note(call, [{ name: '状态', before: word(!closed), after: word(closed) }])
  if (changed.length === 0) ctx.nothingChanged()
  return DONE
}

export const compatAccessRouter = serve(contract, { standing, open, close, enter, uses: listUses, setCall })
