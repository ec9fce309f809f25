// What the SMS services decided about a signature: its request follows, once what they say is enough for that, and staff ask or
// hand in again.
import { and, desc, eq } from 'drizzle-orm'
import type { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import {
  AGAIN_REFUSALS,
  adviceOf,
  isOpen,
  refuseAgain,
  SIGNATURE_STATES,
  SMS_SERVICES,
  verdictOf,
} from '#features/shops/signatures/rules.ts'
import { askNow, beginAgain } from '#features/shops/signatures/server-hand-in.ts'
import { reviewSignatures } from '#features/shops/signatures/server-review.ts'
import type { AtService } from '#features/shops/signatures/server-states.ts'
import { shopSignatures } from '#features/shops/signatures/tables.ts'
import { type Ctx, ownRows, type Services, type Verb } from '#server/ctx.ts'
import { logOperation } from '#server/operation-log.ts'
import { found, refuse } from '#server/refuse.ts'
import { SYSTEM_ACTOR } from '#server/system.ts'
import type { approvals as contract } from './contract.ts'
import { APPROVAL_KINDS, APPROVAL_STATES, APPROVAL_STEPS, undecidableText } from './rules.ts'
import { type Decision, mark, takeEffect, tell, tellPhones } from './server-decide.ts'
import { approvalRequests as requests } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>

export function followServices(services: Services): Promise<boolean> {
  return reviewSignatures(services, settle)
}

/** The shop is locked. A request that ended meanwhile stays as it is. */
async function settle(ctx: Ctx, shop: Shop, { requestId, merchantId, service }: AtService): Promise<void> {
  const [request] = await ctx.db
    .select()
    .from(requests)
    .where(and(eq(requests.id, requestId), eq(requests.state, 'reviewing')))
    .for('update')
  if (!request || undecidableText(request, 'reject') !== null) return
  const rows = await ctx.db
    .select()
    .from(shopSignatures)
    .where(
      and(
        eq(shopSignatures.merchantId, merchantId),
        eq(shopSignatures.requestId, requestId),
        eq(shopSignatures.signature, request.content),
      ),
    )
  const verdict = verdictOf(rows, ctx.services.providers.sms?.name ?? null)
  if (!verdict) return
  const decision: Decision =
    verdict.step === 'accept'
      ? { step: 'accept', reason: '', advice: '' }
      : { step: 'decline', ...adviceOf(verdict.by) }
  const now = decision.step === 'accept' ? await takeEffect(ctx, shop, request) : shop
  await mark(ctx, request, decision, {
    handledBy: SYSTEM_ACTOR.accountId,
    handledByName: SMS_SERVICES[verdict.step === 'decline' ? verdict.by.service : service],
    handledAt: ctx.now.toISOString(),
    serviceAnswer: answerOf(rows),
  })
  await tell(ctx, request, decision)
  await logOperation(ctx, {
    operation: 'approvals.settle',
    title: decision.step === 'accept' ? '短信服务商通过签名' : '短信服务商驳回签名',
    subject: `${request.shopName} (${merchantId})`,
    objects: [`approval:${requestId}`],
    by: { ...SYSTEM_ACTOR, agentId: request.agentId },
    merchantId,
    changes: [
      {
        name: APPROVAL_KINDS.signature,
        before: decision.step === 'accept' ? shop.signature : null,
        after: request.content,
      },
      {
        name: '审批',
        before: APPROVAL_STATES.reviewing,
        after: APPROVAL_STATES[APPROVAL_STEPS[decision.step].to],
      },
      ...(decision.reason ? [{ name: '驳回原因', before: null, after: decision.reason }] : []),
    ],
  })
  await tellPhones(ctx, [{ request, decision, shop: now }])
}

/** What each of those that have decided said. */
function answerOf(rows: readonly AtService[]): string {
  return rows
    .filter(({ state }) => !isOpen(state))
    .map(({ service, state, answer }) =>
      [`${SMS_SERVICES[service]}${SIGNATURE_STATES[state]}`, answer].filter(Boolean).join('：'),
    )
    .sort()
    .join('；')
}

/** So many of a shop's are told. */
const TOLD = 20

export const atServices: Verb<typeof contract.atServices> = async (ctx, { merchantId }) => {
  const rows = await selectRows(ctx)
    .where(and(eq(shopSignatures.merchantId, merchantId), ownRows(ctx, shopSignatures.agentId)))
    .orderBy(desc(shopSignatures.requestId), shopSignatures.service)
    .limit(TOLD)
  const { sms } = ctx.services.providers
  return {
    rows: rows.map(({ row, standing, requestState }) => {
      const code = againRefusalOf(row, standing, requestState)
      return {
        ...row,
        carriers: [...row.carriers],
        againRefusal: code && AGAIN_REFUSALS[code],
        sends: row.service === sms?.name,
      }
    }),
  }
}

function selectRows(ctx: Ctx) {
  return ctx.db
    .select({ row: shopSignatures, standing: merchants.signature, requestState: requests.state })
    .from(shopSignatures)
    .innerJoin(merchants, eq(merchants.id, shopSignatures.merchantId))
    .innerJoin(requests, eq(requests.id, shopSignatures.requestId))
    .$dynamic()
}

function againRefusalOf(
  { state, signature }: AtService,
  standing: string,
  requestState: keyof typeof APPROVAL_STATES,
) {
  return refuseAgain({
    state,
    isWanted: requestState === 'reviewing' || signature === standing,
  })
}

async function oneRow(ctx: Ctx, id: number) {
  const [first] = await selectRows(ctx).where(
    and(eq(shopSignatures.id, id), ownRows(ctx, shopSignatures.agentId)),
  )
  const { row, standing, requestState } = found(first)
  ctx.about(row.agentId, row.merchantId)
  ctx.object('approval', row.requestId)
  ctx.note(`${APPROVAL_KINDS.signature}「${row.signature}」 (${row.merchantId})`, [
    { name: '短信服务商', before: null, after: SMS_SERVICES[row.service] },
  ])
  return { row, standing, requestState }
}

export const askService: Verb<typeof contract.askService> = async (ctx, { id }) => {
  const { row } = await oneRow(ctx, id)
  await askNow(ctx, row.id)
  return { id }
}

export const handInAgain: Verb<typeof contract.handInAgain> = async (ctx, { id }) => {
  const { row, standing, requestState } = await oneRow(ctx, id)
  refuse(againRefusalOf(row, standing, requestState), AGAIN_REFUSALS)
  await beginAgain(ctx, row)
  return { id }
}
