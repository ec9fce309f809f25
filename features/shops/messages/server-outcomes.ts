// What becomes of messages: the one place where their states, charges and the counts of use change together.
import { post } from '#features/money/ledger/server.ts'
import { formatDay } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import {
  CODE_MESSAGES,
  isUsed,
  MASKED_CODE,
  type MessageKind,
  type MessageStatus,
  mayBecome,
  type Payer,
  reasonOf,
  SENDING_LIMITS,
  segmentsDue,
} from './rules.ts'
import { creditMovement } from './server-outbox.ts'

export type Outcome = {
  id: number
  status: MessageStatus
  at: string
  providerId?: string | null
  /** Segments as the provider tells them. */
  segments?: number | null
  code?: string
  message?: string
  /** Told by a receipt or by the provider's details. */
  isReport?: boolean
}

type Row = {
  id: number
  status: MessageStatus
  kind: MessageKind
  agentId: number
  payer: Payer
  payerId: number
  documentNo: string
  segments: number
  fee: number | null
  charged: number
  providerId: string | null
  claimedAt: Date | null
  submittedAt: Date | null
  reportedAt: Date | null
  errorCode: string
  errorText: string
}
type Change = { before: Row; after: Row; notBefore: Date | null; askAt: Date | null }

/** Extra segments are asked for again where the credit went meanwhile. */
const CHARGE_TRIES = 3

const LOCK = `
  select id::float8 as id, status, kind, agent_id::float8 as "agentId", payer, coalesce(payer_id, 0)::float8 as "payerId",
    coalesce(document_no, '') as "documentNo", segments, fee, charged, provider_id as "providerId",
    claimed_at as "claimedAt", submitted_at as "submittedAt", reported_at as "reportedAt", error_code as "errorCode",
    error_text as "errorText"
  from outbox_messages where id = any ($1::bigint[]) order by outbox_messages.id for update`

const CHANGE = `
  update outbox_messages m set status = n.status, fee = n.fee, charged = n.charged, provider_id = n.provider_id,
    submitted_at = n.submitted_at, reported_at = n.reported_at, error_code = n.error_code, error_text = n.error_text,
    ask_at = n.ask_at, not_before = coalesce(n.not_before, m.not_before),
    claimed_at = case when n.status = 'queued' then null else m.claimed_at end,
    batch_reference = case when n.status = 'queued' then null else m.batch_reference end
  from unnest($1::bigint[], $2::text[], $3::int[], $4::int[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::text[],
    $9::text[], $10::timestamptz[], $11::timestamptz[])
    as n (id, status, fee, charged, provider_id, submitted_at, reported_at, error_code, error_text, ask_at, not_before)
  where m.id = n.id`

const MASK = `
  update outbox_messages set text = replace(text, params->>'code', $2), params = jsonb_set(params, '{code}', to_jsonb($2::text))
  where id = any ($1::bigint[]) and params ? 'code' and params->>'code' <> ''`

const COUNT = `
  insert into sms_days (payer, payer_id, day, agent_id, messages, segments)
  select * from unnest($1::text[], $2::bigint[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[])
  on conflict (payer, payer_id, day) do update
    set messages = sms_days.messages + excluded.messages, segments = sms_days.segments + excluded.segments`

const COUNT_LOCK = 7_211_013

/** `recordOutcomes` in the program's own name, with what it left for after the commit. */
export function tellOutcomes(services: Services, outcomes: readonly Outcome[]): Promise<void> {
  return actAsSystem(services, 'messages outcome', ctx => recordOutcomes(ctx, outcomes))
}

/**
 * Changes the state of messages where the table of steps allows it, and with it what their payers are charged (in one
 * transfer per document and payer) and what counts as used. An outcome that comes twice or too late changes nothing.
 * Call it last before commit, as somebody who sees all agents.
 */
export async function recordOutcomes(ctx: Ctx, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const byId = new Map(outcomes.map(outcome => [outcome.id, outcome]))
  const { rows } = await ctx.client.query<Row>({
    name: 'lock_outcomes',
    text: LOCK,
    values: [[...byId.keys()]],
  })
  const changes = rows.flatMap(row => changeOf(row, byId.get(row.id) as Outcome) ?? [])
  if (changes.length === 0) return
  for (let tries = 0; ; tries++) {
    await capCharges(ctx, changes, tries < CHARGE_TRIES)
    await ctx.client.query('savepoint charges')
    try {
      await writeChanges(ctx, changes)
      return
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SMS_INSUFFICIENT') throw error
      await ctx.client.query('rollback to savepoint charges')
    }
  }
}

function changeOf(before: Row, outcome: Outcome): Change | null {
  // The receipt came before the answer to the call: only the provider's number is news.
  const isLate = outcome.status === 'submitted' && isUsed(before.status) && before.providerId === null
  if (!isLate && !mayBecome(before.status, outcome.status)) return null
  const status = isLate ? before.status : outcome.status
  const { code = '' } = outcome
  const at = new Date(outcome.at)
  const wentWrong = ['failed', 'expired', 'unknown'].includes(status)
  const after: Row = {
    ...before,
    status,
    fee: before.fee === null || outcome.isReport ? (outcome.segments ?? before.fee) : before.fee,
    providerId: outcome.providerId ?? before.providerId,
    submittedAt: isUsed(status)
      ? (before.submittedAt ?? (outcome.isReport ? before.claimedAt : at))
      : before.submittedAt,
    reportedAt: outcome.isReport ? at : before.reportedAt,
    errorCode: wentWrong ? code : '',
    errorText: wentWrong ? reasonOf(code, outcome.message) : '',
  }
  after.charged = before.payer === 'vendor' ? 0 : segmentsDue(after)
  const wait = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
  return {
    before,
    after,
    notBefore: status === 'queued' ? wait(SENDING_LIMITS.againSeconds) : null,
    askAt:
      status === 'unknown'
        ? wait(SENDING_LIMITS.askUnknownSeconds)
        : status === 'submitted'
          ? wait(SENDING_LIMITS.askSubmittedSeconds)
          : null,
  }
}

/** More segments than were held are charged as far as the payer holds credit; the rest is the vendor's. */
async function capCharges(ctx: Ctx, changes: readonly Change[], mayCharge: boolean): Promise<void> {
  const extra = changes.filter(({ before, after }) => after.charged > before.charged)
  if (extra.length === 0) return
  const left = new Map<string, number>()
  for (const { before, after } of extra) {
    const key = `${before.payer} ${before.payerId}`
    if (!left.has(key)) left.set(key, mayCharge ? await creditOf(ctx, before) : 0)
    const more = Math.min(after.charged - before.charged, left.get(key) as number)
    left.set(key, (left.get(key) as number) - more)
    after.charged = before.charged + more
  }
}

async function creditOf(ctx: Ctx, { payer, payerId }: Row): Promise<number> {
  const { rows } = await ctx.client.query<{ balance: number }>({
    name: 'sms_credit',
    text: `select balance::float8 as balance from ledger_accounts where owner_kind = $1 and owner_id = $2 and asset = 'sms'`,
    values: [payer, payerId],
  })
  return rows[0]?.balance ?? 0
}

async function writeChanges(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  const column = <T>(of: (change: Change) => T) => changes.map(of)
  await ctx.client.query({
    name: 'change_outcomes',
    text: CHANGE,
    values: [
      column(({ after }) => after.id),
      column(({ after }) => after.status),
      column(({ after }) => after.fee),
      column(({ after }) => after.charged),
      column(({ after }) => after.providerId),
      column(({ after }) => after.submittedAt),
      column(({ after }) => after.reportedAt),
      column(({ after }) => after.errorCode),
      column(({ after }) => after.errorText),
      column(({ askAt }) => askAt),
      column(({ notBefore }) => notBefore),
    ],
  })
  const done = changes.filter(
    ({ after }) => CODE_MESSAGES.includes(after.kind) && !['queued', 'sending'].includes(after.status),
  )
  if (done.length > 0)
    await ctx.client.query({
      name: 'mask_codes',
      text: MASK,
      values: [done.map(({ after }) => after.id), MASKED_CODE],
    })
  await countUse(ctx, changes)
  await postCharges(ctx, changes)
}

/**
 * By who paid and the day on which it was sent. Two writers never wait for each other: the rows come in one order of keys, and
 * since the triggers' sums over an agent follow what was new and what was not, each agent is locked first, in order.
 */
async function countUse(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  type Use = {
    payer: Payer
    payerId: number
    day: string
    agentId: number
    messages: number
    segments: number
  }
  const uses = new Map<string, Use>()
  const count = (row: Row, sign: 1 | -1) => {
    if (!isUsed(row.status) || row.submittedAt === null) return
    const day = formatDay(row.submittedAt)
    const agentId = row.payer === 'vendor' ? 0 : row.agentId
    const key = `${row.payer} ${row.payerId} ${day}`
    const use = uses.get(key) ?? {
      payer: row.payer,
      payerId: row.payerId,
      day,
      agentId,
      messages: 0,
      segments: 0,
    }
    use.messages += sign
    use.segments += sign * (row.fee ?? row.segments)
    uses.set(key, use)
  }
  for (const { before, after } of changes) {
    count(before, -1)
    count(after, 1)
  }
  const changed = [...uses].filter(([, { messages, segments }]) => messages !== 0 || segments !== 0)
  if (changed.length === 0) return
  const rows = changed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use)
  const agentIds = [...new Set(rows.map(({ agentId }) => agentId))].sort((a, b) => a - b)
  await ctx.client.query({
    name: 'lock_sms_agents',
    text: 'select pg_advisory_xact_lock($1, id) from unnest($2::int[]) as id',
    values: [COUNT_LOCK, agentIds],
  })
  await ctx.client.query({
    name: 'count_sms_days',
    text: COUNT,
    values: [
      rows.map(({ payer }) => payer),
      rows.map(({ payerId }) => payerId),
      rows.map(({ day }) => day),
      rows.map(({ agentId }) => agentId),
      rows.map(({ messages }) => messages),
      rows.map(({ segments }) => segments),
    ],
  })
}

async function postCharges(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  const sums = new Map<string, { row: Row; pieces: number }>()
  for (const { before, after } of changes) {
    const key = `${after.payer} ${after.payerId} ${after.documentNo}`
    const pieces = (sums.get(key)?.pieces ?? 0) + after.charged - before.charged
    sums.set(key, { row: after, pieces })
  }
  await post(
    ctx,
    [...sums.values()].map(({ row, pieces }) => creditMovement(row, pieces)),
  )
}
