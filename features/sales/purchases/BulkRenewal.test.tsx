// The renewal of many shops: its price stands there before anything is asked, follows the terms, and is confirmed as it is shown.
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { versions } from '#features/shops/versions/contract.ts'
import type { Out } from '#kit/declare/op.ts'
import { answer, NO_ANSWER, refusal } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import BulkRenewal from './BulkRenewal.tsx'
import { purchases } from './contract.ts'
import { PURCHASE_REFUSALS } from './rules.ts'

type Quote = Out<typeof purchases.bulkQuote>

const NO = '202611300000000000000'

const quoteOf = (batchNo: string, totalCents: number): Quote => ({
  batchNo,
  lines: [
    {
      merchantId: 7,
      shopName: '南山面馆',
      account: '13900007001',
      versionName: '高级版',
      expiresBefore: '2026-12-10T15:59:59.000Z',
      expiresAfter: '2027-12-10T15:59:59.000Z',
      originalCents: totalCents,
      totalCents,
      refusal: null,
    },
  ],
  payable: 1,
  refused: 0,
  originalCents: totalCents,
  discountBasisPoints: 10_000,
  totalCents,
  balanceBeforeCents: 100_000,
  balanceAfterCents: 100_000 - totalCents,
})

function open() {
  answer(versions.list, { rows: [] } as never)
  const nothing = () => undefined
  return show(<BulkRenewal shops={[{ id: 7, versionId: 12 }]} onClose={nothing} onDone={nothing} />)
}
const CONFIRM = { name: '确认续费 1 家' }

test('the price of a year is there at once, and other terms have theirs before it can be confirmed', async () => {
  const asked = answer(purchases.bulkQuote, ({ term, periods }) =>
    quoteOf(`${NO}${periods}`, term === 'year' ? periods * 29_800 : periods * 5_000),
  )
  const paid = answer(purchases.bulkConfirm, ({ batchNo }) => ({
    batchNo,
    totalCents: 59_600,
    paid: 1,
    refused: 0,
    receipts: [],
  }))
  const person = open()
  await screen.findAllByText('298.00')
  await person.click(screen.getByRole('radio', { name: '2 年' }))
  expect(screen.getByRole('button', CONFIRM).getAttribute('aria-disabled')).toBe('true')
  await screen.findAllByText('596.00')
  await person.click(screen.getByRole('button', CONFIRM))
  await screen.findByRole('dialog', { name: '续费结果' })
  expect(asked.map(({ periods }) => periods)).toEqual([1, 2])
  // The first takes the place of whatever was asked before in this page.
  expect(asked[1]?.replaces).toBe(`${NO}1`)
  expect(paid.map(({ batchNo }) => batchNo)).toEqual([`${NO}2`])
})

test('a refused price says why and is asked for again by hand alone', async () => {
  const asked = answer(purchases.bulkQuote, () => {
    throw refusal(purchases.bulkQuote, 'SHOP_UNKNOWN')
  })
  const person = open()
  await screen.findByText(PURCHASE_REFUSALS.SHOP_UNKNOWN)
  expect(asked).toHaveLength(1)
  await person.click(screen.getByRole('button', { name: '重新计算价格' }))
  await waitFor(() => expect(asked).toHaveLength(2))
})

test('after a lost answer only the same batch can be sent again', async () => {
  answer(purchases.bulkQuote, () => quoteOf(`${NO}9`, 29_800))
  answer(purchases.bulkConfirm, () => {
    throw NO_ANSWER
  })
  const person = open()
  await screen.findAllByText('298.00')
  await person.click(screen.getByRole('button', CONFIRM))
  await screen.findByText(/没有收到服务器的答复/)
  expect(screen.queryByRole('radio', { name: '2 年' })).toBeNull()
  expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
})
