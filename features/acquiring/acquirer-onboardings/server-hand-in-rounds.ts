// The one place that calls an acquirer about applications: it claims what is due, commits, hands in or asks where it stands, and writes what
// came of it in a transaction of its own, the shop first. What may have been handed in is handed in again under the same number.
import { randomUUID } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import { openDocument } from '#features/care/documents/server-look.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import type {
  AcquirerApplication,
  AcquirerOnboardingDesk,
  AcquirerReasons,
} from '#kit/ports/acquirer-onboarding.ts'
import { ACQUIRER_NAMES, ACQUIRER_PAPER_KEYS, acquirerOf, picturesFor } from '#kit/ports/acquirers.ts'
import { ProviderRefused, ProviderUnknown, ProviderUnverified } from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { PDF_TYPE } from '#server/files.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { jpegWithin } from '#server/pictures.ts'
import { actAsSystem, systemCaller } from '#server/system.ts'
import type { FieldChange } from '#server/tables.ts'
import { brokenCode, HANDING_IN, LIMITS, REASON_FIELD_KEYS, type Reasons, secondsToNext } from './rules.ts'
import { type AcquirerOnboarding, gather, lackingHere, wholeKnown } from './server-known.ts'
import type { Shop } from './server-save.ts'
import { openedThere, QUIET, refusedThere, sentThere } from './server-steps.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

/** What one round told. `withdrawn`: it is not to be handed in. `stuck`: somebody has to see to it. `later`: it is tried again. */
type Round =
  | { kind: 'handedIn'; applicationId: string; merchant: string }
  | { kind: 'reviewing' }
  | { kind: 'opened'; merchant: string }
  | { kind: 'refused'; merchant: string; reasons: AcquirerReasons }
  | { kind: 'withdrawn' | 'stuck' | 'later'; message: string }

const CLAIM = `
  update acquirer_onboardings set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (
    select id from acquirer_onboardings where next_at <= now() and is_active
    order by next_at, id limit $3 for update skip locked
  )
  returning id::int`

/** Does a part and answers whether more waits. */
export async function handInAndAsk(services: Services): Promise<boolean> {
  const claim = randomUUID()
  const due = await actAsSystem(services, 'acquirer onboardings claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_acquirer_onboardings',
      text: CLAIM,
      values: [claim, HANDING_IN.claimSeconds, HANDING_IN.atOnce],
    })
    return rows.length === 0 ? [] : ctx.db.select().from(onboarded).where(eq(onboarded.claim, claim))
  })
  await Promise.all(
    due.map(async row => {
      const round = await askedOf(services, row)
      await actAsSystem(services, 'acquirer onboardings record', ctx => record(ctx, row, round))
    }),
  )
  return due.length === HANDING_IN.atOnce
}

async function askedOf(services: Services, row: AcquirerOnboarding): Promise<Round> {
  const desk = services.providers.acquirerOnboarding[row.channel]
  if (!desk) return { kind: 'stuck', message: '渠道接口没有接入：厂商在服务器上设置后再提交' }
  try {
    if (row.state !== 'sent') return await handIn(services, desk, row)
    const standing = await desk.ask(row.applicationId)
    if (standing.state === 'refused') return { ...standing, kind: 'refused' }
    return standing.state === 'opened' ? { ...standing, kind: 'opened' } : { kind: 'reviewing' }
  } catch (error) {
    return failedRound(services, desk, row, error)
  }
}

function failedRound(
  services: Services,
  desk: AcquirerOnboardingDesk,
  row: AcquirerOnboarding,
  error: unknown,
): Round {
  if (error instanceof ProviderRefused) {
    const { turn, words, reasons } = desk.troubleOf(error)
    // A question that is refused says nothing of the application.
    if (turn === 'data' && row.state !== 'sent') return { kind: 'refused', merchant: '', reasons }
    return { kind: turn === 'account' ? 'stuck' : 'later', message: words }
  }
  if (error instanceof ProviderUnverified)
    return { kind: 'later', message: '渠道应答的签名校验失败，请检查平台公钥' }
  if (error instanceof ProviderUnknown) return { kind: 'later', message: '渠道没有应答，将再次尝试' }
  services.onProblem(error)
  return { kind: 'later', message: '提交时出错，将再次尝试' }
}

async function handIn(
  services: Services,
  desk: AcquirerOnboardingDesk,
  row: AcquirerOnboarding,
): Promise<Round> {
  const { known, payType, district, isLacking } = await actAsSystem(
    services,
    'acquirer onboardings gather',
    async ctx => {
      const gathered = await gather(ctx, row)
      const papers = ACQUIRER_PAPER_KEYS.filter(paper => row.papers[paper] !== undefined)
      const isLacking = lackingHere(ctx, row, gathered.known, papers).length > 0
      const { payType, district } = gathered
      return { payType, district, isLacking, known: isLacking ? null : await wholeKnown(ctx, gathered) }
    },
  )
  if (row.approvalState !== 'approved' || isLacking || known === null || !/^\d{6}$/.test(district))
    return { kind: 'withdrawn', message: '资料在审核后有变动，没有提交渠道，请核对后重新提交' }
  const pictures: Record<string, string> = {}
  for (const { paper } of picturesFor(row.channel, payType)) {
    const id = row.papers[paper]
    if (id === undefined) continue
    const { bytes, mime } = await openDocument(
      systemCaller(services, 'acquirer onboardings'),
      id,
      'paymentApplication',
    )
    const unfit = (reason: string): Round => ({ kind: 'refused', merchant: '', reasons: { [paper]: reason } })
    if (mime === PDF_TYPE) return unfit('渠道不收 PDF，请改为上传图片')
    const picture = await jpegWithin(bytes, desk.pictureBytesMax)
    if (!picture) return unfit('图片过大，请重新上传')
    pictures[paper] = await desk.upload(paper, picture)
  }
  const categories = acquirerOf(row.channel).protocol?.categories
  const category = categories?.find(([, word]) => word === known.category)?.[0] ?? ''
  const application: AcquirerApplication = {
    ...{ requestNo: row.requestNo, refusedMerchant: row.applicationCode || null, district, pictures },
    known: { ...known, category },
  }
  return { kind: 'handedIn', ...(await desk.submit(application)) }
}

/** A round whose claim was lost to another changes nothing, nor does one of what was taken on by hand meanwhile. */
async function record(ctx: Ctx, before: AcquirerOnboarding, round: Round): Promise<void> {
  const shop = await lockMerchant(ctx, before.merchantId)
  const [row] = await ctx.db
    .select()
    .from(onboarded)
    .where(and(eq(onboarded.id, before.id), eq(onboarded.claim, before.claim)))
    .for('update')
  if (!row || row.requestNo !== before.requestNo) return
  const changes = await apply(ctx, shop, row, round)
  // What somebody asked about is answered in the log, whatever the answer is.
  const answered = row.askedByName === '' ? [] : [{ name: '查询结果', before: null, after: wordsOf(round) }]
  const all = [...answered, ...changes]
  if (all.length > 0) await log(ctx, shop, row, all)
}

function wordsOf(round: Round): string {
  switch (round.kind) {
    case 'handedIn':
      return '已提交'
    case 'reviewing':
      return '渠道仍在审核'
    case 'opened':
      return `已开通，商户编号 ${round.merchant}`
    case 'refused':
      return '渠道驳回'
    default:
      return round.message
  }
}

async function apply(ctx: Ctx, shop: Shop, row: AcquirerOnboarding, round: Round): Promise<FieldChange[]> {
  const now = ctx.now.toISOString()
  const stay = { askedByName: '', claim: '', tries: 0, serviceMessage: '', askedAt: now }
  switch (round.kind) {
    case 'handedIn': {
      const { applicationId, merchant } = round
      const nextAt = nextOf({ ...row, state: 'sent', sentAt: now, tries: 0 }, ctx.now)
      return sentThere(
        ctx,
        { shop, row },
        { claim: '', tries: 0, serviceMessage: '', nextAt, applicationId, applicationCode: merchant },
      )
    }
    case 'reviewing':
      await keep(ctx, row, { ...stay, nextAt: nextOf(row, ctx.now) })
      return []
    case 'refused':
      return refusedThere(
        ctx,
        { shop, row },
        {
          reasons: shortened(round.reasons),
          by: ACQUIRER_NAMES[row.channel],
          applicationCode: round.merchant || row.applicationCode,
        },
      )
    case 'opened': {
      const wrong = await wrongNumber(ctx, row, round.merchant)
      if (wrong === null) return openedThere(ctx, { shop, row }, round.merchant)
      await keep(ctx, row, { ...stay, serviceMessage: wrong, nextAt: nextOf(row, ctx.now) })
      await tellStuck(ctx, row, wrong)
      return []
    }
    case 'withdrawn':
      await keep(ctx, row, { ...QUIET, serviceMessage: round.message })
      return [{ name: '提交渠道', before: null, after: round.message }]
    default: {
      const tries = round.kind === 'stuck' ? Math.max(row.tries, HANDING_IN.silentRounds) : row.tries
      const after = { ...row, tries }
      await keep(ctx, row, {
        ...{ askedByName: '', claim: '', tries, serviceMessage: round.message },
        nextAt: nextOf(after, ctx.now),
      })
      if (tries >= HANDING_IN.silentRounds) await tellStuck(ctx, row, round.message)
      return []
    }
  }
}

const nextOf = (row: Parameters<typeof secondsToNext>[0], now: Date) =>
  new Date(now.getTime() + secondsToNext(row, now) * 1_000).toISOString()

const keep = (
  ctx: Ctx,
  { id }: AcquirerOnboarding,
  given: Partial<Pick<AcquirerOnboarding, keyof typeof QUIET | 'askedAt'>>,
) =>
  ctx.db
    .update(onboarded)
    .set({ ...given })
    .where(eq(onboarded.id, id))

/** As long as a reason may be. */
const shortened = (reasons: AcquirerReasons): Reasons =>
  Object.fromEntries(
    REASON_FIELD_KEYS.flatMap(field =>
      reasons[field] ? [[field, reasons[field].slice(0, LIMITS.reason)] as const] : [],
    ),
  )

/** Why the number that the acquirer gave cannot be the shop's; null: it can. */
async function wrongNumber(ctx: Ctx, row: AcquirerOnboarding, code: string): Promise<string | null> {
  const broken = brokenCode(row.channel, code)
  if (broken !== null) return `渠道给出的商户编号 ${code} 不可用：${broken}`
  const [other] = await ctx.db
    .select({ id: onboarded.id })
    .from(onboarded)
    .where(and(eq(onboarded.channel, row.channel), eq(onboarded.code, code), ne(onboarded.id, row.id)))
  return other ? `渠道给出的商户编号 ${code} 已属于另一家店铺，请与渠道核对` : null
}

function log(ctx: Ctx, shop: Shop, row: AcquirerOnboarding, changes: FieldChange[]): Promise<void> {
  const { id, agentId, merchantId } = row
  return logOperation(ctx, {
    operation: '/acquirer-onboardings handing in',
    title: '提交收单渠道',
    subject: `${shop.shopName} (${shop.id}) ${ACQUIRER_NAMES[row.channel]}`,
    objects: [objectKey('acquirerOnboarding', id), objectKey('merchant', merchantId)],
    ...{ by: { ...ctx.actor, agentId }, merchantId, aboutAgentId: agentId, changes },
  })
}

/** Once a day for each of them. */
async function tellStuck(ctx: Ctx, row: AcquirerOnboarding, message: string): Promise<void> {
  await notify(ctx, {
    vendor: 'staff',
    holding: 'acquirerOnboardings.decide',
    topic: 'Approval_Notify',
    title: '收单进件停在渠道接口',
    body: `商户 ${row.merchantId} ${ACQUIRER_NAMES[row.channel]}：${message}。系统会继续尝试，也可以人工送件。`,
    link: `/admin/merchant/acquiring?id=${row.id}`,
    onceKey: `acquirer-stuck ${row.id} ${formatDay(ctx.now)}`,
  })
}
