import { drizzle } from 'drizzle-orm/node-postgres'
import { shopSignatures } from '#features/shops/signatures/tables.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK, own, PIXEL, search } from '#test/walk-types.ts'
import { requestRow } from './rows.ts'
import { approvalRequests } from './tables.ts'

type Given = Omit<Parameters<typeof requestRow>[0], 'createdAt'> & { createdAt?: string }

/** A request as a shop's agent made it. */
export async function makeRequest(office: Office, given: Given): Promise<number> {
  const row = requestRow({ createdAt: new Date().toISOString(), ...given })
  const [made] = await drizzle(office.owner)
    .insert(approvalRequests)
    .values(row)
    .returning({ id: approvalRequests.id })
  return made?.id as number
}

/** A signature of a shop that a service has taken back. */
export async function makeAtService(
  office: Office,
  given: { agentId: number; merchantId: number; requestId: number; signature: string },
): Promise<number> {
  const at = new Date().toISOString()
  const [made] = await drizzle(office.owner)
    .insert(shopSignatures)
    .values({ ...given, service: 'aliyun', state: 'takenBack', createdAt: at, changedAt: at })
    .returning({ id: shopSignatures.id })
  return made?.id as number
}

const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: ['NOT_FOUND'],
})
const REQUEST = { kind: 'memberTitle', content: '贵宾' }
const LISTS = ['approvals.signatures', 'approvals.shopNames', 'approvals.memberTitles']

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const shop = { agentId: a.id, merchantId: a.shops[0] as number }
    const request = await makeRequest(office, { ...shop, content: MARK })
    return {
      request,
      atService: await makeAtService(office, { ...shop, requestId: request, signature: MARK }),
      title: await makeRequest(office, { ...shop, kind: 'memberTitle', content: MARK }),
      name: await makeRequest(office, { ...shop, kind: 'shopName', content: MARK }),
    }
  },
  attempts: {
    'approvals.signatures': [own(), search(() => MARK), search(({ a }) => a.shops[0])],
    'approvals.shopNames': [own(), search(() => MARK)],
    'approvals.memberTitles': [own(), search(() => MARK)],
    'approvals.ofShop': [theirs()],
    'approvals.waitingSignatures': [own()],
    'approvals.reasons': [own()],
    'approvals.atServices': [{ as: ({ a }) => ({ merchantId: a.shops[0] }), expect: 'empty' }],
    'approvals.askService': [{ as: ({ extra }) => ({ id: extra.atService }), expect: ['NOT_FOUND'] }],
    'approvals.handInAgain': [{ as: ({ extra }) => ({ id: extra.atService }), expect: ['NOT_FOUND'] }],
    'approvals.request': [theirs(REQUEST)],
    'approvals.withdraw': [{ as: ({ extra }) => ({ id: extra.request }), expect: ['NOT_FOUND'] }],
    'approvals.approve': [{ as: ({ extra }) => ({ ids: [extra.request] }), expect: ['NOT_FOUND'] }],
    'approvals.reject': [
      { as: ({ extra }) => ({ ids: [extra.title], reason: '不合规' }), expect: ['NOT_FOUND'] },
    ],
  },
  scoped: [
    ...LISTS,
    'approvals.ofShop',
    'approvals.request',
    'approvals.withdraw',
    'approvals.approve',
    'approvals.reject',
    'approvals.atServices',
    'approvals.askService',
    'approvals.handInAgain',
  ],
  pos: {
    'approvals.requests': { as: ({ shop }) => ({ id: shop.id }), expect: ['NOT_FOUND'] },
    'approvals.keepPicture': { as: ({ shop }) => ({ id: shop.id, data: PIXEL }), expect: ['NOT_FOUND'] },
    'approvals.submitRequest': { as: ({ shop }) => ({ id: shop.id, ...REQUEST }), expect: ['NOT_FOUND'] },
    'approvals.withdrawRequest': {
      async as({ office, agentId, shop }) {
        await office.owner.query('delete from approval_requests where merchant_id = $1', [shop.id])
        return { id: await makeRequest(office, { agentId, merchantId: shop.id, content: MARK }) }
      },
      expect: ['NOT_FOUND'],
    },
  },
  reads: desk => ({
    'approvals.atServices': async () => ({ merchantId: await makeMerchant(desk.office, desk.partner.id) }),
    'approvals.ofShop': async () => ({ merchantId: await makeMerchant(desk.office, desk.partner.id) }),
  }),
  changes: desk => {
    const fresh = async () => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      const id = await makeRequest(desk.office, { agentId: desk.partner.id, merchantId })
      return { id, subject: `测试店铺 (${merchantId})` }
    }
    /** `signature`: what the shop goes by. */
    const atService = async (signature: string) => {
      const agentId = desk.partner.id
      const merchantId = await makeMerchant(desk.office, agentId, { signature })
      const requestId = await makeRequest(desk.office, { agentId, merchantId })
      const given = { agentId, merchantId, requestId, signature: '新签名' }
      return { id: await makeAtService(desk.office, given), subject: `短信签名「新签名」 (${merchantId})` }
    }
    return {
      'approvals.request': {
        accepted: async () => {
          const { input, subject } = await desk.onShop()
          return desk.asPartner({ merchantId: input.id, ...REQUEST }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await desk.onShop()).input.id, ...REQUEST, content: ' ' }),
          code: 'MEMBER_TITLE_REQUIRED',
        },
      },
      'approvals.withdraw': {
        accepted: async () => {
          const { id, subject } = await fresh()
          return desk.asPartner({ id }, subject)
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'approvals.askService': {
        accepted: async () => {
          const { id, subject } = await atService('')
          return desk.asOperator({ id }, subject)
        },
        refused: { input: () => ({ id: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'approvals.handInAgain': {
        accepted: async () => {
          const { id, subject } = await atService('新签名')
          return desk.asOperator({ id }, subject)
        },
        refused: { input: async () => ({ id: (await atService('')).id }), code: 'REQUEST_OVER' },
      },
      'approvals.approve': {
        accepted: async () => {
          const { id, subject } = await fresh()
          return desk.asOperator({ ids: [id] }, subject)
        },
        refused: { input: () => ({ ids: [99_999_999] }), code: 'NOT_FOUND' },
      },
      'approvals.reject': {
        accepted: async () => {
          const { id, subject } = await fresh()
          return desk.asOperator({ ids: [id], reason: '不合规' }, subject)
        },
        refused: { input: () => ({ ids: [1], reason: ' ' }), code: 'REASON_REQUIRED' },
      },
    }
  },
}
