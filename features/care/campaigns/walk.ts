import { makeMerchant } from '#test/make.ts'
import {
  byAgent,
  type Desk,
  type FeatureWalk,
  MARK,
  own,
  type Prepared,
  type Scene,
  search,
} from '#test/walk-types.ts'

const TEXT = { templateKey: 'renewal-offer', params: { offer: '八折' } }
const DRAFT = { name: '续费优惠', ...TEXT, audience: {}, scheduledAt: null }
const UNKNOWN = 99_999_999

const theirs = (extra: string, more: Record<string, unknown> = {}) => ({
  as: (scene: Scene) => ({ id: scene.extra[extra], ...more }),
  expect: ['NOT_FOUND'],
})

/** A draft of the partner that reaches one shop, and what was confirmed of it. */
async function drafted(desk: Desk, scheduledAt: string | null = null): Promise<Prepared> {
  const shop = await makeMerchant(desk.office, desk.partner.id)
  const audience = { search: String(shop) }
  const { id, revision } = await desk.mine().campaigns.save({ ...DRAFT, audience, scheduledAt })
  return desk.asPartner({ id, revision, shops: 1, segments: 1 }, `续费优惠 (${id})`)
}

/** A campaign of the partner that stopped before it came to its one shop. */
async function stopped(desk: Desk): Promise<Prepared> {
  const { input, ...about } = await drafted(desk)
  await desk.mine().campaigns.send(input as never)
  await stop(desk, input.id)
  return { ...about, input: { id: input.id, shops: 1, segments: 1 } }
}

const stop = (desk: Desk, id: unknown) =>
  desk.office.owner.query(
    `update campaigns set status = 'refused', problem = '短信余额不足，其余 1 家商户未发送' where id = $1`,
    [id],
  )

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: ['campaigns.send', 'campaigns.continue', 'campaigns.cancel'],
  scene: async ({ office, cookieA }) => {
    const mine = office.as(cookieA).campaigns
    const { id } = await mine.save({ ...DRAFT, name: MARK })
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
    const scheduled = await mine.save({ ...DRAFT, name: MARK, scheduledAt })
    const { shops, segments } = await mine.preview({ ...TEXT, audience: {} })
    await mine.send({ ...scheduled, shops, segments })
    return { campaignDraft: id, campaignScheduled: scheduled.id }
  },
  attempts: {
    'campaigns.list': [own(), byAgent, own({ status: 'draft' }), search(() => MARK)],
    'campaigns.details': [theirs('campaignDraft'), theirs('campaignScheduled')],
    'campaigns.preview': [
      own({ ...TEXT, audience: {} }),
      { as: ({ a }) => ({ ...TEXT, audience: { agentId: a.id } }), expect: 'own' },
      { as: () => ({ ...TEXT, audience: { search: MARK } }), expect: 'own' },
    ],
    'campaigns.save': [theirs('campaignDraft', { ...DRAFT, revision: 1 })],
    'campaigns.send': [theirs('campaignDraft', { revision: 1, shops: 1, segments: 1 })],
    'campaigns.remainder': [theirs('campaignScheduled')],
    'campaigns.continue': [theirs('campaignScheduled', { shops: 1, segments: 1 })],
    'campaigns.cancel': [theirs('campaignScheduled')],
    'campaigns.discard': [theirs('campaignDraft')],
  },
  scoped: ['campaigns.list', 'campaigns.details', 'campaigns.preview', 'campaigns.cancel'],
  reads: desk => ({
    'campaigns.details': async () => ({ id: (await drafted(desk)).input.id }),
    // What is left is told to whoever pays, and it is the operator that reads.
    'campaigns.remainder': async () => {
      const { id } = await desk.office.as(desk.operatorCookie).campaigns.save(DRAFT)
      await stop(desk, id)
      return { id }
    },
  }),
  changes: desk => ({
    'campaigns.save': {
      accepted: async () => desk.asPartner(DRAFT, '续费优惠'),
      refused: { input: () => ({ ...DRAFT, name: '' }), code: 'NAME_REQUIRED' },
    },
    'campaigns.discard': {
      accepted: async () => {
        const { input, ...draft } = await drafted(desk)
        return { ...draft, input: { id: input.id } }
      },
      refused: { input: () => ({ id: UNKNOWN }), code: 'NOT_FOUND' },
    },
    'campaigns.send': {
      accepted: () => drafted(desk),
      refused: {
        input: async () => ({ ...(await drafted(desk)).input, segments: 2 }),
        code: 'COST_CHANGED',
      },
    },
    'campaigns.continue': {
      accepted: () => stopped(desk),
      refused: {
        input: async () => ({ ...(await stopped(desk)).input, segments: 2 }),
        code: 'COST_CHANGED',
      },
    },
    'campaigns.cancel': {
      accepted: async () => {
        const { input, ...draft } = await drafted(desk, new Date(Date.now() + 86_400_000).toISOString())
        await desk.mine().campaigns.send(input as never)
        return { ...draft, input: { id: input.id } }
      },
      refused: { input: async () => ({ id: (await drafted(desk)).input.id }), code: 'NOT_CANCELLABLE' },
    },
  }),
}
