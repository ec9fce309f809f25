// The one place that hands in changes of accounts, whichever channel they are at. It is written down as sent before it is: of one that nobody has
// answered the channel's adapter says how to come to know.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import { ACCOUNT_CHANGE_STEPS, ACCOUNT_CHANGE_WORDS, isGivenUp, LIMITS, secondsToNext } from './rules.ts'
import { type ChannelAdapter, channelsOf } from './server-channels.ts'
import { type Change, homeOf } from './server-subjects.ts'
import { accountChanges } from './tables.ts'

/** `later`: it stands as it stood. `held`: it was not handed in after all. */
type Round =
  | { kind: 'taken'; changeId: string }
  | { kind: 'done' }
  | { kind: 'refused' | 'held' | 'later'; message: string }

const CLAIM = `
  update account_changes set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (
    select id from account_changes where next_at <= now() and channel = any ($4)
    order by next_at, id limit $3 for update skip locked
  )
  returning id::int`

/** Does a part and answers whether more waits. */
export async function changeAndAsk(services: Services): Promise<boolean> {
  const channels = channelsOf(services)
  if (channels.size === 0) return false
  const claim = randomUUID()
  const rows = await actAsSystem(services, 'account changes claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_account_changes',
      text: CLAIM,
      values: [claim, LIMITS.claimSeconds, LIMITS.atOnce, [...channels.keys()]],
    })
    return rows.length === 0
      ? []
      : ctx.db.select().from(accountChanges).where(eq(accountChanges.claim, claim))
  })
  await Promise.all(
    rows.map(async row => {
      const round = await call(services, found(channels.get(row.channel)), row)
      await actAsSystem(services, 'account changes record', ctx => record(ctx, row, round))
    }),
  )
  return rows.length === LIMITS.atOnce
}

async function call(services: Services, channel: ChannelAdapter, row: Change): Promise<Round> {
  try {
    if (row.state === 'auditing') return await asked(channel, row)
    return row.state === 'unclear'
      ? await unanswered(services, channel, row)
      : await handedIn(services, channel, row)
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnknown)) services.onProblem(error)
    // Nothing was handed in where it throws: only questions were asked.
    return { kind: 'later', message: wordsOf(channel, error) }
  }
}

const wordsOf = (channel: ChannelAdapter, error: unknown) =>
  error instanceof ProviderRefused ? channel.troubleOf(error).words : `${channel.name}未应答，将再次查询`
const unconfirmed = ({ name }: ChannelAdapter) => `${name}未应答，正在确认是否已变更`

async function asked(channel: ChannelAdapter, row: Change): Promise<Round> {
  const { state, reason } = await channel.ask(row)
  switch (state) {
    case 'done':
      return { kind: 'done' }
    case 'refused':
      return { kind: 'refused', message: reason || `${channel.name}没有说明原因` }
    case 'auditing':
      return { kind: 'later', message: '' }
  }
}

/** Nobody has answered: whether it came about. */
async function unanswered(services: Services, channel: ChannelAdapter, row: Change): Promise<Round> {
  const { unanswered: way, givenUp } = channel
  if (way.as === 'look' && (await way.isDone(row))) return { kind: 'done' }
  const round = way.as === 'again' ? await again(services, channel, row) : null
  if (round?.kind === 'taken') return round
  if (isGivenUp(row.changedAt, services.clock.now())) return { kind: 'refused', message: givenUp }
  // What is refused now says nothing of what was not answered.
  return { kind: 'later', message: round && 'message' in round ? round.message : unconfirmed(channel) }
}

async function again(services: Services, channel: ChannelAdapter, row: Change): Promise<Round | null> {
  const prepared = await channel.prepare(row)
  return prepared.kind === 'ready' ? submitted(services, channel, prepared.submit) : null
}

async function handedIn(services: Services, channel: ChannelAdapter, row: Change): Promise<Round> {
  const prepared = await channel.prepare(row)
  if (prepared.kind === 'unfit') return { kind: 'refused', message: prepared.words }
  if (!(await actAsSystem(services, 'account changes send', ctx => send(ctx, row))))
    return { kind: 'later', message: '' }
  return submitted(services, channel, prepared.submit)
}

async function submitted(
  services: Services,
  channel: ChannelAdapter,
  submit: () => Promise<{ changeId: string }>,
): Promise<Round> {
  try {
    return { kind: 'taken', ...(await submit()) }
  } catch (error) {
    if (!(error instanceof ProviderRefused)) {
      if (!(error instanceof ProviderUnknown)) services.onProblem(error)
      return { kind: 'later', message: unconfirmed(channel) }
    }
    const { turn, words } = channel.troubleOf(error)
    return { kind: error instanceof ProviderBusy || turn === 'later' ? 'held' : 'refused', message: words }
  }
}

/** Answers whether it is this round's to hand in. */
async function send(ctx: Ctx, { id, claim }: Change): Promise<boolean> {
  const { from, to } = ACCOUNT_CHANGE_STEPS.send
  const rows = await ctx.db
    .update(accountChanges)
    .set({ state: to, changedAt: ctx.now.toISOString() })
    .where(
      and(
        eq(accountChanges.id, id),
        eq(accountChanges.claim, claim),
        inArray(accountChanges.state, [...from]),
      ),
    )
    .returning({ id: accountChanges.id })
  return rows.length > 0
}

const STEP_OF = { taken: 'take', done: 'finish', refused: 'refuse', held: 'hold' } as const

/** A round whose claim was lost to another changes nothing. */
async function record(ctx: Ctx, before: Change, round: Round): Promise<void> {
  const shop = await lockMerchant(ctx, before.merchantId)
  const [row] = await ctx.db
    .select()
    .from(accountChanges)
    .where(and(eq(accountChanges.id, before.id), eq(accountChanges.claim, before.claim)))
    .for('update')
  if (!row) return
  const message = 'message' in round ? round.message : ''
  const after = round.kind === 'later' ? row : await stepTo(ctx, row, STEP_OF[round.kind], round)
  const seconds = secondsToNext(after, ctx.now)
  await ctx.db
    .update(accountChanges)
    .set({
      ...{ claim: '', message },
      nextAt: seconds === null ? null : new Date(ctx.now.getTime() + seconds * 1_000).toISOString(),
      ...(seconds === null ? { accountNumber: null } : {}),
    })
    .where(eq(accountChanges.id, row.id))
  if (after.state === row.state || seconds !== null) return
  const account = `${row.bankName} ${row.accountNumberMasked}`
  const home = homeOf(row)
  await logOperation(ctx, {
    operation: home.operation,
    title: '变更结算账户',
    subject: home.subject(shop),
    objects: [objectKey(home.kind, home.id), objectKey('merchant', shop.id)],
    by: { ...ctx.actor, agentId: shop.agentId },
    ...{ merchantId: shop.id, aboutAgentId: shop.agentId },
    changes: [
      {
        name: `结算账户 ${account}`,
        before: ACCOUNT_CHANGE_WORDS[row.state],
        after:
          message === ''
            ? ACCOUNT_CHANGE_WORDS[after.state]
            : `${ACCOUNT_CHANGE_WORDS[after.state]}：${message}`,
      },
    ],
  })
  const isDone = after.state === 'done'
  const title = isDone ? '结算账户已变更' : '结算账户变更未生效'
  await home.tell(ctx, shop, { title, body: isDone ? account : `${account}，${message}` })
  if (!isDone)
    await notify(ctx, {
      vendor: 'staff',
      holding: home.holding,
      topic: 'Approval_Notify',
      title,
      body: `${shop.shopName}：${account}，${message}`,
      link: home.link,
    })
}

async function stepTo(
  ctx: Ctx,
  row: Change,
  step: (typeof STEP_OF)[keyof typeof STEP_OF],
  round: Round,
): Promise<Change> {
  const { from, to } = ACCOUNT_CHANGE_STEPS[step]
  const [after] = await ctx.db
    .update(accountChanges)
    .set({
      ...{ state: to, changedAt: ctx.now.toISOString() },
      ...(round.kind === 'taken' ? { changeId: round.changeId, tries: 0 } : {}),
    })
    .where(and(eq(accountChanges.id, row.id), inArray(accountChanges.state, [...from])))
    .returning()
  return found(after)
}
