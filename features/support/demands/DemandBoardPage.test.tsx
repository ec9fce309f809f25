// The board of demands: where a card stands while its moves are on their way.
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { demands } from './contract.ts'
import DemandBoardPage from './DemandBoardPage.tsx'
import type { DemandRow } from './demandsApi.tsx'
import { STATUS_KEYS, STATUSES, type Status } from './rules.ts'

const TITLE = '盘点单导出带条码'
const AT = '2026-03-04T02:00:00.000Z'
const CARD: DemandRow = {
  ...{ id: 7, title: TITLE, path: '', merchantId: 5, shopName: '老张面馆', ownerId: 3, ownerName: '林晓' },
  ...{ priority: 'normal', type: 'improvement', client: 'pcWeb', industryName: '餐饮美食', deadline: null },
  ...{ status: 'toSchedule', weight: 3, shops: 1, renewalCents: 0, oldestAskedAt: AT },
  ...{ createdByName: '林晓', createdAt: AT, deletedAt: null },
}
const standsIn = (status: Status) =>
  within(screen.getByRole('region', { name: STATUSES[status] })).queryByRole('link', { name: TITLE })

test('a card that is moved twice quickly never goes back to where it was put first', async () => {
  const [read, move] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let status: Status = 'toSchedule'
  let reads = 0
  answer(demands.board, async () => {
    const at = status
    // What is read behind the first move.
    if (reads++ === 1) await read.promise
    return {
      rows: [{ ...CARD, status: at }],
      counts: STATUS_KEYS.map(key => ({ status: key, count: Number(key === at) })),
    }
  })
  answer(demands.change, async ({ status: to = status }) => {
    if (to === 'testing') await move.promise
    status = to
    return { rows: [{ id: CARD.id, title: TITLE, refusal: null }] }
  })
  const person = show(<DemandBoardPage />, { may: ['demands.list', 'demands.edit'] })
  const moveOn = async (from: Status, to: Status) => {
    await waitFor(() => expect(standsIn(from)).not.toBeNull())
    standsIn(from)?.focus()
    await person.keyboard('{Shift>}{ArrowRight}{/Shift}')
    await waitFor(() => expect(standsIn(to)).not.toBeNull())
  }
  await moveOn('toSchedule', 'developing')
  await waitFor(() => expect(reads).toBe(2))
  await moveOn('developing', 'testing')
  let wentBack = false
  const observer = new MutationObserver(() => {
    wentBack ||= standsIn('testing') === null
  })
  observer.observe(document.body, { childList: true, subtree: true })
  read.resolve()
  await screen.findByRole('heading', { name: `${STATUSES.developing} 1` })
  move.resolve()
  await screen.findByRole('heading', { name: `${STATUSES.testing} 1` })
  observer.disconnect()
  expect(wentBack).toBe(false)
})
