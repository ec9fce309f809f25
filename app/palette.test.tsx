// What the palette finds besides pages, for whom, and where it leads.
import { afterEach, expect, test, vi } from 'vitest'
import { agents } from '#features/office/agents/contract.ts'
import { orderDetails } from '#features/sales/order-details/contract.ts'
import { paymentDesk } from '#features/sales/payments/desk/contract.ts'
import { merchants } from '#features/shops/merchants/contract.ts'
import { answer, refusal } from '#test/components/answers.tsx'
import type { Session } from '#web/client/session.ts'
import type { FoundThing } from '#web/shell/shell-props.ts'
import { chooseTheme, shownMode } from '#web/theme/theme-mode.ts'
import { paletteOf } from './palette.tsx'

const signOut = vi.fn()
const paletteFor = (...permissions: string[]) => paletteOf({ permissions } as unknown as Session, signOut)

const AGENT = ['merchants.list', 'merchants.details', 'renewals.desk', 'payments.sms']
const STAFF = ['agentDesk.list', 'partnerDesk.view', 'payments.sms', 'paymentDesk.manage']

async function find(permissions: string[], name: string, text: string): Promise<FoundThing[] | 'not asked'> {
  const finder = paletteFor(...permissions).finders.find(one => one.name === name)
  if (!finder || !(finder.asks?.(text) ?? true)) return 'not asked'
  return finder.ask(text)
}
const namesFor = (permissions: string[]) => paletteFor(...permissions).finders.map(({ name }) => name)

afterEach(() => chooseTheme('system'))

test('what is searched is what one may see', () => {
  expect(namesFor([])).toEqual(['订单'])
  expect(namesFor(AGENT)).toEqual(['商户', '订单', '支付', '人员'])
  expect(namesFor(STAFF)).toEqual(['订单', '支付', '人员'])
})

test('a shop is found and leads to its details', async () => {
  const asked = answer(merchants.find, { rows: [{ id: 7, shopName: '海岸茶饮', account: '13812349876' }] })
  expect(await find(AGENT, '商户', '海岸')).toEqual([
    {
      key: 'merchant-7',
      label: '海岸茶饮',
      hint: '7 · 13812349876',
      href: '/admin/merchant/merchantDetails?user_id=7',
    },
  ])
  expect(asked).toEqual([{ search: '海岸' }])
  expect(await find(AGENT, '商户', '2026112812345678')).toBe('not asked')
})

test('续费 and the name of a shop lead to its renewal, for who may buy', async () => {
  const asked = answer(merchants.find, { rows: [{ id: 7, shopName: '海岸茶饮', account: '13812349876' }] })
  const buyer = [...AGENT, 'purchases.buy']
  for (const text of ['续费 海岸', '续费海岸'])
    expect(await find(buyer, '续费', text)).toMatchObject([
      { label: '续费 海岸茶饮', href: '/admin/merchant/versionUp1?user_id=7' },
    ])
  expect(asked).toEqual([{ search: '海岸' }, { search: '海岸' }])
  for (const text of ['续费', '海岸']) expect(await find(buyer, '续费', text)).toBe('not asked')
  expect(await find(AGENT, '续费', '续费 海岸')).toBe('not asked')
})

const NUMBER = '2026112810000001234567'

test('an order of any kind is found by its whole number or its last eight digits, and by no other number', async () => {
  const asked = answer(orderDetails.find, () => {
    throw refusal(orderDetails.find, 'ORDER_UNKNOWN')
  })
  // Most numbers of eight digits are a shop's.
  for (const number of [NUMBER, NUMBER.slice(-8)]) expect(await find([], '订单', number)).toEqual([])
  for (const other of [NUMBER.slice(-7), NUMBER.slice(-9), '海岸茶饮海岸茶饮'])
    expect(await find([], '订单', other)).toBe('not asked')
  expect(asked).toEqual([{ orderNo: NUMBER }, { orderNo: NUMBER.slice(-8) }])
})

test('a payment leads an agent to the order and who manages payments to the payment', async () => {
  const [id, orderNo] = ['1234567890', '2026112810000001']
  answer(paymentDesk.find, {
    rows: [{ id, orderNo, subject: '代币充值', amountFen: 9700, status: 'paid' }],
  })
  for (const [permissions, href] of [
    [AGENT, `/admin/order/${orderNo}`],
    [STAFF, `/admin/operations/payments?search=${id}`],
  ] as const)
    expect(await find([...permissions], '支付', '4200002026112812345678')).toMatchObject([
      { label: '代币充值 97.00 元', href },
    ])
})

test('a colleague is found by name or its first letters, and leads to the renewals that are the colleague’s', async () => {
  answer(merchants.options, {
    cityCode: '',
    industries: [],
    managers: [
      { id: 5, name: '周海燕' },
      { id: 6, name: '王五' },
    ],
    versions: [],
    paymentMethods: [],
  })
  for (const text of ['海燕', 'zhy', 'ZH'])
    expect(await find(AGENT, '人员', text)).toMatchObject([
      { label: '周海燕', href: '/admin/merchant/renewals?managerId=5' },
    ])
  expect(await find(AGENT, '人员', '没有')).toEqual([])
})

test('an agent leads staff to its page, or to the list where its page is not theirs to see', async () => {
  answer(agents.options, { rows: [{ id: 102, companyName: '内陆科技' }] })
  expect(await find(STAFF, '人员', '内陆')).toMatchObject([{ href: '/admin/operations/agents/102' }])
  expect(await find(['agentDesk.list'], '人员', '内陆')).toMatchObject([
    { href: '/admin/operations/agents?search=102' },
  ])
})

test('the look is changed to the other one, and the session ended as the account’s menu does', () => {
  const act = (key: string) => paletteFor().actions.find(one => one.key === key)
  chooseTheme('light')
  expect(act('theme')?.label).toBe('切换到深色')
  act('theme')?.run()
  expect([shownMode(), act('theme')?.label]).toEqual(['dark', '切换到浅色'])
  act('sign-out')?.run()
  expect(signOut).toHaveBeenCalledOnce()
})
