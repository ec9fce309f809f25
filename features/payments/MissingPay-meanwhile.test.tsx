// What somebody else does between the offer and what was begun: nothing is lost, and nothing is bought twice.
import { screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import CheckoutDialog from '#features/hardware/CheckoutDialog.tsx'
import { hardware } from '#features/hardware/contract.ts'
import { ledger } from '#features/ledger/contract.ts'
import { merchants } from '#features/merchants/contract.ts'
import { regions } from '#features/regions/contract.ts'
import AddedServicesPage from '#features/services/AddedServicesPage.tsx'
import { services } from '#features/services/contract.ts'
import { sms } from '#features/sms/contract.ts'
import SmsGiftDialog from '#features/sms/SmsGiftDialog.tsx'
import { answer, refusal } from '#test/components/answers.tsx'
import { noOffer, offer, takePayments } from '#test/components/paying.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { fillSlots } from './slots-filled.tsx'

beforeAll(fillSlots)

const MAY = ['payments.tokens', 'payments.sms', 'services.buy', 'hardware.shop']
const ORDER = '2'.repeat(22)
const NO_CONDITIONS = { minimums: {}, offers: [] }

test('the credit for a gift was spent after its dialog had been opened', async () => {
  let held = 60
  answer(ledger.wallet, () => ({ tokenCents: 0, sms: held }))
  answer(sms.gift, () => {
    if (held < 60) throw refusal(sms.gift, 'SMS_INSUFFICIENT', { field: 'pieces' })
    return { orderNo: ORDER, smsBefore: 10, smsAfter: 70, agentSms: held - 60 }
  })
  const shop = { id: 7, shopName: '南山面馆', status: 'normal' as const, smsBalance: 10 }
  const payment = takePayments({ atOnce: true })
  payment.onCredited(({ amount }) => {
    held += amount
  })
  const person = show(<SmsGiftDialog merchant={shop} onClose={() => undefined} />, { may: MAY })
  await screen.findByText('60 条')
  held = 7
  await person.type(screen.getByRole('textbox', { name: /赠送条数/ }), '60{Enter}')
  await person.click(await screen.findByRole('button', { name: '确认赠送' }))
  await person.click(await offer('53 条短信'))
  await person.click(await screen.findByRole('button', { name: '确认赠送' }))
  await toasted('赠送成功')
})

test('what was paid for hardware was spent elsewhere: the rest is offered anew, and it is ordered once', async () => {
  let held = 8_000
  const line = {
    productId: 1,
    name: '钱箱',
    model: '',
    unitCents: 8_000,
    stock: 9,
    discountBasisPoints: 10_000,
    conditions: NO_CONDITIONS,
    pictureId: null,
    enabled: true,
    quantity: 1,
  }
  const lastDelivery = {
    contactName: '周海燕',
    contactPhone: '13812349876',
    districtCode: '440305',
    address: '科苑路15号3楼',
  }
  answer(hardware.cart, () => ({ rows: [line], balanceCents: held, lastDelivery }))
  answer(merchants.options, { cityCode: '', versions: [], industries: [], paymentMethods: [], managers: [] })
  answer(regions.changes, { source: '', changes: [] })
  const ordered = answer(hardware.order, () => {
    if (held < 8_000) throw refusal(hardware.order, 'INSUFFICIENT')
    return { orderNo: ORDER, totalCents: 8_000, balanceAfterCents: held - 8_000 }
  })
  const payment = takePayments({ atOnce: true })
  payment.onCredited(({ amount }) => {
    held += amount
  })
  const cart = { rows: [line], balanceCents: held, lastDelivery }
  const person = show(<CheckoutDialog cart={cart} onClose={() => undefined} onOrdered={() => undefined} />, {
    may: MAY,
  })
  held = 55
  await person.click(await screen.findByRole('button', { name: '确认购买' }))
  await person.click(await offer('79.45 代币'))
  await toasted('购买成功')
  expect(ordered.map(({ totalCents }) => totalCents)).toEqual([8_000, 8_000])
})

test('the service was opened in another tab: nothing is asked, and what was paid stays in the wallet', async () => {
  let held = 1
  let isOpen = false
  const opened = { code: 'ALREADY_OPEN', message: '已开通' }
  answer(services.ofMerchant, () => ({
    merchant: { id: 7, shopName: '南山面馆', status: 'normal', storeKind: 'head', expiresAt: null },
    groups: [
      {
        id: 1,
        code: 'a',
        name: '营销',
        remark: '',
        services: [
          {
            id: 1,
            code: 'mall',
            name: '微商城',
            remark: '',
            unit: 'year',
            unitCents: 30_000,
            headOnly: false,
            enabled: true,
            renewUntil: null,
            conditions: NO_CONDITIONS,
            quantity: 0,
            expiresAt: null,
            refusal: isOpen ? opened : null,
          },
        ],
      },
    ],
    discountBasisPoints: 10_000,
    balanceCents: held,
    buyOperatorNumber: 0,
    refusal: null,
    now: '2026-03-02T01:00:00Z',
  }))
  const payment = takePayments({ atOnce: true })
  payment.onCredited(({ amount }) => {
    held += amount
    isOpen = true
  })
  const person = show(<AddedServicesPage />, { may: MAY, at: '/admin/test?user_id=7' })
  await person.click(await screen.findByRole('button', { name: '增加 微商城 年数' }))
  await person.click(await offer('299.99 代币'))
  await screen.findAllByText('已开通')
  await waitFor(() => expect(noOffer()).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
})
