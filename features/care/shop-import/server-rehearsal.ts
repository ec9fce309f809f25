// What an import would create and cost as things stand; writes nothing.
import { createHash } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { balancesOf } from '#features/money/ledger/server.ts'
import { agents } from '#features/office/agents/tables.ts'
import { buyerTerms } from '#features/office/prices/server.ts'
import { priceCampaigns } from '#features/office/prices/tables.ts'
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
import type { Ctx } from '#server/ctx.ts'
import { inTheNameOf } from '#server/system.ts'
import type { shopImport as contract } from './contract.ts'
import { IMPORT_REFUSALS, type ImportForm, type KeptPrice, refuseStart } from './rules.ts'
import { countsOf, FINE, type Import, linesOf } from './server-lines.ts'
import { shopImports as imports, shopImportRows as lines } from './tables.ts'

type Rehearsed = Omit<Out<typeof contract.rehearse>, 'back'> & { prices: KeptPrice[] }

/** What it would create and cost as things stand. */
export async function rehearsed(ctx: Ctx, one: Import): Promise<Rehearsed> {
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
  const code = refuseStart(counts, one.heads)
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
