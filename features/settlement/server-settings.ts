// When an undo needs a second person: what the operator sets for the whole office.

import { eq } from 'drizzle-orm'
import { keepSetting } from '#features/reference-data/server-settings.ts'
import { officeSettings } from '#features/reference-data/tables.ts'
import { amountText } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import type { settlement as contract } from './contract.ts'
import { refuseApprovalAmount, SETTLEMENT_REFUSALS } from './rules.ts'

const KEY = 'undo-approval-cents'

/** Above this an undo waits for approval, 1/100 token; null: never. */
export async function approvalCentsOf(ctx: Ctx): Promise<number | null> {
  const [row] = await ctx.db
    .select({ value: officeSettings.value })
    .from(officeSettings)
    .where(eq(officeSettings.key, KEY))
  return typeof row?.value === 'number' ? row.value : null
}

export async function undoSettings(ctx: Ctx): Promise<Out<typeof contract.undoSettings>> {
  return { approvalCents: await approvalCentsOf(ctx) }
}

const limitText = (cents: number | null) => (cents === null ? '不审批' : amountText(cents, '代币'))

export const setUndoSettings: Verb<typeof contract.setUndoSettings> = async (ctx, { approvalCents }) => {
  refuse(refuseApprovalAmount(approvalCents), SETTLEMENT_REFUSALS, { field: 'approval' })
  const before = await approvalCentsOf(ctx)
  await keepSetting(ctx, KEY, approvalCents)
  ctx.object('setting', 'undo-approval')
  ctx.note('撤销审批', [{ name: '审批金额', before: limitText(before), after: limitText(approvalCents) }])
  return { approvalCents }
}
