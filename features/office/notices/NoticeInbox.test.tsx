// Notices of one thing are one line of the bell, which unfolds; opening it reads them all.
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { notices } from './contract.ts'
import { NoticeInbox } from './NoticeInbox.tsx'
import { foldedOf, type Topic } from './rules.ts'

const notice = (id: number, title: string, link: string, topic: Topic = 'PaymentStatus_Notify') => ({
  ...{ id, traceId: `trace-${id}`, topic, title, body: '', link, readAt: null },
  createdAt: `2026-11-28T0${id}:00:00.000Z`,
})
const ORDER = '/admin/order/2026112800000000000001'

test('notices of one thing are a line with their number, which unfolds and reads them all', async () => {
  const rows = foldedOf([
    notice(4, '订单已撤销', ORDER, 'OrderUndone_Notify'),
    notice(3, '新的咨询', '/admin/consultations?id=8', 'Consultation_Notify'),
    notice(2, '订单已付款', ORDER),
    notice(1, '订单已提交', ORDER),
  ])
  answer(notices.list, { rows, total: 4, totalCapped: false })
  answer(notices.unread, { count: 4 })
  const read = answer(notices.read, { count: 3 })
  const person = show(<NoticeInbox onClose={() => undefined} />)
  const list = within(await screen.findByRole('list', { name: '最近的消息' }))
  const titles = () => list.getAllByRole('listitem').map(item => item.textContent?.slice(0, 5))
  expect(titles()).toEqual(['订单已撤销', '新的咨询（'])
  await person.click(list.getByRole('button', { name: '订单已撤销，共 3 条' }))
  expect(titles()).toEqual(['订单已撤销', '订单已付款', '订单已提交', '新的咨询（'])
  await person.click(list.getByRole('button', { name: '订单已撤销，收起' }))
  expect(titles()).toHaveLength(2)
  await person.click(list.getByText('订单已撤销'))
  await waitFor(() => expect(read).toEqual([{ traceId: 'trace-4', ofThing: true }]))
})
