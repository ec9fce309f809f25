// What is said next in a conversation: kept until it has been said, whoever was quicker.
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { PICTURE_KB } from '#kit/picture.ts'
import { show, toasted } from '#test/components/show.tsx'
import { CallError } from '../client/calls.ts'
import { MessageForm } from './MessageForm.tsx'

const WORDS = {
  reply: '回复商户',
  placeholder: '写下回复',
  refusals: { CONTENT_REQUIRED: '请输入内容', CONTENT_TOO_LONG: '内容不得超过500字' },
}

type Reply = (said: { text: string; pictures: string[] }, key: string) => Promise<unknown>

function form(reply: Reply, note?: (text: string, key: string) => Promise<unknown>) {
  return show(
    <MessageForm
      words={WORDS}
      over={null}
      reply={reply}
      {...(note && { note })}
      pictures={{ purpose: 'thread', most: PICTURE_KB }}
      withoutPictures
      onTyping={() => undefined}
      stale="threads"
    />,
  )
}

const box = (name = '回复内容') => screen.findByRole('textbox', { name }) as Promise<HTMLTextAreaElement>
const send = () => screen.getByRole('button', { name: '发送回复' })

test('who answers second is told who was first, and keeps what was typed until it is sent', async () => {
  const reply = vi.fn<Reply>(async () => undefined)
  reply.mockRejectedValueOnce(
    new CallError('ANSWERED', { status: 409, message: '已由李涛梓回复，请查看后再发送' }),
  )
  const person = form(reply)
  await person.type(await box(), '正在核对')
  await person.click(send())
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('已由李涛梓回复，请查看后再发送'))
  expect((await box()).value).toBe('正在核对')
  await person.click(send())
  await toasted('已回复')
  await waitFor(async () => expect((await box()).value).toBe(''))
  expect(reply.mock.calls.map(([{ text }]) => text)).toEqual(['正在核对', '正在核对'])
})

test('nothing is sent without a text', async () => {
  const reply = vi.fn<Reply>(async () => undefined)
  const person = form(reply)
  await box()
  await person.click(send())
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('请输入内容'))
  expect(reply).not.toHaveBeenCalled()
})

test('a note goes to colleagues, and not to the other side', async () => {
  const reply = vi.fn<Reply>(async () => undefined)
  const note = vi.fn(async (_text: string, _key: string) => undefined)
  const person = form(reply, note)
  await person.click(await screen.findByRole('radio', { name: '内部备注' }))
  await person.type(await box('内部备注'), '这批秤要召回')
  await person.click(screen.getByRole('button', { name: '保存备注' }))
  await toasted('已保存备注')
  expect(note.mock.calls.map(([text]) => text)).toEqual(['这批秤要召回'])
  expect(reply).not.toHaveBeenCalled()
})
