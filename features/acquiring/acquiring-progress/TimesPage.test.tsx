// The figures as they stand on the page: what an answer holds row by row, what an empty period says, and what an agent may choose.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { acquiringProgress } from './contract.ts'
import { TIMES_MEANING } from './rules.ts'
import TimesPage from './TimesPage.tsx'

const AT = '/admin/merchant/progressTimes?month=2026-01'
const NOW = { from: '2026-01-01', to: '2026-01-31' }
const NOTHING = {
  ...{ opened: 0, medianDays: null, p90Days: null, paid: 0 },
  ...{ paidMedianDays: null, decided: 0, refused: 0 },
}
const TOLD = {
  ...{ opened: 3, medianDays: 2.04, p90Days: 8.5, paid: 1 },
  ...{ paidMedianDays: 12, decided: 4, refused: 1 },
}

test('a row says what is known, and what is not as such; a reason that is not told stands without a link', async () => {
  const asked = answer(acquiringProgress.times, {
    ...{ now: NOW, total: TOLD, rowsCapped: false },
    rows: [
      { ...TOLD, key: 'service', name: '支付服务' },
      { ...NOTHING, key: 'xl', name: 'XL 收单' },
    ],
    causes: [{ causeId: null, label: '营业执照', reason: '', times: 1 }],
  })
  show(<TimesPage />, { at: AT })
  const table = within(await screen.findByRole('region', { name: '按渠道' }))
  expect(asked).toEqual([{ period: 'month', month: '2026-01', by: 'channel' }])
  expect(table.getAllByRole('row').map(row => [...row.children].map(cell => cell.textContent))).toEqual([
    ['渠道', '已开通（件）', '一半在', '九成在', '首次驳回率', '到首笔收款：一半在'],
    ['支付服务', '3', '2 天内', '8.5 天内', '25%（1/4）', '12 天内（1 件）'],
    ['XL 收单', '0', '—', '—', '—', '—'],
  ])
  const causes = within(screen.getByRole('region', { name: '首次驳回的主要原因' }))
  expect(causes.getByRole('listitem').textContent).toBe('营业执照1 件')
  expect(causes.queryByRole('link')).toBeNull()
  // Who sees its own alone is not told by agent.
  expect(screen.queryByRole('button', { name: '按代理商' })).toBeNull()
})

test('an empty period says so, and another can be chosen', async () => {
  answer(acquiringProgress.times, {
    ...{ now: NOW, total: NOTHING, rows: [], rowsCapped: false, causes: [] },
  })
  show(<TimesPage />, { at: AT })
  await screen.findByText(TIMES_MEANING.empty)
  expect(screen.getByRole('button', { name: '上一期' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: '按渠道' })).toBeNull()
})
