// A version as the operator writes it: its texts, codes, who may sell it and what it contains.
import { and, asc, eq, inArray, ne, or } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import {
  ASKED_REFUSALS,
  firstRisks,
  PRICE_KINDS,
  partName,
  refuseUnasked,
} from '#features/office/prices/rules.ts'
import { beginPrice } from '#features/office/prices/server.ts'
import { pricedTerms } from '#features/shops/versions/rules.ts'
import {
  addVersion,
  changeVersion,
  lockVersion,
  setSellers,
  type VersionValues,
} from '#features/shops/versions/server-catalogue.ts'
import { versionFunctions, versionSellers, versions } from '#features/shops/versions/tables.ts'
import { keysIn, picked } from '#kit/declare/fields.ts'
import type { In } from '#kit/declare/op.ts'
import { amountText } from '#kit/money.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { refuse, refuseBroken, staffAlone } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { catalogue as contract } from './contract.ts'
import { VERSION_FIELDS } from './fields.ts'
import { CATALOGUE_REFUSALS, type CatalogueRefusal, refuseFirstPrices, refuseVersionForm } from './rules.ts'

type Form = In<typeof contract.saveVersion>

export const saveVersion: Verb<typeof contract.saveVersion> = async (ctx, form) => {
  staffAlone(ctx)
  const before = form.seen && (await lockVersion(ctx, form.seen))
  // What shops have bought keeps the way it is priced.
  const pricingRule = before?.pricingRule ?? form.pricingRule
  refuseBroken(VERSION_FIELDS, form)
  const broken = refuseVersionForm({ ...form, pricingRule }) ?? refuseFirstPrices(form.prices)
  if (broken) refuse(broken.code, CATALOGUE_REFUSALS, { field: broken.field })
  const firstPrices = before ? [] : pricesOf(form)
  const risks = firstRisks(firstPrices.map(({ cents }) => cents))
  refuse(refuseUnasked(risks, form.answered), ASKED_REFUSALS, { field: 'prices' })
  await refuseTaken(ctx, form, before?.id ?? 0)
  const sellers = form.sellers === 'all' ? [] : await sellersNamed(ctx, form.sellerIds)
  const functionNames = await functionsNamed(ctx, [...form.functionIds, ...(before?.functionIds ?? [])])
  const values: VersionValues = {
    ...picked(form, ['name', 'code', 'buyCode', 'renewCode', 'isPack', 'offeredOnAdd', 'offeredOnChange']),
    ...picked(form, ['sellers', 'functionIds', 'remark']),
    pricingRule,
    kind: pricingRule === 'perShopLifetime' ? 1 : 2,
    position: form.position ?? 0,
  }
  const named = before ? await sellersOf(ctx, before.id) : []
  const saved = before ?? (await addVersion(ctx, values))
  if (before) await changeVersion(ctx, before, values)
  for (const price of firstPrices) await beginPrice(ctx, { book: 'version', item: saved.id, ...price })
  const sellerIds = sellers.map(({ id }) => id)
  await setSellers(ctx, saved.id, sellerIds)
  const was: Record<string, unknown> = before ?? {}
  const namesOf = (ids: readonly number[]) => ids.map(id => functionNames.get(id) ?? id).join('、')
  const changes = [
    ...changesOf(was, values, LOGGED),
    ...changed('指定代理商', named.map(textOf).join('、'), sellers.map(textOf).join('、')),
    ...firstPrices.map(({ part, cents }) => ({
      name: `${partName('version', part)}${PRICE_KINDS.list}`,
      before: null,
      after: amountText(cents, '代币'),
    })),
    ...changed('功能', namesOf(before?.functionIds ?? []), namesOf(form.functionIds)),
  ]
  if (changes.length === 0) ctx.nothingChanged()
  ctx.object('version', saved.id)
  ctx.note(`${form.name} (${saved.id})`, changes)
  return { id: saved.id }
}

/** Those of its terms that it has a price for. */
function pricesOf({ prices, ...version }: Form) {
  const terms = pricedTerms(version)
  return prices.filter(
    ({ part }, at) => terms.includes(part) && prices.findIndex(one => one.part === part) === at,
  )
}

const LOGGED = picked(VERSION_FIELDS, keysIn(VERSION_FIELDS, 'log'))

const textOf = ({ id, name }: { id: number; name: string }) => `${name}（${id}）`

function changed(name: string, before: string, after: string): FieldChange[] {
  return before === after ? [] : [{ name, before: before || null, after: after || null }]
}

function refuseField(code: CatalogueRefusal, field: string): void {
  refuse(code, CATALOGUE_REFUSALS, { field })
}

async function refuseTaken(ctx: Ctx, { name, code }: Form, id: number): Promise<void> {
  const [same] = await ctx.db
    .select({ name: versions.name })
    .from(versions)
    .where(and(ne(versions.id, id), or(eq(versions.name, name), eq(versions.code, code))))
    .limit(1)
  if (same)
    refuseField(same.name === name ? 'NAME_TAKEN' : 'CODE_TAKEN', same.name === name ? 'name' : 'code')
}

async function sellersNamed(ctx: Ctx, ids: readonly number[]) {
  const wanted = [...new Set(ids)]
  const rows = await ctx.db
    .select({ id: agents.id, name: agents.companyName })
    .from(agents)
    .where(inArray(agents.id, wanted))
    .orderBy(asc(agents.id))
  if (rows.length !== wanted.length) refuseField('AGENT_UNKNOWN', 'sellerIds')
  return rows
}

function sellersOf(ctx: Ctx, versionId: number) {
  return ctx.db
    .select({ id: agents.id, name: agents.companyName })
    .from(versionSellers)
    .innerJoin(agents, eq(agents.id, versionSellers.agentId))
    .where(eq(versionSellers.versionId, versionId))
    .orderBy(asc(agents.id))
}

/** Refuses one that is not there; those that the version had are named too. */
async function functionsNamed(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  const wanted = [...new Set(ids)]
  const rows = await ctx.db
    .select({ id: versionFunctions.id, name: versionFunctions.name })
    .from(versionFunctions)
    .where(inArray(versionFunctions.id, wanted))
  if (rows.length !== wanted.length) refuseField('FUNCTION_UNKNOWN', 'functionIds')
  return new Map(rows.map(({ id, name }) => [id, name]))
}
