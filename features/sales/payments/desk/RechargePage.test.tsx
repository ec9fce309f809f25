// Topping up by QR as the page has it: a package is ordered as it is chosen, a number of one's own as it is sent, and the code follows
// its order until that is over. What is paid is said in `test/e2e/sales/pay.e2e.ts`.
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { payments } from '#features/sales/payments/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { qr, takePayments } from '#test/components/paying.tsx'
import { show } from '#test/components/show.tsx'
import RechargePage from './RechargePage.tsx'

const NO_CONDITIONS = { minimums: {}, offers: [] }
const pack = (id: number, pieces: number, priceFen: number) => ({
  id,
  name: `短信${pieces}条`,
  pieces,
  priceFen,
  conditions: NO_CONDITIONS,
})

function recharge(terms: { discountBasisPoints?: number } = {}) {
  answer(payments.offer, {
    sms: true,
    tokens: false,
    packages: [pack(2, 4_000, 20_000), pack(3, 10_500, 50_000)],
    discountBasisPoints: 10_000,
    conditions: NO_CONDITIONS,
    smsHundredFen: 500,
    tokenFen: 100,
    limits: { piecesMax: 1_000_000, tokenCentsMax: 1_000_000_00, amountFenMax: 10_000_000 },
    channels: ['wechat', 'alipay'],
    balanceCents: 0,
    smsBalance: 12,
    ...terms,
  })
  return show(<RechargePage />, { may: ['payments.sms'] })
}

test('a number of one’s own is asked for before it is ordered, says what it costs, and is ordered once', async () => {
  const { orders } = takePayments()
  const person = recharge()
  await person.click(await screen.findByRole('radio', { name: /^自定义条数/ }))
  await person.click(screen.getByRole('button', { name: '扫码支付' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('请输入充值数量'))
  expect(orders).toEqual([])
  await person.type(screen.getByRole('textbox', { name: '充值数量' }), '150')
  await screen.findByText(/^150 条短信，应付/)
  await screen.findByText('¥7.50')
  await person.keyboard('{Enter}')
  await qr()
  expect(orders).toMatchObject([{ asset: 'sms', amount: 150 }])
})

test('every card says what the buyer pays, beside the struck list price', async () => {
  recharge({ discountBasisPoints: 9_000 })
  const cards = await screen.findAllByRole('radio')
  expect(cards.map(card => card.closest('label')?.textContent)).toEqual([
    '4,000 条¥200.00 ¥180.00',
    '10,500 条¥500.00 ¥450.00',
    '自定义条数¥5.00 ¥4.50 / 100 条',
  ])
})

test('once its time is over the code is drawn anew, for the same payment', async () => {
  const { orders, refreshed } = takePayments({ drawnForSeconds: 0 })
  const person = recharge()
  await person.click(await screen.findByRole('radio', { name: /^10,500 条/ }))
  await qr()
  await waitFor(() => expect(refreshed).toEqual([orders[0]?.queryId]))
  await qr()
  expect(orders).toHaveLength(1)
})

test('an order that is over says so, and another is made in its place', async () => {
  const { orders } = takePayments()
  const person = recharge()
  await person.click(await screen.findByRole('radio', { name: /^10,500 条/ }))
  await qr()
  Object.assign(orders[0] ?? {}, { state: 'expired' })
  await screen.findByText('订单已失效')
  expect(screen.queryByRole('img', { name: /扫码支付/ })).toBeNull()
  await person.click(screen.getByRole('button', { name: '重新下单' }))
  await qr()
  expect(orders).toHaveLength(2)
})
