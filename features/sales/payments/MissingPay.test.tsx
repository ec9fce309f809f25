// What is missing, wherever it is: a QR for exactly that, and what was begun goes on by itself, once.
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { answer, NO_ANSWER, refusal } from '#test/components/answers.tsx'
import { noOffer, offer, qr, takePayments } from '#test/components/paying.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { payments } from './contract.ts'
import { MissingPay } from './MissingPay.tsx'

const MAY = ['payments.tokens', 'payments.sms']

type Buying = {
  asset?: 'token' | 'sms'
  missing: number /** What is missing once it was paid. */
  after?: number
}

/** A dialog in which something is bought. */
function Buying({ asset = 'token', missing, after = 0, onEnough }: Buying & { onEnough: () => void }) {
  const [now, setNow] = useState(missing)
  return (
    <Dialog title="确认购买" onClose={() => undefined} footer={<button type="button">确认购买</button>}>
      <button type="button" onClick={() => setNow(0)}>
        选便宜的
      </button>
      <MissingPay
        asset={asset}
        missing={now}
        purpose="购买"
        onPaid={() => setNow(after)}
        onEnough={onEnough}
      />
    </Dialog>
  )
}

function buy(buying: Buying, may: readonly string[] = MAY) {
  const goesOn = vi.fn()
  return { person: show(<Buying {...buying} onEnough={goesOn} />, { may }), goesOn }
}

const payDialog = () => screen.findByRole('dialog', { name: /^补足(短信|代币)$/ })

test('the way out of a shortfall is what the dialog offers, and its QR stands inside it', async () => {
  takePayments()
  const { person } = buy({ missing: 4_999 })
  const button = await offer('49.99 代币')
  expect(button.dataset.kind).toBe('primary')
  await person.click(button)
  const dialog = await payDialog()
  expect(await within(dialog).findByText('¥48.50')).toBeDefined()
  await qr()
  expect(document.querySelectorAll('dialog[open]')).toHaveLength(1)
})

test.each([
  ['token', 3_999, '39.99 代币'],
  ['sms', 1_053, '1,053 条短信'],
] as const)('%s is ordered exactly, and what was begun goes on once', async (asset, missing, words) => {
  const { orders } = takePayments({ atOnce: true })
  const { person, goesOn } = buy({ asset, missing })
  await person.click(await offer(words))
  await waitFor(() => expect(goesOn).toHaveBeenCalledOnce())
  expect(orders).toMatchObject([{ asset, amount: missing }])
  expect(noOffer()).toBeNull()
})

test.each([
  ['where nothing is missing', 0, MAY],
  ['to whom may not top up', 100, ['payments.sms']],
])('nothing is offered %s', async (_why, missing, may) => {
  buy({ missing }, may)
  await screen.findByRole('dialog', { name: '确认购买' })
  expect(noOffer()).toBeNull()
})

test('its dialog was closed: the same order is shown again', async () => {
  const payment = takePayments()
  const { person } = buy({ missing: 2_000 })
  await person.click(await offer('20.00 代币'))
  await qr()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('img', { name: /扫码支付/ })).toBeNull())
  expect(screen.getByRole('dialog', { name: '确认购买' })).toBeDefined()
  await person.click(await offer('20.00 代币'))
  await qr()
  expect(payment.orders).toHaveLength(1)
  expect(payment.refreshed).toEqual([payment.orders[0]?.queryId])
})

test('an order that ended is not shown again', async () => {
  const payment = takePayments()
  const { person } = buy({ missing: 2_100 })
  await person.click(await offer('21.00 代币'))
  await qr()
  await person.keyboard('{Escape}')
  Object.assign(payment.orders[0] ?? {}, { state: 'expired' })
  await person.click(await offer('21.00 代币'))
  await qr()
  await waitFor(() => expect(payment.orders).toHaveLength(2))
})

test('paid while its dialog is closed it counts, and waits for a press', async () => {
  const payment = takePayments()
  const { person, goesOn } = buy({ missing: 2_200 })
  await person.click(await offer('22.00 代币'))
  await qr()
  await person.keyboard('{Escape}')
  payment.pay()
  await toasted('支付成功，可以继续购买')
  await waitFor(() => expect(noOffer()).toBeNull())
  expect(goesOn).not.toHaveBeenCalled()
})

test('somebody else spent it meanwhile: the rest is offered, and nothing goes on by itself when something cheaper is chosen', async () => {
  takePayments({ atOnce: true })
  const { person, goesOn } = buy({ missing: 5_000, after: 60 })
  await person.click(await offer('50.00 代币'))
  await toasted('支付已到账，但余额有变动，仍然不足，请再次补足')
  await offer('0.60 代币')
  await person.click(screen.getByRole('button', { name: '选便宜的' }))
  await waitFor(() => expect(noOffer()).toBeNull())
  expect(goesOn).not.toHaveBeenCalled()
})

test('a rule that forbids it is told in words, and a lost answer is asked for again', async () => {
  takePayments()
  answer(payments.startTokens, () => {
    throw refusal(payments.startTokens, 'NO_CHANNEL')
  })
  const { person } = buy({ missing: 2_300 })
  await person.click(await offer('23.00 代币'))
  expect((await within(await payDialog()).findByRole('alert')).textContent).toContain('暂未开通支付渠道')
  await person.keyboard('{Escape}')
  answer(payments.startTokens, () => {
    throw NO_ANSWER
  })
  await person.click(await offer('23.00 代币'))
  const retry = await within(await payDialog()).findByRole('button', { name: '重试' })
  takePayments()
  await person.click(retry)
  await qr()
})
