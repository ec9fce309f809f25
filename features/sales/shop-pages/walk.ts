import type { Office } from '#test/app.ts'
import { makePass } from '#test/make-codes.ts'
import { makeRenewal, makeShopCode, offerRenewals, openAccount, pageContent } from '#test/make-shop-pages.ts'
import { byAgent, type Desk, type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'

const NOBODYS = 'A'.repeat(32)
const ORDER = '9'.repeat(22)
const nobody = (more: Record<string, unknown> = {}) => [
  { as: () => ({ code: NOBODYS, ...more }), expect: ['NOT_FOUND'] },
]
const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: ['NOT_FOUND'],
})
const STALE = (input: Record<string, unknown>) => [
  { as: () => ({ ...input, revision: 999 }), expect: ['STALE'] },
]
let written = 0
const freshContent = () => pageContent({ manager: `第 ${++written} 位经理` })

/** A shop of the partner with its address; the subject is the shop. */
async function onPage(desk: Desk) {
  const { input, subject } = await desk.onShop({}, { account: `139${String(10_000_000 + ++written)}` })
  const merchantId = input.id as number
  const code = await makeShopCode(desk.office, desk.partner.id, merchantId)
  return { merchantId, code, subject, account: asShop(desk) }
}

/** Shops act in the name of their agent's program. */
const asShop = ({ partner }: Desk) => ({ loginName: '', accountId: 0, id: partner.id, name: '测试店铺' })

async function sentCode(office: Office, desk: Desk, page: { code: string; merchantId: number }) {
  await office.as(null).shopPages.sendCode({
    code: page.code,
    captcha: await makePass(office, 'shop', page.code),
  })
  const { rows } = await desk.office.owner.query<{ text: string }>(
    'select text from outbox_messages where merchant_id = $1 order by id desc limit 1',
    [page.merchantId],
  )
  return /\b\d{6}\b/.exec(rows[0]?.text ?? '')?.[0] ?? ''
}

export const walk: FeatureWalk = {
  ofAgency: [
    'shopPages.settings',
    'shopPages.saveDraft',
    'shopPages.publish',
    'shopPages.restore',
    'shopPages.offer',
    'shopPages.setOffer',
  ],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const content = JSON.stringify(pageContent({ manager: MARK }))
    await office.owner.query(
      `insert into shop_page_versions (agent_id, number, content, published_by, published_by_name, published_at)
       values ($1, 1, $2, $3, $4, now())`,
      [a.id, content, a.accountId, MARK],
    )
    await office.owner.query(
      `insert into shop_page_drafts (agent_id, content, revision, saved_by, saved_by_name, saved_at)
       values ($1, $2, 1, $3, $4, now())`,
      [a.id, content, a.accountId, MARK],
    )
    const merchantId = a.shops[0] as number
    await makeShopCode(office, a.id, merchantId, MARK)
    const renewal = await makeRenewal(office, { agentId: a.id, merchantId, shopName: MARK, state: 'stuck' })
    return { renewal }
  },
  attempts: {
    'shopPages.settings': [own()],
    'shopPages.saveDraft': STALE({ content: pageContent() }),
    'shopPages.publish': STALE({ content: pageContent() }),
    'shopPages.restore': [{ as: () => ({ number: 1 }), expect: ['NOT_FOUND'] }],
    'shopPages.offer': [own()],
    'shopPages.setOffer': STALE({ enabled: false, prices: [] }),
    'shopPages.link': [theirs()],
    'shopPages.makeLink': [theirs()],
    'shopPages.renewLink': [theirs()],
    'shopPages.renewals': [own(), byAgent, search(({ a }) => a.shops[0])],
    'shopPages.renewals (file)': [own(), byAgent],
    'shopPages.retry': [{ as: ({ extra }) => ({ orderNo: extra.renewal }), expect: ['NOT_FOUND'] }],
    'shopPages.refund': [
      { as: ({ extra }) => ({ orderNo: extra.renewal, reason: '客户要求' }), expect: ['NOT_FOUND'] },
    ],
    // Whoever knows the address is the shop's guest; nobody finds it by trying.
    'shopPages.page': nobody(),
    'shopPages.sendCode': nobody(),
    'shopPages.signIn': nobody({ typed: '123456' }),
    'shopPages.signOut': [{ as: () => ({ code: NOBODYS }), expect: 'own' }],
    'shopPages.account': nobody(),
    'shopPages.renew': nobody({ versionId: 12, years: 1, amountFen: 100 }),
    'shopPages.renewal': nobody({ orderNo: ORDER }),
  },
  scoped: [
    'shopPages.link',
    'shopPages.makeLink',
    'shopPages.renewLink',
    'shopPages.renewals',
    'shopPages.renewals (file)',
    'shopPages.retry',
  ],
  reads: desk => ({
    'shopPages.page': async () => ({ code: (await onPage(desk)).code }),
    'shopPages.account': async () => ({ code: (await onPage(desk)).code }),
    'shopPages.renewal': async () => {
      const { merchantId, code } = await onPage(desk)
      const made = { agentId: desk.partner.id, merchantId, state: 'renewed' as const }
      return { code, orderNo: await makeRenewal(desk.office, made) }
    },
  }),
  changes: desk => {
    const revision = async () => (await desk.mine().shopPages.settings()).revision
    const publish = async () => {
      const content = freshContent()
      return desk.mine().shopPages.publish({ content, revision: await revision() })
    }
    return {
      'shopPages.saveDraft': {
        accepted: async () =>
          desk.asPartner({ content: freshContent(), revision: await revision() }, '门店首页'),
        refused: {
          input: async () => ({ content: pageContent({ manager: '' }), revision: await revision() }),
          code: 'MANAGER_REQUIRED',
        },
      },
      'shopPages.publish': {
        accepted: async () =>
          desk.asPartner({ content: freshContent(), revision: await revision() }, '门店首页'),
        refused: {
          input: async () => ({ content: pageContent({ hotline: '' }), revision: await revision() }),
          code: 'HOTLINE_REQUIRED',
        },
      },
      'shopPages.restore': {
        async accepted() {
          const { number } = await publish()
          await publish()
          return desk.asPartner({ number }, '门店首页')
        },
        refused: { input: () => ({ number: 9_999 }), code: 'NOT_FOUND' },
      },
      'shopPages.setOffer': {
        async accepted() {
          const { revision } = await desk.mine().shopPages.offer()
          const prices = [{ versionId: 12, years: 1, priceFen: 30_000 + ++written }]
          return desk.asPartner({ enabled: false, prices, revision }, '在线续费')
        },
        refused: {
          input: () => ({
            enabled: false,
            prices: [{ versionId: 12, years: 1, priceFen: 0 }],
            revision: 0,
          }),
          code: 'PRICE_INVALID',
        },
      },
      'shopPages.makeLink': {
        async accepted() {
          const { input, subject } = await desk.onShop()
          return desk.asPartner({ merchantId: input.id }, subject)
        },
        refused: { input: () => ({ merchantId: 99_999_999 }), code: 'NOT_FOUND' },
      },
      'shopPages.renewLink': {
        async accepted() {
          const { merchantId, subject } = await onPage(desk)
          return desk.asPartner({ merchantId }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await desk.onShop()).input.id }),
          code: 'LINK_GONE',
        },
      },
      'shopPages.retry': {
        async accepted() {
          const { merchantId, subject } = await onPage(desk)
          const { partner, office } = desk
          const orderNo = await makeRenewal(office, { agentId: partner.id, merchantId, state: 'stuck' })
          return desk.asPartner({ orderNo }, subject)
        },
        refused: { input: () => ({ orderNo: ORDER }), code: 'NOT_FOUND' },
      },
      'shopPages.refund': {
        async accepted() {
          const { merchantId, subject } = await onPage(desk)
          const { partner, office } = desk
          const orderNo = await makeRenewal(office, { agentId: partner.id, merchantId, state: 'stuck' })
          return desk.asPartner({ orderNo, reason: '客户要求' }, subject)
        },
        refused: { input: () => ({ orderNo: ORDER, reason: '' }), code: 'REASON_REQUIRED' },
      },
      'shopPages.renewals (file)': {
        accepted: async () => desk.asPartner({ state: 'stuck' }, '在线续费订单'),
        refused: { input: () => ({ from: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'shopPages.sendCode': {
        async accepted() {
          const { code, subject, account } = await onPage(desk)
          const captcha = await makePass(desk.office, 'shop', code)
          return { cookie: null, input: { code, captcha }, subject, account }
        },
        refused: {
          input: async () => ({ code: (await onPage(desk)).code }),
          code: 'CAPTCHA_REQUIRED',
        },
      },
      'shopPages.signIn': {
        async accepted() {
          const { subject, account, ...page } = await onPage(desk)
          const typed = await sentCode(desk.office, desk, page)
          return { cookie: null, input: { code: page.code, typed }, subject, account }
        },
        refused: {
          input: async () => ({ code: (await onPage(desk)).code, typed: '' }),
          code: 'PHONE_CODE_REQUIRED',
        },
      },
      'shopPages.renew': {
        async accepted() {
          await openAccount(desk.office, desk.partner.id)
          await offerRenewals(desk.office, desk.partner.id, 30_000)
          const { merchantId, code, subject, account } = await onPage(desk)
          await desk.office.owner.query(
            `update merchants set expires_at = now() + interval '9 days' where id = $1`,
            [merchantId],
          )
          const input = { code, versionId: 12, years: 1, amountFen: 30_000 }
          return { cookie: null, input, subject, account }
        },
        refused: {
          input: async () => ({ code: (await onPage(desk)).code, versionId: 12, years: 5, amountFen: 1 }),
          code: 'RENEWAL_NOT_OFFERED',
        },
      },
    }
  },
}
