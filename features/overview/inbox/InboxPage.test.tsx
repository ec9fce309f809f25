// From case to case: what follows opens by itself, what a colleague did closes nothing, and what is alike is one line.
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { consultations } from '#features/support/consultations/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { NO_LIST_SERVICES } from '#test/components/list-services.ts'
import { show, toasted } from '#test/components/show.tsx'
import { ListServicesContext } from '#web/list/list-services.ts'
import { inbox } from './contract.ts'
import InboxPage from './InboxPage.tsx'
import type { InboxRow } from './inboxApi.tsx'

const PAGE = (
  <ListServicesContext value={NO_LIST_SERVICES}>
    <InboxPage />
  </ListServicesContext>
)
const SINCE = '2026-03-01T02:00:00.000Z'

function caller(id: number, name: string): InboxRow {
  const mobile = `1370000000${id}`
  return {
    ...{ key: `consultations.call:${id}`, source: 'consultations.call', id, title: `${name} ${mobile}` },
    ...{ detail: '想了解价格', kind: '联系官网咨询', stake: 'rest', shopName: '', agentName: '' },
    ...{ merchantId: null, agentId: null, about: mobile, link: '/admin/consultations', folded: null },
    ...{ since: SINCE, dueAt: null, assigneeId: null, assigneeName: '', snoozedUntil: null },
    ...{ snoozedByName: '', snoozeReason: '', mayDecide: true },
  } as InboxRow
}

const MESSAGES: InboxRow = {
  ...caller(3, '短信'),
  ...{ key: 'message-desk.judge', source: 'message-desk.judge', title: '9 条短信待判定', folded: 9 },
  ...{ detail: '最早：发给 137****0000 的短信没有结果', kind: '判定短信结果', link: '/admin/sms' },
}

/** The list as it stands, and what was asked of it. */
function waiting(...first: InboxRow[]) {
  const list = { rows: first }
  const asked = answer(inbox.list, () => ({
    rows: list.rows,
    total: list.rows.length,
    totalCapped: false,
    kinds: [],
  }))
  answer(consultations.contact, ({ id }) => {
    list.rows = list.rows.filter(row => row.id !== id)
    return { id, contacted: true }
  })
  return { list, asked }
}

const called = (name: string) =>
  waitFor(async () => {
    const dialog = await screen.findByRole('dialog', { name: '联系官网咨询' })
    await within(dialog).findByText(name)
    return dialog
  })

test('the first case opens as the address asks, and once it is done the next one opens by itself, until none is left', async () => {
  waiting(caller(1, '王一'), caller(2, '王二'))
  const person = show(PAGE, { at: '/admin/inbox?open=first' })
  const first = await called('王一')
  expect(within(first).getByText('1 / 2')).toBeTruthy()
  expect(location.search).toBe('')
  await person.click(within(first).getByRole('button', { name: '标记已联系' }))
  const second = await called('王二')
  await person.click(within(second).getByRole('button', { name: '标记已联系' }))
  await toasted('这里的待办已全部处理')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('one that is left undone leads nowhere; the ways to the one before and after stand in its head', async () => {
  waiting(caller(1, '王一'), caller(2, '王二'))
  const person = show(PAGE, { at: '/admin/inbox' })
  const [open] = await screen.findAllByRole('button', { name: '处理' })
  await person.click(open as HTMLElement)
  const first = await called('王一')
  await person.click(within(first).getByRole('button', { name: '下一项' }))
  const second = await called('王二')
  await person.click(within(second).getAllByRole('button', { name: '关闭' })[0] as HTMLElement)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getAllByRole('button', { name: '处理' })).toHaveLength(2)
})

test('what was done is out of sight until it is asked for, and tells who did it', async () => {
  const { asked } = waiting(caller(1, '王一'))
  const decided = answer(inbox.decided, () => ({
    rows: [
      {
        ...{ key: 'consultations.call:9', source: 'consultations.call', id: 9, title: '赵九 13700000009' },
        ...{ detail: '想了解价格', kind: '联系官网咨询', shopName: '', agentName: '', merchantId: null },
        ...{ agentId: null, about: '13700000009', link: '/admin/consultations', opens: false },
        ...{ decidedByName: '李审核', decidedAt: SINCE },
      },
    ],
    total: 1,
    totalCapped: false,
    kinds: [],
  }))
  const person = show(PAGE, { at: '/admin/inbox?kind=x' })
  await person.click(await screen.findByRole('button', { name: '已办理' }))
  await person.click(await screen.findByRole('button', { name: /赵九/ }))
  const dialog = await screen.findByRole('dialog', { name: '联系官网咨询' })
  within(dialog).getByText('李审核')
  expect(decided.at(-1)).not.toHaveProperty('kind')
  const before = asked.length
  await person.click(within(dialog).getAllByRole('button', { name: '关闭' })[0] as HTMLElement)
  await person.click(screen.getByRole('button', { name: '待我处理' }))
  await screen.findByRole('button', { name: '处理' })
  expect(asked.length).toBeGreaterThanOrEqual(before)
})

test('many alike are one line that opens as its kind and cannot be taken as one', async () => {
  const { asked } = waiting(MESSAGES)
  const person = show(PAGE, { at: '/admin/inbox' })
  await person.click(await screen.findByRole('button', { name: '展开' }))
  expect(screen.queryByRole('button', { name: '我来' })).toBeNull()
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ kind: '判定短信结果' }))
})
