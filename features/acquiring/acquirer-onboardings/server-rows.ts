// Shops that are brought in to acquirers as people see them: the list, its counts and its file, and one of them.
import { and, eq } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { searchShops } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { acquirerOf, picturesFor } from '#kit/ports/acquirers.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  countUpTo,
  filtered,
  type ListSource,
  type Order,
  ownColumns,
  ownCondition,
  type PageIds,
  rowsAndTotal,
  skewedBy,
  sortedBy,
  valuesOf,
} from '#server/list.ts'
import { settingOf } from '#server/office/settings.ts'
import { found } from '#server/refuse.ts'
import { acquirerDownloads, type acquirerOnboardings as contract } from './contract.ts'
import { ACQUIRER_ONBOARDINGS, ACQUIRER_ONBOARDING_FIELDS as FIELDS } from './fields.ts'
import {
  ACQUIRER_HOURS,
  APPROVAL_STATE_KEYS,
  CHANNEL_STATE_KEYS,
  handingInOf,
  isBeingAsked,
  REFUSALS,
  type Reasons,
  reasonsText,
  refuseEdit,
} from './rules.ts'
import {
  type AcquirerOnboarding,
  gather,
  isConnected,
  lackingHere,
  lineValue,
  papersOf,
  shownPapers,
} from './server-known.ts'
import { testsOf } from './server-testable.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

type Filters = Omit<In<typeof contract.list>, 'page' | 'size'>

const { reason: _r, shopName: _s, account: _a, agentName: _g, ...KEPT } = FIELDS
const ROW = {
  ...ownColumns(onboarded, keysIn(KEPT, 'row')),
  revision: onboarded.revision,
  reasons: onboarded.reasons,
  shopName: merchants.shopName,
  account: merchants.account,
  agentName: agents.companyName,
}

const orderOf = (input: Pick<Filters, 'sort' | 'order'>) =>
  sortedBy(input, { createdAt: onboarded.createdAt }, onboarded.id)

function select(ctx: Ctx, { order }: Order, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(onboarded)
    .innerJoin(merchants, eq(merchants.id, onboarded.merchantId))
    .innerJoin(agents, eq(agents.id, onboarded.agentId))
    .orderBy(...order)
    .$dynamic()
}

async function conditionsOf(
  ctx: Ctx,
  filters: Filters,
): Promise<{ conditions: Condition[]; shopsCapped: boolean }> {
  const searched = await searchShops(ctx, filters, onboarded.merchantId, onboarded.code)
  const conditions: Condition[] = [
    ...ownCondition(ctx, onboarded.agentId),
    ...filtered(ACQUIRER_ONBOARDINGS, filters, {
      channel: onboarded.channel,
      approvalState: skewedBy('approvalState', onboarded.approvalState),
      state: skewedBy('state', onboarded.state),
      merchantStatus: skewedBy('merchantStatus', onboarded.merchantStatus),
      isActive: skewedBy('isActive', onboarded.isActive),
      created: onboarded.createdAt,
      agentId: onboarded.agentId,
    }),
    ...searched.conditions,
  ]
  return { conditions, shopsCapped: searched.shopsCapped }
}

export const list: Verb<typeof contract.list> = async (ctx, input) => {
  const { conditions, shopsCapped } = await conditionsOf(ctx, input)
  const source: ListSource = {
    ...{ name: 'acquirer onboardings', table: onboarded, conditions },
    ...orderOf(input),
  }
  const counted = async (where: ReturnType<typeof eq>) =>
    Math.min(await countUpTo(ctx, onboarded, and(where, ownRows(ctx, onboarded.agentId))), COUNT_CAP)
  const [{ rows, ...total }, ...counts] = await together([
    rowsAndTotal(ctx, source, input, page =>
      select(ctx, source, page).innerJoin(page, eq(page.id, onboarded.id)),
    ),
    ...APPROVAL_STATE_KEYS.map(key => counted(eq(onboarded.approvalState, key))),
    ...CHANNEL_STATE_KEYS.map(key => counted(eq(onboarded.state, key))),
  ])
  const [draft = 0, pending = 0, approved = 0, rejected = 0, ...channel] = counts
  const [waiting = 0, sent = 0, opened = 0, refused = 0] = channel
  return {
    ...total,
    rows: rows.map(({ reasons, ...row }) => ({ ...row, reason: reasonsText(reasons) })),
    counts: { draft, pending, approved, rejected, waiting, sent, opened, refused },
    shopsCapped,
  }
}

export const listDownload = serveDownload(acquirerDownloads.list, async (ctx, { columns, ...filters }) => {
  const { conditions } = await conditionsOf(ctx, filters)
  const statement = select(ctx, orderOf(filters)).where(conditionOf({ conditions }))
  const cells = { reason: (row: Readonly<Record<string, unknown>>) => reasonsText(row.reasons as Reasons) }
  return {
    statement,
    values: valuesOf(conditions),
    ...fileColumns(ACQUIRER_ONBOARDINGS, ROW, columns, cells),
  }
})

export async function findOnboarding(ctx: Ctx, id: number): Promise<AcquirerOnboarding> {
  const [row] = await ctx.db
    .select()
    .from(onboarded)
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
  return found(row)
}

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const row = await findOnboarding(ctx, id)
  const [[about], { known, payType, accountNumberMasked }, papers, hours] = await together([
    ctx.db
      .select({ shopName: merchants.shopName, account: merchants.account, agentName: agents.companyName })
      .from(merchants)
      .innerJoin(agents, eq(agents.id, merchants.agentId))
      .where(and(eq(merchants.id, row.merchantId), ownRows(ctx, merchants.agentId))),
    gather(ctx, row),
    papersOf(ctx, row),
    settingOf(ctx, ACQUIRER_HOURS),
  ])
  const pictures = await shownPapers(ctx, papers)
  const tests = await testsOf(ctx, row)
  const shown = picturesFor(row.channel, payType).map(({ fileName, paper: kind, required }) => {
    const paper = pictures.find(one => one.id === papers[kind])
    return { fileName, kind, required, paper: paper ? { paper: kind, ...paper } : null }
  })
  const refusal = refuseEdit(row)
  return {
    ...row,
    ...found(about),
    ...{ payType, accountNumberMasked, hours, ...tests },
    lines: acquirerOf(row.channel).lines.map(line => ({
      ...{ name: line.name, source: line.source, required: line.required },
      value: lineValue(known, line),
    })),
    pictures: shown,
    ...{ isConnected: isConnected(ctx, row), handingIn: handingInOf(row) },
    isBeingAsked: handingInOf(row) === 'asked' && isBeingAsked(row),
    lacking: [
      ...lackingHere(
        ctx,
        row,
        known,
        shown.flatMap(({ kind, paper }) => (paper ? [kind] : [])),
      ),
    ],
    editRefusal: refusal && REFUSALS[refusal],
  }
}
