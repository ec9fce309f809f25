// Requests as people see them: the three lists of the vendor's staff, and those of one shop.
import { and, asc, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { smsAccountOf } from '#features/shops/merchants/server-list.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { SIGNATURE_STATES, SMS_SERVICES } from '#features/shops/signatures/rules.ts'
import { shopSignatures } from '#features/shops/signatures/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  containingConditions,
  equal,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  type PageIds,
  rowsAndTotal,
  skewedBy,
  sortedBy,
} from '#server/list.ts'
import { settingOf } from '#server/office/settings.ts'
import { found } from '#server/refuse.ts'
import type { approvals as contract } from './contract.ts'
import { APPROVAL_FIELDS, APPROVALS } from './fields.ts'
import { APPROVAL_HOURS, type ApprovalKind } from './rules.ts'
import { approvalReasons as reasons, approvalRequests as requests } from './tables.ts'

/** What the shop has now of what is asked for. */
const CURRENT = sql<string>`case ${requests.kind} when 'signature' then ${merchants.signature}
  when 'shopName' then ${merchants.shopName} else ${merchants.memberTitle} end`.as('current')

/** Of a signature, in words; none where all services stand as the request does. */
const SERVICES = sql<string>`coalesce((select case when bool_and(s.state = ${requests.state}
  or s.state = 'refused' and ${requests.state} = 'rejected') then '' else string_agg(case s.service ${sql.join(
    Object.entries(SMS_SERVICES).map(([key, label]) => sql`when ${key} then ${label}`),
    sql` `,
  )} end || case s.state ${sql.join(
    Object.entries(SIGNATURE_STATES).map(([key, label]) => sql`when ${key} then ${label}`),
    sql` `,
  )} end, '，' order by s.service) end from ${shopSignatures} s
  where s.request_id = ${requests.id} and s.signature = ${requests.content}), '')`.as('services')

const ROW = {
  ...ownColumns(requests, keysIn(APPROVAL_FIELDS, 'row')),
  pictureId: requests.pictureId,
  current: CURRENT,
  services: SERVICES,
  shopName: merchants.shopName,
  shortName: merchants.shortName,
  account: merchants.account,
  shopPhone: merchants.shopPhone,
  smsBalance: sql<number>`coalesce(${ledgerAccounts.balance}, 0)`
    .mapWith(ledgerAccounts.balance)
    .as('sms_balance'),
  agentName: agents.companyName,
}

/** What the services said in their own words is for the vendor's staff. */
const UNTOLD = { ...ROW, serviceAnswer: sql<string>`''`.as('service_answer') }

function selectRows(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ctx.actor.isVendorStaff ? ROW : UNTOLD)
    .from(requests)
    .innerJoin(merchants, eq(merchants.id, requests.merchantId))
    .innerJoin(agents, eq(agents.id, requests.agentId))
    .leftJoin(ledgerAccounts, smsAccountOf(merchants.id))
    .$dynamic()
}

/** The list of a kind. */
export function listOf(kind: ApprovalKind): Verb<typeof contract.signatures> {
  return (ctx, input: In<typeof contract.signatures>) => {
    const sorted = sortedBy(input, { createdAt: requests.createdAt }, requests.id)
    const list: ListSource = {
      name: 'approval_requests',
      table: requests,
      conditions: [
        ...ownCondition(ctx, requests.agentId),
        ...equal('kind', requests.kind, kind),
        ...filtered(APPROVALS.signature, input, {
          state: skewedBy('state', requests.state),
          created: requests.createdAt,
          agentId: requests.agentId,
        }),
        ...(input.search ? containingConditions(requests.searchText, input.search) : []),
      ],
      ...sorted,
    }
    return rowsAndTotal(ctx, list, input, page =>
      selectRows(ctx, page)
        .innerJoin(page, eq(page.id, requests.id))
        .orderBy(...sorted.order),
    )
  }
}

export const listReasons: Verb<typeof contract.reasons> = async ctx => {
  const rows = await ctx.db
    .select({ kind: reasons.kind, name: reasons.name, advice: reasons.advice })
    .from(reasons)
    .where(or(isNull(reasons.retiredAt), gt(reasons.retiredAt, sql`now()`)))
    .orderBy(asc(reasons.kind), asc(reasons.position), asc(reasons.id))
  return { reasons: rows }
}

/** One of a shop waits at most. */
const WAITING_TOLD = 1_000

export const waitingSignatures: Verb<typeof contract.waitingSignatures> = async ctx => {
  const rows = await ctx.db
    .select({ merchantId: requests.merchantId, content: requests.content, state: requests.state })
    .from(requests)
    .where(
      and(
        eq(requests.kind, 'signature'),
        inArray(requests.state, ['pending', 'reviewing']),
        ownRows(ctx, requests.agentId),
      ),
    )
    .orderBy(desc(requests.createdAt), desc(requests.id))
    .limit(WAITING_TOLD)
  return { rows: rows as Out<typeof contract.waitingSignatures>['rows'] }
}

/** So many of a shop's requests are told. */
const TOLD = 50

export const ofShop: Verb<typeof contract.ofShop> = async (ctx, { merchantId }) => {
  const [shop] = await ctx.db
    .select({
      signature: merchants.signature,
      shopName: merchants.shopName,
      memberTitle: merchants.memberTitle,
    })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  const standing = found(shop)
  const rows: Out<typeof contract.ofShop>['rows'] = await selectRows(ctx)
    .where(and(eq(requests.merchantId, merchantId), ownRows(ctx, requests.agentId)))
    .orderBy(desc(requests.id))
    .limit(TOLD)
  return { standing, hours: await settingOf(ctx, APPROVAL_HOURS), rows }
}
