// The form of a purchase: what stands in it, the price beside it and what is asked of the server are one reading.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refusal } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { purchases } from './contract.ts'
import type { Offer, Shop } from './PurchaseDraft.tsx'
import PurchasePage from './PurchasePage.tsx'

const AT = '/admin/merchant/versionUp1?user_id=7'
const DAY_MS = 86_400_000

type Way = Offer['scopes'][number]
const way = (changes: Partial<Way>): Way => ({
  scope: 'head',
  code: 1,
  codeName: '续费总店',
  terms: ['year'],
  asksShops: false,
  shopsDefault: 1,
  shopsCounted: 1,
  asksBranches: false,
  periodsFixed: null,
  refusal: null,
  ...changes,
})
const offer = (changes: Partial<Offer>): Offer => ({
  versionId: 3,
  versionName: '连锁版',
  remark: '',
  functions: [],
  isCurrent: false,
  scopes: [way({ asksShops: true, shopsCounted: null })],
  priceYearCents: 39_800,
  priceMonthCents: null,
  priceLifetimeCents: null,
  isPack: false,
  kind: 2,
  pricingRule: 'perShopYear',
  conditions: { minimums: {}, offers: [] },
  ...changes,
})
const CHAIN = offer({
  isCurrent: true,
  pricingRule: 'perBranchYear',
  scopes: [way({}), way({ scope: 'all', code: 3, shopsCounted: 4 })],
})
const ADVANCED = offer({ versionId: 12, versionName: '高级版', priceYearCents: 29_800 })
const PERMANENT = offer({
  versionId: 1,
  versionName: '永久版',
  kind: 1,
  pricingRule: 'perShopLifetime',
  priceYearCents: null,
  priceLifetimeCents: 198_000,
  scopes: [way({ code: 7, terms: ['lifetime'], asksShops: true, shopsCounted: null })],
})

/** A head with 3 branches, 15 days before its end. */
const head = (): Shop => ({
  merchantId: 7,
  shopName: '连锁总店',
  storeKind: 'head',
  status: 'normal',
  versionId: 3,
  versionName: '连锁版',
  expiresAt: new Date(Date.now() + 15.5 * DAY_MS).toISOString(),
  termDay: null,
  shopsBought: 4,
  branchCount: 3,
  branchNames: ['南山店', '福田店', '罗湖店'],
  rest: { yearCents: 39_800, shops: 1 },
  discountBasisPoints: 6_000,
  balanceCents: 500_000,
  refusal: null,
  offers: [CHAIN, ADVANCED, PERMANENT],
})

test('a head with branches that takes another version is asked for itself alone, and keeps its days', async () => {
  answer(purchases.offers, head())
  const asked = answer(purchases.quote, () => {
    throw refusal(purchases.quote, 'NOTHING_TO_BUY', { field: 'versionId' })
  })
  const person = show(<PurchasePage />, { at: AT })
  await person.click(await screen.findByRole('radio', { name: /高级版/ }))
  await screen.findByText(/^该总店有 3 家分店（南山店、福田店、罗湖店），不在此次购买内/)
  const shops = screen.getByRole<HTMLInputElement>('textbox', { name: /订购数量/ })
  expect(shops.value).toBe('1')
  screen.getByText('订购的店铺数，不含已有的 3 家分店')
  const total = async (text: string) => expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
  await total('178.80')
  screen.getByText('原版本剩余 15 天折算为 15 天')
  const effects = () => within(screen.getByRole('region', { name: '购买前后' }))
  expect(effects().queryByText('店铺数')).toBeNull()

  await person.clear(shops)
  await person.type(shops, '2')
  await total('357.60')
  effects().getByText('5 家')
  screen.getByText('原版本剩余 15 天折算为 10 天')
  await person.click(screen.getByRole('button', { name: /下一步/ }))
  await screen.findByText('该商户不能购买此版本')
  expect(asked).toMatchObject([{ versionId: 12, scope: 'head', shops: 2, periods: 1 }])

  await person.click(screen.getByRole('radio', { name: /永久版/ }))
  await total('1,188.00')
})
