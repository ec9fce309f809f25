// What an acquirer says of an application, whoever tells it: somebody of staff, or the loop that asks by its protocol
// (`server-hand-in-rounds.ts`). Each writes it down behind the shop's lock, tells the agent, and answers what changed.
import { and, eq, inArray } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { FieldChange } from '#server/tables.ts'
import { ACQUIRER_ONBOARDING_FIELDS as FIELDS } from './fields.ts'
import {
  ACQUIRER_APPROVAL_STEPS,
  ACQUIRER_STEPS,
  APPROVAL_STATES,
  CHANNEL_STATES,
  handingInOf,
  REASON_FIELD_KEYS,
  REASON_FIELDS,
  type Reasons,
  reasonsText,
} from './rules.ts'
import type { AcquirerOnboarding } from './server-known.ts'
import { type Shop, tell } from './server-save.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

export const standingOf = (row: AcquirerOnboarding) => ({ ...row, handingIn: handingInOf(row) })

type Of = { shop: Shop; row: AcquirerOnboarding }

/** Nothing more is asked of the acquirer by its protocol. */
export const QUIET = {
  ...{ requestNo: '', serviceMessage: '', askedByName: '', claim: '', tries: 0, nextAt: null },
} as const
/** What was handed in by the protocol before is not what is there now. */
export const BY_HAND = { ...QUIET, applicationId: '', applicationCode: '' } as const

export const approvalChange = (
  row: AcquirerOnboarding,
  to: AcquirerOnboarding['approvalState'],
): FieldChange => ({
  name: FIELDS.approvalState.label,
  before: APPROVAL_STATES[row.approvalState],
  after: APPROVAL_STATES[to],
})

const stateChange = (row: AcquirerOnboarding, to: AcquirerOnboarding['state']): FieldChange[] =>
  row.state === to
    ? []
    : [{ name: FIELDS.state.label, before: CHANNEL_STATES[row.state], after: CHANNEL_STATES[to] }]

export const reasonChanges = (reasons: Reasons): FieldChange[] =>
  REASON_FIELD_KEYS.flatMap(field =>
    reasons[field]
      ? [{ name: `驳回原因（${REASON_FIELDS[field]}）`, before: null, after: reasons[field] }]
      : [],
  )

type Sent = Partial<
  Pick<AcquirerOnboarding, 'sentByName' | 'applicationId' | 'applicationCode' | keyof typeof QUIET>
>

export async function sentThere(ctx: Ctx, { shop, row }: Of, given: Sent): Promise<FieldChange[]> {
  const { from, to } = ACQUIRER_STEPS.send
  await ctx.db
    .update(onboarded)
    .set({ ...given, state: to, revision: row.revision + 1, sentAt: ctx.now.toISOString() })
    .where(
      and(eq(onboarded.id, row.id), inArray(onboarded.state, [...from]), ownRows(ctx, onboarded.agentId)),
    )
  await tell(ctx, shop, row, { title: '收单进件已送达渠道', body: '等待渠道审核' })
  return stateChange(row, to)
}

/** It is mended, and approved anew. `by`: who says so. */
export async function refusedThere(
  ctx: Ctx,
  { shop, row }: Of,
  {
    reasons,
    by,
    applicationCode = row.applicationCode,
  }: { reasons: Reasons; by: string; applicationCode?: string },
): Promise<FieldChange[]> {
  const { from, to } = ACQUIRER_STEPS[row.state === 'sent' ? 'refuse' : 'turnDown']
  await ctx.db
    .update(onboarded)
    .set({
      ...{ ...QUIET, state: to, approvalState: ACQUIRER_APPROVAL_STEPS.sendBack.to },
      ...{ reasons, applicationCode, revision: row.revision + 1 },
      ...{ handledByName: by, handledAt: ctx.now.toISOString() },
    })
    .where(
      and(
        eq(onboarded.id, row.id),
        inArray(onboarded.state, [...from]),
        inArray(onboarded.approvalState, [...ACQUIRER_APPROVAL_STEPS.sendBack.from]),
        ownRows(ctx, onboarded.agentId),
      ),
    )
  await tell(ctx, shop, row, { title: '收单进件被渠道驳回', body: reasonsText(reasons) })
  return [
    ...stateChange(row, to),
    approvalChange(row, ACQUIRER_APPROVAL_STEPS.sendBack.to),
    ...reasonChanges(reasons),
  ]
}

/** Throws 23505 where the number is another shop's. */
export async function openedThere(ctx: Ctx, { shop, row }: Of, code: string): Promise<FieldChange[]> {
  const { from, to } = ACQUIRER_STEPS.open
  await ctx.db
    .update(onboarded)
    .set({
      ...{ ...QUIET, state: to, code, revision: row.revision + 1 },
      ...{ openedAt: ctx.now.toISOString(), merchantStatus: row.merchantStatus ?? 'normal' },
    })
    .where(
      and(eq(onboarded.id, row.id), inArray(onboarded.state, [...from]), ownRows(ctx, onboarded.agentId)),
    )
  await tell(ctx, shop, row, { title: '收单渠道已开通', body: `商户编号 ${code}` })
  return [...stateChange(row, to), { name: FIELDS.code.label, before: row.code || null, after: code }]
}
