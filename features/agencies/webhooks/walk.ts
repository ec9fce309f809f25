import type { Office } from '#test/app.ts'
import { type Attempt, type FeatureWalk, MARK, own } from '#test/walk-types.ts'

type Extra = { theirEndpoint: number; theirDelivery: number }

const onEndpoint = (more: object = {}): Attempt => ({
  as: scene => ({ id: (scene.extra as Extra).theirEndpoint, ...more }),
  expect: ['NOT_FOUND'],
})
const onDelivery: Attempt = {
  as: scene => ({ id: (scene.extra as Extra).theirDelivery }),
  expect: ['NOT_FOUND'],
}
let made = 0
const form = (more: object = {}) => ({
  url: `https://hooks${++made}.example.com/in`,
  topics: ['shop.created' as const],
  ...more,
})

/** A delivery that has ended, with the mark in what was sent and answered. */
async function addDelivery(office: Office, endpointId: number): Promise<number> {
  const { rows } = await office.owner.query<{ id: number }>(
    `insert into webhook_deliveries (endpoint_id, agent_id, topic, data, at, state, queued_at, due_at, answer)
     select id, agent_id, 'shop.created', jsonb_build_object('text', $2::text), now(), 'delivered', now(), now(), $2
     from webhook_endpoints where id = $1 returning id::float8 as id`,
    [endpointId, MARK],
  )
  return rows[0]?.id as number
}

/** The endpoints of an agency are its own, also for the operator. */
export const walk: FeatureWalk = {
  ofAgency: ['webhooks'],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, cookieA }) {
    const { id } = await office.as(cookieA).webhooks.add(form({ url: `https://pos.example.com/${MARK}` }))
    return { theirEndpoint: id, theirDelivery: await addDelivery(office, id) } satisfies Extra
  },
  attempts: {
    'webhooks.list': [own()],
    'webhooks.options': [own()],
    'webhooks.add': [{ as: () => form(), expect: 'own' }],
    'webhooks.edit': [onEndpoint(form())],
    'webhooks.setEnabled': [onEndpoint({ enabled: false })],
    'webhooks.rotate': [onEndpoint({ overlapHours: 0 })],
    'webhooks.endPrevious': [onEndpoint()],
    'webhooks.remove': [onEndpoint()],
    'webhooks.sendTest': [onEndpoint()],
    'webhooks.replay': [onEndpoint({ since: '2026-01-01T00:00:00Z' })],
    'webhooks.deliveries': [
      own(),
      { as: scene => ({ endpointId: (scene.extra as Extra).theirEndpoint }), expect: 'empty' },
    ],
    'webhooks.delivery': [onDelivery],
    'webhooks.resend': [onDelivery],
  },
  scoped: [],
  reads: desk => ({
    // Asked by the operator, who sees its own alone too.
    'webhooks.delivery': async () => {
      await removeAll(desk.office)
      const { id } = await desk.office.as(desk.operatorCookie).webhooks.add(form())
      return { id: await addDelivery(desk.office, id) }
    },
  }),
  changes: desk => {
    const add = async () => {
      await removeAll(desk.office)
      const given = form()
      return { ...given, ...(await desk.mine().webhooks.add(given)) }
    }
    const onOwn = async (more: object = {}) => {
      const { id, url } = await add()
      return desk.asPartner({ id, ...more }, url)
    }
    const unknown = (more: object = {}) => ({ input: () => ({ id: 99_999_999, ...more }), code: 'NOT_FOUND' })
    return {
      'webhooks.add': {
        accepted: async () => {
          await removeAll(desk.office)
          const given = form()
          return desk.asPartner(given, given.url)
        },
        refused: { input: () => form({ url: 'http://pos.example.com' }), code: 'URL_FORMAT' },
      },
      'webhooks.edit': {
        accepted: () => onOwn(form()),
        refused: {
          input: async () => ({ ...form(), id: (await add()).id, topics: [] }),
          code: 'TOPICS_REQUIRED',
        },
      },
      'webhooks.setEnabled': {
        accepted: () => onOwn({ enabled: false }),
        refused: unknown({ enabled: false }),
      },
      'webhooks.rotate': {
        accepted: () => onOwn({ overlapHours: 24 }),
        refused: { input: async () => ({ id: (await add()).id, overlapHours: 5 }), code: 'OVERLAP_UNKNOWN' },
      },
      'webhooks.endPrevious': {
        accepted: async () => {
          const prepared = await onOwn()
          await desk.mine().webhooks.rotate({ id: Number(prepared.input.id), overlapHours: 24 })
          return prepared
        },
        refused: { input: async () => ({ id: (await add()).id }), code: 'NO_PREVIOUS' },
      },
      'webhooks.remove': { accepted: () => onOwn(), refused: unknown() },
      'webhooks.sendTest': { accepted: () => onOwn(), refused: unknown() },
      'webhooks.replay': {
        accepted: () => onOwn({ since: new Date().toISOString() }),
        refused: {
          input: async () => ({ id: (await add()).id, since: '2999-01-01T00:00:00Z' }),
          code: 'SINCE_FUTURE',
        },
      },
      'webhooks.resend': {
        accepted: async () => {
          const { id, url } = await add()
          return desk.asPartner({ id: await addDelivery(desk.office, id) }, url)
        },
        refused: unknown(),
      },
    }
  },
}

/** An agency has so many, and no more. */
async function removeAll({ owner }: Office): Promise<void> {
  await owner.query('update webhook_endpoints set removed_at = now() where removed_at is null')
}
