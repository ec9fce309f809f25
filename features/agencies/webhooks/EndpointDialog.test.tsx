// Where changes are sent, and which.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TOPIC_KEYS, TOPICS } from '#features/shops/pos-changes/rules.ts'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { webhooks } from './contract.ts'
import EndpointDialog from './EndpointDialog.tsx'
import { WEBHOOK_REFUSALS } from './rules.ts'

test('an address begins with all events, asks for one at least, and loses nothing that was typed', async () => {
  const added = answer(webhooks.add, () => ({ id: 1, secret: 'whsec_x' }))
  const nothing = () => undefined
  const person = show(<EndpointDialog row={null} onClose={nothing} onGiven={nothing} />, {
    may: ['webhooks.edit'],
  })
  const url = (await screen.findByRole('textbox', { name: /接收地址/ })) as HTMLInputElement
  const send = screen.getByRole('button', { name: '新建并生成密钥' })
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(TOPIC_KEYS.length)
  await person.type(url, 'https://pos.example.com/in')
  await person.click(screen.getByRole('button', { name: '全不选' }))
  await person.click(send)
  await screen.findByText(WEBHOOK_REFUSALS.TOPICS_REQUIRED)
  expect([url.value, added]).toEqual(['https://pos.example.com/in', []])
  await person.click(screen.getByRole('checkbox', { name: new RegExp(TOPICS['shop.moved']) }))
  await person.click(send)
  expect(added).toEqual([{ url: 'https://pos.example.com/in', topics: ['shop.moved'] }])
})
