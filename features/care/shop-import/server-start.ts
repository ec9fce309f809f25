// From the rehearsal to the start, and the steps of an import that is under way.
import { eq } from 'drizzle-orm'
import { LEDGER_REFUSALS } from '#features/money/ledger/rules.ts'
import { amountText, countText } from '#kit/money.ts'
import type { Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import type { shopImport as contract } from './contract.ts'
import { IMPORT_REFUSALS, refuseRemark, refuseStart } from './rules.ts'
import { backOffer, closeRequests } from './server-approval.ts'
import { countsOf, WORK } from './server-lines.ts'
import { findImport, forStep, noteImport, takeStep } from './server-list.ts'
import { rehearsed } from './server-rehearsal.ts'
import { shopImports as imports, shopImportRows as lines } from './tables.ts'

export const rehearse: Verb<typeof contract.rehearse> = async (ctx, { id }) => {
  const one = await findImport(ctx, id)
  const shown = await rehearsed(ctx, one)
  return { ...shown, back: await backOffer(ctx, one, shown) }
}

/** From here on its lines become shops, batch by batch, at the prices that were shown. */
export const start: Verb<typeof contract.start> = async (ctx, { id, token }) => {
  const one = await forStep(ctx, id, 'start')
  const isBuyer = one.mode === 'takeover' ? ctx.actor.isVendorStaff : one.agentId === ctx.actor.agentId
  refuse(isBuyer ? null : 'MODE_WRONG', IMPORT_REFUSALS)
  refuse(refuseStart(await countsOf(ctx, id), one.heads), IMPORT_REFUSALS)
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
  await closeRequests(ctx, id, '导入已作废')
  await ctx.db.update(lines).set({ raw: null, password: null }).where(eq(lines.importId, id))
  noteImport(ctx, one)
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
