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
} as unknown as InboxRow

test('it is given to a colleague who may do it, and leaves the list', async () => {
  const questions = answer(inbox.people, { rows: [{ id: 42, name: '李涛梓' }] })
  const asked = answer(inbox.assign, { done: 1, gone: 0 })
  const done = vi.fn()
  const person = show(<AssignDialog rows={[ITEM]} onDone={done} onClose={() => undefined} />)
  await screen.findByRole('dialog', { name: '指派「南山面馆：营业执照」' })
  await person.click(await screen.findByRole('combobox', { name: /负责人/ }))
  await person.click(await screen.findByTitle('李涛梓'))
  await person.click(screen.getByRole('button', { name: '指派' }))
  await toasted('已指派 1 项')
  expect(questions[0]).toEqual({ sources: 'documents.ending' })
  expect(asked.map(({ accountId }) => accountId)).toEqual([42])
  expect(done).toHaveBeenCalledOnce()
})
