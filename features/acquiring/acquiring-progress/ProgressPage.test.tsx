// What can be done of a row that is with a shop's owner: by whoever may, and as the link stands.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ownerPapers } from '#features/acquiring/owner-papers/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { NO_LIST_SERVICES } from '#test/components/list-services.ts'
import { show } from '#test/components/show.tsx'
import { ListServicesContext } from '#web/list/list-services.ts'
import { acquiringProgress } from './contract.ts'
import ProgressPage from './ProgressPage.tsx'
import type { ProgressRow } from './progressApi.tsx'

const ROW: Omit<ProgressRow, 'isLinkExpired'> = {
  ...{ id: 1, kind: 'owner', sourceId: 7, merchantId: 7, shopName: '老张面馆', account: '13800138000' },
  ...{ channel: 'service', step: 'ownerFilling', turn: 'shop', since: '2026-01-05T02:00:00.000Z' },
  ...{ reviewerName: '', remindedAt: null, remindedByName: '', reminderStatus: null },
  ...{ agentId: 101, agentName: '南山餐饮服务', hours: 72, isOverdue: true, remindRefusal: null },
}
const AT = '/admin/merchant/progress'
const PAGE = (
  <ListServicesContext value={NO_LIST_SERVICES}>
    <ProgressPage />
  </ListServicesContext>
)
const REMINDS = ['acquiringProgress.list', 'acquiringProgress.remind', 'ownerPapers.view']

function board(isLinkExpired = false) {
  const rows = [{ ...ROW, isLinkExpired }]
  answer(acquiringProgress.list, { total: 1, totalCapped: false, shopsCapped: false, rows })
  answer(acquiringProgress.counts, { staff: 0, agent: 0, shop: 1, provider: 0, overdue: 1 })
}

test('whoever may invite copies another link, and reminds the owner', async () => {
  board()
  answer(ownerPapers.ofShop, {
    ...{ standing: null, history: [], messagePhone: '138****8000', messageRefusal: null, linkRefusal: null },
  })
  const user = show(PAGE, { at: AT, may: [...REMINDS, 'ownerPapers.invite'] })
  expect(await screen.findByRole('button', { name: '提醒店主' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '复制链接' }))
  expect(await screen.findByRole('dialog', { name: '店主资料' })).toBeTruthy()
  expect(await screen.findByRole('button', { name: '生成链接' })).toBeTruthy()
})

test('a link that has expired is sent anew, and the question says that it has', async () => {
  board(true)
  const user = show(PAGE, { at: AT, may: [...REMINDS, 'ownerPapers.invite'] })
  await user.click(await screen.findByRole('button', { name: '重发链接' }))
  expect((await screen.findByRole('alertdialog')).textContent).toContain('原链接已过期')
})

test('whoever may not invite looks at it', async () => {
  board()
  show(PAGE, { at: AT, may: ['acquiringProgress.list'] })
  expect(await screen.findByRole('button', { name: '查看' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '复制链接' })).toBeNull()
  expect(screen.queryByRole('button', { name: '提醒店主' })).toBeNull()
})
