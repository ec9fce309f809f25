// The details of a shop lead to its application for payments.
import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import type { Merchant } from '#features/shops/merchants/contract.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { MerchantFacts } from '#features/shops/merchants/MerchantFacts.tsx'
import { typedOf } from '#kit/declare/form.ts'
import { show } from '#test/components/show.tsx'
import { fillSlots } from './slots-filled.tsx'

beforeAll(fillSlots)

const KNOWN = {
  ...{ id: 7, storeKind: 'head', status: 'normal', shopName: '南山面馆', shopsBought: 1, smsBalance: 0 },
  ...{ registeredAt: '2026-03-04T02:00:00.000Z', verificationStatus: 'verified', source: 'backOffice' },
}
const SHOP = {
  ...typedOf(MERCHANT_FIELDS, KNOWN),
  ...{ fullAddress: '', paymentConfig: {}, paymentSecretsSet: [] },
} as Merchant
const FACTS = <MerchantFacts merchant={SHOP} options={undefined} showAgent={false} />

test('whoever may hand it in goes there from where it stands whether the shop is paid online', async () => {
  show(FACTS, { may: ['paymentApplications.edit'] })
  const label = await screen.findByText('支付开通')
  const link = within(label.parentElement as HTMLElement).getByRole('link', { name: '支付申请' })
  expect(link.getAttribute('href')).toBe('/admin/schedule/submitPayment?user_id=7')
})

test('nobody else is led there', async () => {
  show(FACTS, { may: ['paymentApplications.list'] })
  await screen.findByText('支付开通')
  expect(screen.queryByRole('link', { name: '支付申请' })).toBeNull()
})
