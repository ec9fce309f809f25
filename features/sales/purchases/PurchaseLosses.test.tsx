// What is said before a purchase is confirmed: branches that it leaves behind, paid days that end with it, a year that costs less, and
// an answer that never came.
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { SaleConfirm } from '#features/sales/selling/SaleConfirm.tsx'
import { YearInstead } from '#features/shops/versions/YearInstead.tsx'
import { show } from '#test/components/show.tsx'
import type { Offer, Shop } from './PurchaseDraft.tsx'
import { BranchesLeft, Forfeited } from './PurchaseLosses.tsx'

const offer = (versionName: string, pricingRule: string, scopes = ['head'], isCurrent = false) =>
  ({ versionName, pricingRule, isCurrent, scopes: scopes.map(scope => ({ scope })) }) as Offer
const CHAIN = offer('连锁版', 'perBranchYear', ['head', 'all', 'branches', 'addBranches'], true)
const HEAD = { branchCount: 3, branchNames: ['南山店', '福田店'], offers: [CHAIN] } as unknown as Shop

test('a head whose branches are not bought for: which they are, and the version that all can have', async () => {
  const takes = vi.fn()
  const person = show(<BranchesLeft shop={HEAD} offer={offer('高级版', 'perShopYear')} onChain={takes} />)
  await screen.findByText(/该总店有 3 家分店（南山店、福田店等）/)
  await person.click(screen.getByRole('button', { name: '改为续费连锁版，总店和分店可一起续费' }))
  expect(takes).toHaveBeenCalledExactlyOnceWith(CHAIN)
})

test('a head that takes the version of a chain again: its branches keep their terms, and can be renewed with it', async () => {
  const chain = offer('连锁版', 'perBranchYear')
  const head = { ...HEAD, offers: [chain] } as Shop
  const takes = vi.fn()
  const person = show(
    <>
      <BranchesLeft shop={head} offer={offer('高级版', 'perShopYear', ['head'], true)} onChain={takes} />
      <BranchesLeft shop={head} offer={chain} onChain={takes} />
    </>,
  )
  await screen.findByText(/分店的版本和到期时间不变，之后可随总店一起续费。$/)
  await person.click(screen.getByRole('button', { name: '改为连锁版，之后总店和分店可一起续费' }))
  expect(takes).toHaveBeenCalledExactlyOnceWith(chain)
})

test('nothing is said of branches where the version is for all of them', async () => {
  show(
    <>
      <BranchesLeft shop={HEAD} offer={CHAIN} />
      <p>其他</p>
    </>,
  )
  await screen.findByText('其他')
  expect(screen.queryByText(/不在此次购买内/)).toBeNull()
})

test.each([
  [12_345, '（按现价约值 123.45 代币）'],
  [null, ''],
])('of a term that a lifetime takes the place of it is said what is lost, worth %s', async (cents, worth) => {
  show(<Forfeited forfeit={{ days: 1_200, cents }} />)
  await screen.findByText(`当前版本剩余的 1,200 天${worth}在更换为永久后作废，不退款，也不折抵价格。`)
})

const VERSION = { name: '高级版', priceYearCents: 29_800, priceMonthCents: 5_000 }

test('of months that cost more than a year it is said, and the year is one press away', async () => {
  const takes = vi.fn()
  const person = show(<YearInstead versions={[VERSION]} term="month" months={12} onYear={takes} />)
  const said = await screen.findByText('12 个月每店 600.00 代币，按年每店只需 298.00 代币，到期时间相同。')
  expect(said).toBeDefined()
  await person.click(screen.getByRole('button', { name: '改为 1 年' }))
  expect(takes).toHaveBeenCalledOnce()
})

test('of several versions it is said which, and a year for all is offered only where it holds for all', async () => {
  const monthly = { ...VERSION, name: '基础版', priceMonthCents: 1_000 }
  show(<YearInstead versions={[VERSION, monthly]} term="month" months={12} onYear={() => undefined} />)
  await screen.findByText(/^高级版：12 个月每店 600.00 代币/)
  expect(screen.queryByText(/基础版/)).toBeNull()
  expect(screen.queryByRole('button', { name: '改为 1 年' })).toBeNull()
})

test('an answer that never came is said, and the same order is sent again', async () => {
  const confirms = vi.fn()
  const person = show(
    <SaleConfirm
      title="确认新增商户"
      width={480}
      stale={false}
      lost
      busy={false}
      refusal={false}
      onConfirm={confirms}
      onCancel={() => undefined}
    >
      <p>合计</p>
    </SaleConfirm>,
  )
  await screen.findByText('没有收到服务器的答复。请重试，同一订单不会重复扣款。')
  await person.click(screen.getByRole('button', { name: '重试' }))
  expect(confirms).toHaveBeenCalledOnce()
})
