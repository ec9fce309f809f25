// What was bought elsewhere while what was missing was paid is not bought twice.
import { screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import AddedServicesPage from '#features/sales/services/AddedServicesPage.tsx'
import { services } from '#features/sales/services/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { noOffer, offer, takePayments } from '#test/components/paying.tsx'
import { show } from '#test/components/show.tsx'
import { fillSlots } from './slots-filled.tsx'

beforeAll(fillSlots)

const MAY = ['payments.tokens', 'services.buy']
const NO_CONDITIONS = { minimums: {}, offers: [] }

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
            termDay: null,
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
