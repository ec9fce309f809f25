// From the rehearsal to the start, and the steps of an import that is under way.
import { createHash } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { balancesOf } from '#features/money/ledger/server.ts'
import { agents } from '#features/office/agents/tables.ts'
import { buyerTerms } from '#features/office/prices/server.ts'
import { priceCampaigns } from '#features/office/prices/tables.ts'
import { refuseUndoReason, UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { refuseOnAdd } from '#features/sales/selling/server-add.ts'
import {
  durationText,
  type Price,
  priceOf,
  refuseTerm,
  VERSION_REFUSALS,
} from '#features/shops/versions/rules.ts'
import { isSoldBy, pricedVersion } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { inTheNameOf } from '#server/system.ts'
import type { shopImport as contract } from './contract.ts'
import {
  IMPORT_REFUSALS,
  type ImportForm,
  type KeptPrice,
  LINE_STEPS,
  refuseRemark,
  refuseStart,
} from './rules.ts'
import { countsOf, FINE, type Import, linesOf } from './server-lines.ts'
import { findImport, forStep, noteImport, rollBackRefusal, takeStep } from './server-list.ts'
import { shopImports as imports, shopImportRows as lines } from './tables.ts'

export const WORK = 'shopImports'

type Rehearsed = Out<typeof contract.rehearse> & { prices: KeptPrice[] }

export const rehearse: Verb<typeof contract.rehearse> = async (ctx, { id }) => {
  return rehearsed(ctx, await findImport(ctx, id))
}

/** What it would create and cost as things stand. */
async function rehearsed(ctx: Ctx, one: Import): Promise<Rehearsed> {
  const counts = await countsOf(ctx, one.id)
  const kinds = await kindsOf(ctx, one.id)
  const kept = one.mode === 'charge' ? await priced(ctx, one.agentId, kinds) : []
  const shown = kinds.map((kind, at) => {
    const { price = null, refusal = null } = kept[at] ?? {}
    return {
      versionName: kind.versionName,
      term: one.mode === 'takeover' ? '原有期限' : durationText(kind.term, kind.periods),
      shops: kind.lines,
      unitCents: price?.totalCents ?? 0,
      unit: price?.unit ?? '',
      totalCents: (price?.totalCents ?? 0) * kind.lines,
      refusal,
    }
  })
  const totalCents = shown.reduce((sum, line) => sum + line.totalCents, 0)
  const sms = kinds.reduce((sum, kind) => sum + kind.sms, 0)
  const balance = await balancesOf(ctx, one.agentId)
  const code = refuseStart(counts)
  const prices = kept.flatMap(keptPrice)
  return {
    token: createHash('sha256')
      .update(JSON.stringify([prices, kinds]))
      .digest('base64url'),
    shops: counts.fine,
    skipped: counts.rows - counts.fine - counts.faulty - counts.undecided,
    lines: shown,
    totalCents,
    sms,
    balanceBeforeCents: balance.tokenCents,
    balanceAfterCents: balance.tokenCents - totalCents,
    smsBefore: balance.sms,
    smsAfter: balance.sms - sms,
    refusal:
      (code && IMPORT_REFUSALS[code]) ??
      shown.find(line => line.refusal)?.refusal ??
      poorIn(balance, { totalCents, sms }),
    prices,
  }
}

function poorIn(
  balance: { tokenCents: number; sms: number },
  wanted: { totalCents: number; sms: number },
): string | null {
  if (balance.tokenCents < wanted.totalCents) return LEDGER_REFUSALS.INSUFFICIENT
  return balance.sms < wanted.sms ? LEDGER_REFUSALS.SMS_INSUFFICIENT : null
}

async function kindsOf(
  ctx: Ctx,
  importId: number,
): Promise<(Kind & { lines: number; sms: number; versionName: string })[]> {
  const of = (key: string) => sql.raw(`(form->>'${key}')::int`)
  const { rows } = await ctx.db.execute<Kind & { lines: number; sms: number; versionName: string }>(
    sql`select kind.*, v.name as "versionName" from (
        select ${of('versionId')} as "versionId", form->>'term' as term, ${of('periods')} as periods, ${of('shops')} as shops,
          ${of('branches')} as branches, count(*)::int as lines, sum(${of('smsCount')})::int as sms, min(${of('smsCount')}) as least
        from ${lines} inner join ${imports} on ${eq(imports.id, lines.importId)} where ${linesOf(importId)} and ${FINE}
        group by 1, 2, 3, 4, 5) as kind
      join versions v on v.id = kind."versionId" order by 1, 2, 3, 4, 5`,
  )
  return rows.map(({ versionId, term, periods, shops, branches, lines: counted, sms, versionName }) => ({
    versionId,
    term,
    periods,
    shops,
    branches,
    lines: counted,
    sms,
    versionName,
  }))
}

/** From here on its lines become shops, batch by batch, at the prices that were shown. */
export const start: Verb<typeof contract.start> = async (ctx, { id, token }) => {
  const one = await forStep(ctx, id, 'start')
  const isBuyer = one.mode === 'takeover' ? ctx.actor.isVendorStaff : one.agentId === ctx.actor.agentId
  refuse(isBuyer ? null : 'MODE_WRONG', IMPORT_REFUSALS)
  refuse(refuseStart(await countsOf(ctx, id)), IMPORT_REFUSALS)
  const shown = await rehearsed(ctx, one)
  refuse(shown.token === token ? null : 'REHEARSAL_STALE', IMPORT_REFUSALS)
  if (shown.balanceAfterCents < 0)
    throw new Refusal('INSUFFICIENT', LEDGER_REFUSALS.INSUFFICIENT, { missing: -shown.balanceAfterCents })
  if (shown.smsAfter < 0)
    throw new Refusal('SMS_INSUFFICIENT', LEDGER_REFUSALS.SMS_INSUFFICIENT, { missing: -shown.smsAfter })
  if (shown.refusal) throw new Refusal('REHEARSAL_STALE', shown.refusal)
  await takeStep(ctx, id, 'start', {
    prices: shown.prices,
    problem: '',
    startedBy: ctx.actor.accountId,
    startedByName: ctx.actor.name,
    startedAt: ctx.now.toISOString(),
  })
  // Nobody needs what stood in the file any more.
  await ctx.db.update(lines).set({ raw: null }).where(eq(lines.importId, id))
  ctx.services.wake(WORK)
  noteImport(ctx, one, [
    { name: '店铺', before: null, after: countText(shown.shops, '家') },
    { name: '结算', before: null, after: amountText(shown.totalCents, '代币') },
    ...(one.reason === '' ? [] : [{ name: '接管原因', before: null, after: one.reason }]),
  ])
  return { id }
}

export const stop: Verb<typeof contract.stop> = async (ctx, { id }) => {
  const one = await forStep(ctx, id, 'stop')
  await takeStep(ctx, id, 'stop', { problem: '' })
  noteImport(ctx, one)
  return { id }
}

export const resume: Verb<typeof contract.resume> = async (ctx, { id }) => {
  const one = await forStep(ctx, id, 'resume')
  await takeStep(ctx, id, 'resume', { problem: '' })
  ctx.services.wake(WORK)
  noteImport(ctx, one)
  return { id }
}

export const drop: Verb<typeof contract.drop> = async (ctx, { id }) => {
  const one = await forStep(ctx, id, 'drop')
  await takeStep(ctx, id, 'drop')
  await ctx.db.update(lines).set({ raw: null, password: null }).where(eq(lines.importId, id))
  noteImport(ctx, one)
  return { id }
}

export const rollBack: Verb<typeof contract.rollBack> = async (ctx, { id, reason }) => {
  const one = await findImport(ctx, id, true)
  refuse(refuseUndoReason(reason), UNDO_REFUSALS, { field: 'reason' })
  refuse(await rollBackRefusal(ctx, one), IMPORT_REFUSALS)
  // What still waits never becomes a shop.
  await ctx.db
    .update(lines)
    .set({ state: LINE_STEPS.skip.to, password: null })
    .where(and(eq(lines.importId, id), inArray(lines.state, LINE_STEPS.skip.from)))
  await takeStep(ctx, id, 'rollBack', {
    problem: '',
    rollBackBy: ctx.actor.accountId,
    rollBackByName: ctx.actor.name,
    rollBackReason: reason.trim(),
    rollBackAt: ctx.now.toISOString(),
  })
  ctx.services.wake(WORK)
  noteImport(ctx, one, [
    { name: '店铺', before: null, after: countText(one.created, '家') },
    { name: '撤销原因', before: null, after: reason.trim() },
  ])
  return { id }
}

export const mark: Verb<typeof contract.mark> = async (ctx, { id, remark, active }) => {
  const one = await findImport(ctx, id, true)
  refuse(remark === undefined ? null : refuseRemark(remark), IMPORT_REFUSALS, { field: 'remark' })
  const next = { remark: remark?.trim() ?? one.remark, active: active ?? one.active }
  const [written] = await ctx.db
    .update(imports)
    .set({ remark: next.remark, active: next.active })
    .where(eq(imports.id, id))
    .returning()
  const words = (shown: boolean) => (shown ? '在用' : '已收起')
  noteImport(ctx, found(written), [
    { name: '备注', before: one.remark, after: next.remark },
    { name: '显示', before: words(one.active), after: words(next.active) },
  ])
  return { id }
}

export type Kind = Pick<ImportForm, 'versionId' | 'term' | 'periods' | 'shops' | 'branches'>
export type PricedKind = Kind & { versionName: string; price: Price | null; refusal: string | null }

/** Prices for this agency as things stand. An offer to an agency's first purchase is for one shop, not for a file of them. */
export async function priced(ctx: Ctx, agentId: number, kinds: readonly Kind[]): Promise<PricedKind[]> {
  const known = await ctx.db
    .select({ version: pricedVersion(), authorised: isSoldBy(agents.id) })
    .from(versions)
    .innerJoin(agents, eq(agents.id, agentId))
    .where(inArray(versions.id, [...new Set(kinds.map(({ versionId }) => versionId))]))
  const { ctx: buyer } = inTheNameOf(ctx, { ...ctx.actor, agentId })
  const terms = await buyerTerms(buyer, 'version', 'new shop')
  const once = await ctx.db
    .select({ name: priceCampaigns.name })
    .from(priceCampaigns)
    .where(eq(priceCampaigns.firstOf, 'agent'))
  const isOnce = new Set(once.map(({ name }) => name))
  return kinds.map(kind => {
    const chosen = known.find(({ version }) => version.id === kind.versionId)
    const refusal = refuseOnAdd(chosen) ?? refuseTerm(chosen?.version, kind.term)
    if (!chosen || refusal)
      return {
        ...kind,
        versionName: chosen?.version.name ?? '',
        price: null,
        refusal: VERSION_REFUSALS[refusal ?? 'VERSION_REQUIRED'],
      }
    const { minimums, offers } = terms.conditionsOf(kind.versionId)
    const conditions = { minimums, offers: offers.filter(({ name }) => !isOnce.has(name)) }
    const price = priceOf({ ...chosen.version, conditions }, kind, terms.discountBasisPoints)
    return {
      ...kind,
      versionName: chosen.version.name,
      price,
      refusal: price ? null : VERSION_REFUSALS.TERM_REQUIRED,
    }
  })
}

export function keptPrice({ price, versionId, term, periods, shops, branches }: PricedKind): KeptPrice[] {
  if (!price) return []
  const { unit, unitCents, originalCents, discountBasisPoints, totalCents, offer = '' } = price
  return [
    {
      versionId,
      term,
      periods,
      shops,
      branches,
      unit,
      unitCents,
      originalCents,
      discountBasisPoints,
      totalCents,
      offer,
    },
  ]
}

/** The price that was shown, as an order keeps it. */
export function shownPrice(kept: KeptPrice): Price {
  const {
    term,
    periods,
    shops,
    branches,
    unit,
    unitCents,
    originalCents,
    discountBasisPoints,
    totalCents,
    offer,
  } = kept
  return {
    unit: unit as Price['unit'],
    unitCents,
    periods: term === 'lifetime' ? 1 : periods,
    shops: branches > 0 ? branches + 1 : shops,
    originalCents,
    discountBasisPoints,
    totalCents,
    ...(offer === '' ? {} : { offer }),
  }
}
