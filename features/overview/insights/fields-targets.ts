// Where each number of the operator's pages leads: the list of what it counts, as its address has it. Pages and tests read it here.
import { type Compared, daysOfMonth, type Range, SALES_PARTS } from '#features/sales/settlement/rules.ts'
import { type SearchOf, type Target, target } from '#kit/declare/pages.ts'
import { addDays } from '#kit/time.ts'
import { type CohortMeasure, INCOME, type IncomeKind } from './rules.ts'

const SHOPS = '/admin/merchant/myMerchant'
const BALANCE_CHANGES = '/admin/detail/personalDetails'
const SMS_CHANGES = '/admin/detail/merchantMsgChanges'
export const RANKING_PATH = '/admin/insights/partners'
export const SALES_PATH = '/admin/insights/sales'
export const RENEWED_PATH = '/admin/insights/renewals'

/** The agents of a level, with what they hold; all of them, the vendor's own too, where none is named. */
export const levelTarget = (levelId?: number): Target =>
  target(RANKING_PATH, levelId === undefined ? { own: true } : { levelId })

type Ranked = { id: number; boughtOn: string | null }

/** Where the numbers of a ranked agent lead, by its fields; `days` are those of the spending, `today` YYYY-MM-DD. */
export function rankingTargets(
  { id, boughtOn }: Ranked,
  { now, before }: Compared,
  days: number,
  today: string,
) {
  const sales = (range: Range, compared?: Range) =>
    target(SALES_PATH, {
      agentId: id,
      ...range,
      ...(compared && { beforeFrom: compared.from, beforeTo: compared.to }),
    })
  const part = (kind: keyof typeof SALES_PARTS) => partTarget(kind, now, id)
  const shops = (search: SearchOf<typeof SHOPS>) => target(SHOPS, { agentId: id, ...search })
  const spent = target(BALANCE_CHANGES, {
    agentId: id,
    spending: true,
    from: addDays(today, 1 - days),
    to: today,
  })
  const renewed = target(RENEWED_PATH, { agentId: id, dueFrom: now.from, dueTo: now.to })
  return {
    salesCents: sales(now),
    beforeCents: sales(before),
    growth: sales(now, before),
    versionCents: part('version'),
    serviceCents: part('service'),
    smsCents: part('sms'),
    renewalRate: renewed,
    renewed,
    lapsed: shops({ expiresFrom: now.from, expiresTo: now.to }),
    tokenCents: target(BALANCE_CHANGES, { agentId: id }),
    smsPieces: target(SMS_CHANGES, { agentId: id }),
    spentCents: spent,
    daysLeft: spent,
    shops: shops({}),
    shopSms: shops({}),
    boughtOn: sales({ from: boughtOn ?? today, to: boughtOn ?? today }),
  }
}

/** The orders of a part of 销售额 on these days. */
export function partTarget(kind: keyof typeof SALES_PARTS, { from, to }: Range, agentId?: number): Target {
  const { path, filters } = SALES_PARTS[kind]
  return { path, search: { ...filters(from, to), ...(agentId !== undefined && { agentId }) } }
}

export type CohortFilters = { versionId?: number | undefined; agentId?: number | undefined }

/** The shops, or the renewed terms, of a cell; without a column all shops of the month. */
export function cohortTarget(
  what: CohortMeasure | 'lapsed' | 'shops',
  month: string,
  column: Range,
  { versionId, agentId }: CohortFilters,
): Target {
  const { first: registeredFrom, last: registeredTo } = daysOfMonth(month)
  const [from, to] = [daysOfMonth(column.from).first, daysOfMonth(column.to).last]
  const search = {
    registeredFrom,
    registeredTo,
    ...(versionId !== undefined && { versionId }),
    ...(agentId !== undefined && { agentId }),
  }
  switch (what) {
    case 'renewed':
      return target(RENEWED_PATH, { ...search, dueFrom: from, dueTo: to })
    case 'kept':
      return target(SHOPS, { ...search, lastsPast: to })
    case 'lost':
      return target(SHOPS, { ...search, expiresTo: to })
    case 'lapsed':
      return target(SHOPS, { ...search, expiresFrom: from, expiresTo: to })
    case 'shops':
      return target(SHOPS, search)
  }
}

export function incomeTarget(kind: IncomeKind, { from, to }: Range): Target {
  return { path: INCOME[kind].path, search: INCOME[kind].filters(from, to) }
}
