// The one place that calls the services about signatures: it claims what is due, commits, asks where it stands, hands in what is not
// there, and writes what came of it in a transaction of its own. What may have been handed in is asked about, and never handed in
// again before the service has said that it is not there.
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { SignatureDesk, SignatureFact } from '#kit/ports/signature-desk.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { isHandedIn, isOpen, SIGNATURE_LIMITS, secondsToNext, stepOf } from './rules.ts'
import { type AtService, stepTo, takeBack, tellStuck, tellUse } from './server-states.ts'
import { shopSignatures } from './tables.ts'

type Shop = Awaited<ReturnType<typeof lockMerchant>>
/** What is to follow in the same transaction from how a signature stands at a service now. */
export type Settle = (ctx: Ctx, shop: Shop, row: AtService) => Promise<void>

/** What one round told. `unknown`: it may have been handed in. `later`: nothing was done, by the service or by us. */
type Round =
  | { kind: 'fact'; fact: SignatureFact }
  | { kind: 'handedIn'; serviceId: string }
  | { kind: 'refused' | 'stuck'; code: string; answer: string }
  | { kind: 'unknown' | 'later'; standing: SignatureFact['standing'] | null; answer: string }

const CLAIM = `
  update shop_signatures set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (select id from shop_signatures where next_at <= now() order by next_at, id limit $3 for update skip locked)
  returning id::int`

/** Does a part and answers whether more waits. */
export async function reviewSignatures(services: Services, settle: Settle): Promise<boolean> {
  const claim = randomUUID()
  const rows = await actAsSystem(services, 'signatures claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_signatures',
      text: CLAIM,
      values: [claim, SIGNATURE_LIMITS.claimSeconds, SIGNATURE_LIMITS.atOnce],
    })
    if (rows.length === 0) return []
    return ctx.db.select().from(shopSignatures).where(eq(shopSignatures.claim, claim))
  })
  await Promise.all(rows.map(row => review(services, row, settle)))
  return rows.length === SIGNATURE_LIMITS.atOnce
}

async function review(services: Services, row: AtService, settle: Settle): Promise<void> {
  const desk = services.providers.signatureDesks.find(({ name }) => name === row.service)
  const round: Round = desk
    ? await call(services, desk, row)
    : { kind: 'stuck', code: 'NOT_REVIEWED', answer: '该短信服务商未接入签名审核' }
  await actAsSystem(services, 'signatures record', ctx => record(ctx, row, round, settle))
}

async function call(services: Services, desk: SignatureDesk, row: AtService): Promise<Round> {
  let standing: SignatureFact['standing'] | null = null
  try {
    const fact = await desk.ask(row.signature, row.serviceId)
    if (!isHandedIn(row, fact.standing)) return { kind: 'fact', fact }
    standing = fact.standing
    const order = { signature: row.signature, remark: `商户 ${row.merchantId} 的会员通知短信` }
    return { kind: 'handedIn', serviceId: await desk.handIn(order, fact) }
  } catch (error) {
    if (error instanceof ProviderBusy) return { kind: 'later', standing, answer: error.message }
    if (error instanceof ProviderRefused) {
      const { code, message: answer } = error
      return { kind: standing && desk.troubleOf(code) === 'signature' ? 'refused' : 'stuck', code, answer }
    }
    if (!(error instanceof ProviderUnknown)) services.onProblem(error)
    return { kind: 'unknown', standing, answer: '服务商未应答，将再次查询' }
  }
}

/** The shop before its signature: so do all who decide. A round whose claim was lost to another changes nothing. */
async function record(
  ctx: Ctx,
  { id, merchantId, claim }: AtService,
  round: Round,
  settle: Settle,
): Promise<void> {
  const shop = await lockMerchant(ctx, merchantId)
  const [row] = await ctx.db
    .select()
    .from(shopSignatures)
    .where(and(eq(shopSignatures.id, id), eq(shopSignatures.claim, claim)))
    .for('update')
  if (!row) return
  const after = await apply(ctx, row, round)
  const isNews = after.state !== row.state
  await ctx.db
    .update(shopSignatures)
    .set({ claim: '', askedAt: ctx.now.toISOString(), nextAt: nextOf(ctx, after, shop, isNews) })
    .where(eq(shopSignatures.id, id))
  if (isNews) await settle(ctx, shop, after)
}

function apply(ctx: Ctx, row: AtService, round: Round): Promise<AtService> {
  switch (round.kind) {
    case 'fact':
      return applyFact(ctx, row, round.fact)
    case 'handedIn':
      return moved(ctx, row, 'handIn', {
        ...{ serviceId: round.serviceId, again: false, tries: 0, code: '', answer: '', carriers: [] },
        handedInAt: ctx.now.toISOString(),
      })
    case 'refused':
      return moved(ctx, row, 'refuse', { code: round.code, answer: round.answer, again: false })
    case 'stuck':
      return applyStuck(ctx, row, round)
    case 'unknown':
      // What was not there may be there now, refused already: then it is not handed in a second time.
      return kept(ctx, row, { answer: round.answer, ...(round.standing === 'none' ? { again: false } : {}) })
    case 'later':
      return kept(ctx, row, { answer: round.answer })
  }
}

async function applyFact(ctx: Ctx, row: AtService, fact: SignatureFact): Promise<AtService> {
  const { standing, serviceId, reason: answer, carriers } = fact
  const told = { serviceId, answer, carriers: [...carriers], code: '' }
  const step = stepOf(row, standing, ctx.now)
  switch (step) {
    case null:
      return kept(ctx, row, standing === 'none' ? {} : told)
    case 'takeBack':
      return (await takeBack(ctx, row, { code: standing, answer })) ?? row
    case 'lose':
      return moved(ctx, row, 'lose', { serviceId: '', tries: 0, answer: '服务商处没有该签名，将重新提交' })
    case 'handIn':
      return moved(ctx, row, 'handIn', {
        ...{ ...told, again: false, tries: 0 },
        handedInAt: row.handedInAt ?? ctx.now.toISOString(),
      })
    case 'approve': {
      const now = await moved(ctx, row, 'approve', { ...told, again: false, tries: 0 })
      await tellUse(ctx, now)
      return now
    }
    case 'refuse':
      return moved(ctx, row, 'refuse', { ...told, code: standing, again: false })
  }
}

async function applyStuck(
  ctx: Ctx,
  row: AtService,
  { code, answer }: { code: string; answer: string },
): Promise<AtService> {
  if (row.state !== 'waiting' && row.state !== 'stuck') return kept(ctx, row, { code, answer })
  const now = await moved(ctx, row, 'stick', { code, answer })
  await tellStuck(ctx, now)
  return now
}

async function moved(
  ctx: Ctx,
  row: AtService,
  step: 'approve' | 'refuse' | 'handIn' | 'stick' | 'lose',
  changed: Parameters<typeof stepTo>[3],
): Promise<AtService> {
  return (await stepTo(ctx, row, step, changed)) ?? row
}

async function kept(ctx: Ctx, row: AtService, changed: Parameters<typeof stepTo>[3]): Promise<AtService> {
  if (Object.keys(changed).length > 0)
    await ctx.db
      .update(shopSignatures)
      .set({ ...changed })
      .where(eq(shopSignatures.id, row.id))
  return { ...row, ...changed } as AtService
}

/** What the shop does not go by any more is not asked about, once it is decided. */
function nextOf({ now }: Ctx, row: AtService, shop: Shop, isNews: boolean): string | null {
  if (!isNews && !isOpen(row.state) && row.signature !== shop.signature) return null
  const carriersDone = row.carriers.every(({ state }) => state === 'done')
  const seconds = secondsToNext({ ...row, carriersDone }, now)
  return seconds === null ? null : new Date(now.getTime() + seconds * 1_000).toISOString()
}
