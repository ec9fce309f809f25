// One partner with what is counted of it: everything from what is kept per day, or from an index.
import { and, eq, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { SALES_KINDS } from '#features/overview/insights/rules.ts'
import { spentBy } from '#features/overview/insights/server-ranking.ts'
import { daysOfMonth, monthAfter } from '#features/sales/settlement/rules.ts'
import { orderDays } from '#features/sales/settlement/tables.ts'
import { merchantDays, merchants } from '#features/shops/merchants/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { partnerDesk as contract } from './contract.ts'
import { ENDING_DAYS, SPENT_DAYS } from './rules.ts'
import { rowsOf } from './server-list.ts'

type Details = Out<typeof contract.details>

export const findPartner: Verb<typeof contract.details> = async (ctx, { id }) => {
  const today = formatDay(ctx.now)
  const [agent] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), ownRows(ctx, agents.id)))
  const row = found((await rowsOf(ctx, [id], today))[0])
  const {
    contractFrom,
    suspendedFor,
    suspendedAt,
    telephone,
    address,
    isOperator,
    isVendorStaff,
    parentId,
    mobile,
  } = found(agent)
  return {
    ...row,
    // Whole to whoever changes it; to others as the list has it.
    mobile: ctx.actor.permissions.has('partners.manage') ? mobile : row.mobile,
    parent: parentId === null ? null : { id: parentId, companyName: row.parentName ?? '' },
    contractFrom,
    suspendedFor,
    suspendedAt,
    telephone,
    address,
    isVendor: isOperator || isVendorStaff,
    figures: await figuresOf(ctx, id, row, today),
  }
}

type Counted = Omit<Details['figures'], 'shops' | 'daysLeft' | 'boughtOn'>

async function figuresOf(
  ctx: Ctx,
  id: number,
  row: Pick<Details, 'merchantCount' | 'daysLeft' | 'boughtOn'>,
  today: string,
): Promise<Details['figures']> {
  const month = today.slice(0, 7)
  const [first, earlier] = [daysOfMonth(month).first, daysOfMonth(monthAfter(month, -1)).first]
  const kinds = sql.join(
    Object.keys(SALES_KINDS).map(kind => sql`${kind}`),
    sql`, `,
  )
  const sold = (from: string, to: string) => sql`(select coalesce(sum(cents), 0) from ${orderDays}
    where ${orderDays.agentId} = ${agents.id} and kind in (${kinds}) and day between ${from} and ${to})`
  const shopsOf = (what: 'registered' | 'expiring', from: string, to: string) =>
    sql`(select coalesce(sum(${sql.identifier(what)}), 0) from ${merchantDays}
      where ${merchantDays.agentId} = ${agents.id} and day between ${from} and ${to})`
  const { rows } = await ctx.db.execute<Record<keyof Counted, string>>(sql`
    select ${shopsOf('expiring', '2000-01-01', addDays(today, -1))} as "expired",
      ${shopsOf('expiring', today, addDays(today, ENDING_DAYS))} as "ending",
      ${shopsOf('registered', first, today)} as "opened",
      (select count(*) from ${merchants} where ${merchants.agentId} = ${agents.id} and ${merchants.status} = 'disabled') as "disabled",
      ${sold(first, today)} as "salesCents", ${sold(earlier, addDays(first, -1))} as "beforeCents",
      (select coalesce(cents, 0) from (${spentBy(today, SPENT_DAYS)}) as spending) as "spentCents",
      (select count(*) from ${agents} as below where below.parent_id = ${agents.id}) as "children",
      (select count(*) from ${accounts} where ${accounts.agentId} = ${agents.id} and ${accounts.deletedAt} is null) as "people"
    from ${agents} where ${agents.id} = ${id}`)
  const counted = Object.fromEntries(
    Object.entries(found(rows[0])).map(([key, value]) => [key, Number(value)]),
  ) as Counted
  return { ...counted, shops: row.merchantCount, daysLeft: row.daysLeft, boughtOn: row.boughtOn }
}
