// What is said next in a conversation with a shop.
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refusal } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { Composer } from './Composer.tsx'
import { threads } from './contract.ts'
import { ANSWER_REFUSALS } from './rules.ts'
import type { ShownThread } from './threadsApi.tsx'

const THREAD = {
  ...{ id: 1, revision: 1, kind: 'shop', state: 'awaiting', desk: 'agent' },
  ...{ shopName: '南山面馆', createdByName: '', agentId: 101 },
} as ShownThread

test('of two who answer at once the second is told who was first, and keeps what was typed', async () => {
  let isLate = true
  const said = answer(threads.reply, () => {
    if (isLate) throw refusal(threads.reply, 'ANSWERED_MEANWHILE')
    return { id: 1 }
  })
  const person = show(<Composer thread={THREAD} onTyping={() => undefined} />, { may: ['threads.reply'] })
  const text = (await screen.findByRole('textbox', { name: '回复内容' })) as HTMLTextAreaElement
  const send = screen.getByRole('button', { name: '发送回复' })
  await person.click(send)
  await screen.findByText(ANSWER_REFUSALS.CONTENT_REQUIRED)
  await person.type(text, '我来看看')
  await person.click(send)
  await screen.findByText(ANSWER_REFUSALS.ANSWERED_MEANWHILE)
  expect(text.value).toBe('我来看看')
  isLate = false
  await person.click(send)
  await toasted('已回复')
  await waitFor(() => expect(text.value).toBe(''))
  expect(said.map(one => one.text)).toEqual(['我来看看', '我来看看'])
})

test('what was passed on to the vendor takes a note of its agent, and the vendor’s answer', async () => {
  const passed = { ...THREAD, desk: 'vendor' } as ShownThread
  const noted = answer(threads.note, () => ({ id: 2 }))
  const person = show(<Composer thread={passed} onTyping={() => undefined} />, { may: ['threads.reply'] })
  await screen.findByText('已转交厂商，由厂商回复商户，可以留下内部备注')
  expect(screen.queryByRole('button', { name: '发送回复' })).toBeNull()
  await person.type(screen.getByRole('textbox', { name: '内部备注' }), '客户已催两次')
  await person.click(screen.getByRole('button', { name: '保存备注' }))
  await waitFor(() => expect(noted.map(({ text }) => text)).toEqual(['客户已催两次']))
})
