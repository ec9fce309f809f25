// The lines of a file: what is wrong comes into sight by itself, and why it cannot begin stands beside the button.
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { readAgain } from '#web/client/reread.ts'
import { shopImport } from './contract.ts'
import { ImportDraft } from './ImportDraft.tsx'
import type { ImportDetails, ImportLine } from './importApi.tsx'
import { LineGrid } from './LineGrid.tsx'
import { IMPORT_REFUSALS } from './rules.ts'
import type { Shown } from './useLines.tsx'

const line = (at: number, faults: ImportLine['faults'] = []): ImportLine => ({
  id: at + 1,
  position: at,
  line: at + 2,
  cells: { shopName: `海岸茶饮${at}`, account: `1880000000${at}` },
  hasPassword: false,
  faults,
  duplicate: null,
  skip: false,
  state: 'pending',
  merchantId: null,
  problem: '',
  orderNo: null,
  totalCents: 0,
})
const shown: Shown = { id: 7, only: 'all', mode: 'charge', heads: [], editable: true, total: 3 }
const BAD_ACCOUNT: ImportLine['faults'] = [{ column: 'account', message: '账号须为11位' }]
const BAD_DISTRICT: ImportLine['faults'] = [{ column: 'district', message: '没有找到「海岸」' }]

const broughtToSight: (string | undefined)[] = []
beforeEach(() => {
  broughtToSight.length = 0
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scrolled(this: Element) {
    broughtToSight.push(this.querySelector('button')?.getAttribute('aria-label') ?? undefined)
  })
})

test('the first cell that is wrong comes into sight, and once it is mended the next one', async () => {
  let lines = [line(0), line(1, BAD_ACCOUNT), line(2, BAD_DISTRICT)]
  answer(shopImport.rows, () => ({ rows: lines, total: 3 }))
  show(<LineGrid {...shown} />)
  await waitFor(() => expect(broughtToSight).toEqual(['第 3 行账号：18800000001，账号须为11位']))
  lines = [line(0), line(1), line(2, BAD_DISTRICT)]
  readAgain('shopImport')
  await waitFor(() => expect(broughtToSight.slice(1)).toEqual([expect.stringContaining('没有找到「海岸」')]))
})

test('a cell that is typed in is not taken out of sight', async () => {
  let lines = [line(0, BAD_ACCOUNT), line(1, BAD_DISTRICT)]
  answer(shopImport.rows, () => ({ rows: lines, total: 3 }))
  const person = show(<LineGrid {...shown} />)
  await waitFor(() => expect(broughtToSight).toHaveLength(1))
  await person.click(screen.getByRole('button', { name: /第 3 行店铺名称/ }))
  lines = [line(0), line(1, BAD_DISTRICT)]
  readAgain('shopImport')
  await screen.findByRole('button', { name: '第 2 行账号：18800000000' })
  expect(broughtToSight).toHaveLength(1)
})

test('why it cannot begin stands beside the button', async () => {
  const counts = { rows: 3, faulty: 1, fine: 2, duplicates: 0, undecided: 0, fixes: {} }
  const data = { id: 7, state: 'draft', mode: 'charge', counts, heads: [], notes: [], back: {} }
  show(<ImportDraft data={data as unknown as ImportDetails} />, { may: ['shopImport.import'] })
  await screen.findByText(IMPORT_REFUSALS.ROWS_FAULTY)
})
