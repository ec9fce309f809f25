// The shops that expired last, in the bell: each leads to its details and, where it is one's own, to its renewal.
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { merchants } from '#features/shops/merchants/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { OverdueInbox } from './OverdueInbox.tsx'

const shop = (id: number, agentId: number, shopName: string) => ({
  id,
  agentId,
  shopName,
  account: '13900007001',
  versionId: 12,
  expiresAt: '2026-01-31T15:59:59Z',
})

function bell(may: readonly string[]) {
  answer(merchants.overduePreview, {
    total: 7,
    totalCapped: false,
    rows: [shop(10_000_003, 101, '南山面馆'), shop(10_000_004, 102, '海边茶餐厅')],
  })
  const onClose = vi.fn()
  return { person: show(<OverdueInbox onClose={onClose} />, { may }), onClose }
}

const to = (link: HTMLElement) => link.getAttribute('href')

test('a shop leads to its details, one’s own to its renewal, and the end to all of them', async () => {
  const { person, onClose } = bell(['purchases.buy', 'merchants.details'])
  const details = await screen.findByRole('link', { name: /^南山面馆/ })
  expect(to(details)).toBe('/admin/merchant/merchantDetails?user_id=10000003')
  expect(to(screen.getByRole('link', { name: '续费 南山面馆' }))).toBe(
    '/admin/merchant/versionUp1?user_id=10000003&sv_versionid=12',
  )
  expect(screen.queryByRole('link', { name: '续费 海边茶餐厅' })).toBeNull()
  expect(to(screen.getByRole('link', { name: '查看更多' }))).toBe('/admin/merchant/overdueMerchants')
  await person.click(details)
  expect(onClose).toHaveBeenCalledOnce()
})

test('who may neither open nor renew reads them', async () => {
  bell([])
  await screen.findByText('南山面馆')
  expect(screen.getAllByRole('link').map(to)).toEqual(['/admin/merchant/overdueMerchants'])
})
