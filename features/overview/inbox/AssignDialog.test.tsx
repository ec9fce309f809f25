// Handing on what waits: to one of those who may do it, or back to nobody.
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import AssignDialog from './AssignDialog.tsx'
import { inbox } from './contract.ts'
import type { InboxRow } from './inboxApi.tsx'

const ITEM = {
  source: 'documents.ending',
  id: 7,
  title: '南山面馆：营业执照',
  assigneeId: null,
  snoozedUntil: null,
} as unknown as InboxRow

test('it is given to a colleague who may do it, and leaves the list', async () => {
  const questions = answer(inbox.people, { rows: [{ id: 42, name: '李涛梓' }] })
  const asked = answer(inbox.assign, {
    rows: [{ source: ITEM.source, id: ITEM.id, title: ITEM.title, refusal: null }],
  })
  const done = vi.fn()
  const person = show(<AssignDialog rows={[ITEM]} onDone={done} onClose={() => undefined} />)
  await screen.findByRole('dialog', { name: '指派「南山面馆：营业执照」' })
  await person.click(await screen.findByRole('combobox', { name: /负责人/ }))
  await person.click(await screen.findByTitle('李涛梓'))
  await person.click(screen.getByRole('button', { name: '指派' }))
  await toasted('已指派 1 项')
  expect(questions[0]).toEqual({ sources: 'documents.ending' })
  expect(asked).toEqual([
    {
      accountId: 42,
      items: [{ source: 'documents.ending', id: 7, assigneeId: null, snoozedUntil: null }],
    },
  ])
  expect(done).toHaveBeenCalledOnce()
})

test('whoever comes second is told by name who was first, of each', async () => {
  answer(inbox.people, { rows: [{ id: 42, name: '李涛梓' }] })
  answer(inbox.assign, {
    rows: [
      { source: ITEM.source, id: 8, title: '福田面馆：营业执照', refusal: null },
      { source: ITEM.source, id: ITEM.id, title: ITEM.title, refusal: '已由王芳负责' },
    ],
  })
  const person = show(
    <AssignDialog rows={[ITEM, { ...ITEM, id: 8 }]} onDone={() => undefined} onClose={() => undefined} />,
  )
  await person.click(await screen.findByRole('combobox', { name: /负责人/ }))
  await person.click(await screen.findByTitle('李涛梓'))
  await person.click(screen.getByRole('button', { name: '指派' }))
  await toasted('已指派 1 项。「南山面馆：营业执照」已由王芳负责')
})
