// The monthly statement as it stands on the page: what its answer holds, line by line, and the addresses of its files.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Out } from '#kit/declare/op.ts'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { settlement } from './contract.ts'
import StatementPage from './StatementPage.tsx'

type Section = Out<typeof settlement.statement>['sections'][number]

const TOKEN: Section = {
  asset: 'token',
  opening: 100_000,
  closing: 75_050,
  income: 5_050,
  spent: 30_000,
  addsUp: true,
  movements: [
    { kind: 'version', name: '版本购买', count: 2, income: 0, spent: 30_000 },
    { kind: 'undo', name: '撤销', count: 1, income: 5_050, spent: 0 },
  ],
}
const SMS: Section = {
  asset: 'sms',
  opening: 1_200,
  closing: 1_000,
  income: 0,
  spent: 300,
  addsUp: false,
  movements: [{ kind: 'gift', name: '赠送', count: 3, income: 0, spent: 300 }],
}

const lines = (name: string) =>
  within(screen.getByRole('region', { name }))
    .getAllByRole('row')
    .map(row => [...row.children].map(cell => cell.textContent))

test('each section has its lines, its sums and its balances, and says whether they add up', async () => {
  const asked = answer(settlement.statement, {
    agentId: 101,
    companyName: '海岸科技',
    logoId: null,
    levelName: '金牌代理',
    month: '2026-01',
    from: '2026-01-01',
    to: '2026-01-31',
    createdAt: '2026-03-02T02:00:00Z',
    sections: [TOKEN, SMS],
    sales: [],
  })
  show(<StatementPage />, { at: '/admin/detail/statement?month=2026-01' })
  await screen.findByText('2026-01-01 至 2026-01-31')
  expect(asked).toEqual([{ month: '2026-01' }])
  expect(lines('代币').slice(1)).toEqual([
    ['期初余额', '', '1,000.00'],
    ['版本购买', '2', '—', '300.00', ''],
    ['撤销', '1', '50.50', '—', ''],
    ['合计', '3', '50.50', '300.00', ''],
    ['期末余额', '', '750.50'],
  ])
  expect(lines('短信额度').slice(1)).toEqual([
    ['期初余额', '', '1,200'],
    ['赠送', '3', '—', '300', ''],
    ['合计', '3', '0', '300', ''],
    ['期末余额', '', '1,000'],
  ])
  expect(screen.getByText('核对一致')).toBeDefined()
  expect(screen.getByText('核对不一致')).toBeDefined()
  const files = ['导出 Excel', '导出 PDF'].map(name =>
    screen.getByRole('link', { name }).getAttribute('href'),
  )
  expect(files).toEqual([
    '/api/settlement/statement.xlsx?month=2026-01',
    '/api/settlement/statement.pdf?month=2026-01',
  ])
})
