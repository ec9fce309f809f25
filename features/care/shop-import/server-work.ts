// Lines become shops in the background, or are taken back: each batch is one transaction that a kill undoes wholly and that takes what
// still waits under the lock of its import, so that nothing is done twice.
import { randomBytes } from 'node:crypto'
import { setTimeout as rest } from 'node:timers/promises'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { regionsOf } from '#features/office/regions/server.ts'
import { newRow } from '#features/sales/selling/server-add.ts'
import { addMerchants, type NewSale, type Sold } from '#features/sales/selling/server-add-many.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { asksBranches } from '#features/shops/versions/rules.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { isLinkFailure } from '#server/db.ts'
import { Refusal } from '#server/refuse.ts'
import { hashPassword, hashRandom } from '#server/secrets.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import { type ImportForm, LINE_STEPS, priceKey, ROWS_AT_ONCE, refuseStep } from './rules.ts'
import { takeBackBatch } from './server-back.ts'
import {
  FINE,
  type ImportLine,
  type InHand,
  linesOf,
  logBatch,
  opened,
  takeInHand,
  tellImport,
} from './server-lines.ts'
import { findImport, takeStep } from './server-list.ts'
import { shownPrice } from './server-rehearsal.ts'
import { shopImports as imports, shopImportRows as lines } from './tables.ts'

/** Between two batches, so that others come in. */
const REST_MS = 20

type Secret = { password: string; hash: string }

/** Does a part of the work and answers whether more waits. */
export async function workOnImports(services: Services, atOnce = ROWS_AT_ONCE): Promise<boolean> {
  const next = await readAsSystem(services, system => nextLines(system, atOnce))
  if (!next) return false
  try {
    if (next.state === 'rolling') await takeBackBatch(services, next.id)
    else await createBatch(services, next.id, await secretsOf(services, next.lines))
  } catch (error) {
    // Whether it was done is not known: the next look finds what still waits.
    if (isLinkFailure(error)) throw error
    if (!(error instanceof Refusal)) services.onProblem(error)
    const problem = error instanceof Refusal ? error.message : '导入时发生错误，请稍后继续'
    await actAsSystem(services, 'imports problem', async system => {
      const one = await findImport(system, next.id, true)
      if (refuseStep(one.state, 'stick')) return
      await takeStep(system, next.id, 'stick', { problem })
      await tellImport(system, one, '店铺导入已停止', problem)
    })
  }
  await rest(REST_MS)
  return true
}

/** The oldest import at work and, where it creates shops, what its next lines are. */
async function nextLines({ db }: Ctx, atOnce: number) {
  const [one] = await db
    .select({ id: imports.id, state: imports.state })
    .from(imports)
    .where(inArray(imports.state, ['running', 'rolling']))
    .orderBy(imports.id)
    .limit(1)
  if (!one) return null
  const waiting =
    one.state === 'rolling'
      ? []
      : await db
          .select({ id: lines.id, password: lines.password })
          .from(lines)
          .innerJoin(imports, eq(imports.id, lines.importId))
          .where(and(linesOf(one.id), FINE))
          .orderBy(asc(lines.position))
          .limit(atOnce)
  return { ...one, lines: waiting }
}

/** Passwords take their time to hash: before the transaction, one after the other. */
async function secretsOf(
  services: Services,
  waiting: readonly Pick<ImportLine, 'id' | 'password'>[],
): Promise<Map<number, Secret>> {
  const made = new Map<number, Secret>()
  for (const { id, password: brought } of waiting) {
    const typed = opened(services.secrets, brought)
    if (typed === '') {
      const password = madePassword()
      made.set(id, { password, hash: await hashRandom(password) })
    } else made.set(id, { password: '', hash: await hashPassword(typed) })
  }
  return made
}

/** 80 random bits in letters and digits that are not taken for each other. */
function madePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789a'
  return [...randomBytes(16)].map(byte => letters[byte & 31]).join('')
}

async function createBatch(
  services: Services,
  id: number,
  secrets: ReadonlyMap<number, Secret>,
): Promise<void> {
  await actAsSystem(services, 'imports batch', async system => {
    const hand = await takeInHand(system, id)
    if (!hand) return
    if (secrets.size === 0) await finish(hand)
    else await createShops(hand, secrets)
  })
}

type Waiting = Pick<ImportLine, 'id' | 'position' | 'line'> & { form: ImportForm }

async function createShops(hand: InHand, secrets: ReadonlyMap<number, Secret>): Promise<void> {
  const { ctx, one } = hand
  const waiting = (await ctx.db
    .select({ id: lines.id, position: lines.position, line: lines.line, form: lines.form })
    .from(lines)
    .innerJoin(imports, eq(imports.id, lines.importId))
    .where(and(linesOf(one.id), FINE, inArray(lines.id, [...secrets.keys()])))
    .orderBy(asc(lines.position))
    .for('update', { of: lines })) as Waiting[]
  if (waiting.length === 0) return
  const sales = await salesOf(hand, waiting, secrets)
  const sold = await addMerchants(
    ctx,
    sales.map(({ sale }) => sale),
    made => settle(hand, sales, made),
  )
  const made = sold.filter(each => each !== null)
  const totalCents = made.reduce((total, each) => total + each.totalCents, 0)
  await logBatch(
    hand,
    '导入店铺',
    made.map(({ merchantId }) => merchantId),
    [
      { name: '店铺', before: null, after: countText(made.length, '家') },
      { name: '结算', before: null, after: amountText(totalCents, '代币') },
      ...(one.reason === '' ? [] : [{ name: '接管原因', before: null, after: one.reason }]),
    ],
  )
}

type ToSell = { line: Waiting; password: string; sale: NewSale }

/** Lines as the form would send them. */
async function salesOf(
  { ctx, one }: InHand,
  waiting: readonly Waiting[],
  secrets: ReadonlyMap<number, Secret>,
): Promise<ToSell[]> {
  const regions = await regionsOf(ctx)
  const known = new Map((await ctx.db.select().from(versions)).map(version => [version.id, version]))
  const prices = new Map(one.prices.map(price => [priceKey(price), price]))
  return waiting.map(line => {
    const { form } = line
    const version = known.get(form.versionId)
    const path = regions.pathOf(form.districtCode)
    const secret = secrets.get(line.id)
    const kept = prices.get(priceKey(form))
    if (!version || !path || !secret || (one.mode === 'charge' && !kept))
      throw new Error(`line ${line.line} of import ${one.id} has changed`)
    const price = kept && shownPrice(kept)
    const counted = { ...version, priceYearCents: null, priceMonthCents: null, priceLifetimeCents: null }
    const shops = price?.shops ?? (asksBranches(counted) ? form.branches + 1 : form.shops)
    const added = { ...form, paymentMethodId: null }
    const row = newRow(ctx, added, path, { shops, payEnabled: false, source: 'import' }, secret.hash)
    const { term, periods, branches } = form
    return {
      line,
      password: secret.password,
      sale: {
        row: { ...row, shopPhone: form.shopPhone },
        versionName: version.name,
        smsCount: form.smsCount,
        bought: price ? { terms: { term, periods, shops: form.shops, branches }, price } : null,
        ...(form.registeredAt === null ? {} : { registeredAt: form.registeredAt, expiresAt: form.expiresAt }),
      },
    }
  })
}

/** Writes what became of each line, and how far the import is. */
async function settle(
  { ctx, one }: InHand,
  sales: readonly ToSell[],
  sold: readonly (Sold | null)[],
): Promise<void> {
  const { secrets } = ctx.services
  const ends = sales.map(({ line, password }, at) => {
    const made = sold[at]
    return {
      id: line.id,
      state: LINE_STEPS[made ? 'create' : 'fail'].to,
      problem: made ? '' : MERCHANT_REFUSALS.ACCOUNT_TAKEN,
      merchantId: made?.merchantId ?? null,
      orderNo: made?.orderNo ?? null,
      totalCents: made?.totalCents ?? 0,
      password: made && password !== '' ? `\\x${secrets.encrypt(password).toString('hex')}` : null,
    }
  })
  await ctx.client.query(
    `update shop_import_rows r set state = u.state, problem = u.problem, merchant_id = u."merchantId", order_no = u."orderNo",
       total_cents = u."totalCents", password = u.password::bytea
     from jsonb_to_recordset($1::jsonb) as u (id bigint, state text, problem text, "merchantId" bigint, "orderNo" text, "totalCents" bigint, password text)
     where r.id = u.id and r.state = 'pending'`,
    [JSON.stringify(ends)],
  )
  const made = sales.filter((_, at) => sold[at])
  const sum = (of: readonly number[]) => of.reduce((total, value) => total + value, 0)
  await ctx.db
    .update(imports)
    .set({
      created: sql`${imports.created} + ${made.length}`,
      failed: sql`${imports.failed} + ${sales.length - made.length}`,
      totalCents: sql`${imports.totalCents} + ${sum(sold.map(each => each?.totalCents ?? 0))}`,
      sms: sql`${imports.sms} + ${sum(made.map(({ sale }) => sale.smsCount))}`,
    })
    .where(eq(imports.id, one.id))
}

/** Nothing waits any more: what was left out is said so. */
async function finish({ ctx, one }: InHand): Promise<void> {
  const left = await ctx.db
    .update(lines)
    .set({ state: LINE_STEPS.skip.to, password: null })
    .where(and(eq(lines.importId, one.id), inArray(lines.state, LINE_STEPS.skip.from)))
  const skipped = left.rowCount ?? 0
  await takeStep(ctx, one.id, 'finish', { skipped, finishedAt: ctx.now.toISOString() })
  const ends = [`已导入 ${countText(one.created, '家')}`]
  if (one.failed > 0) ends.push(`未导入 ${countText(one.failed, '行')}`)
  if (skipped > 0) ends.push(`跳过 ${countText(skipped, '行')}`)
  await tellImport(ctx, one, '店铺导入已完成', ends.join('，'))
}
