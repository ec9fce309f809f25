// The list of what is to be set up: where each step leads, which lines of settings are copied, what is folded, and that it goes.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { type SetupStepRow, setup } from './contract.ts'
import { SetupPanel } from './SetupPanel.tsx'

const row = (key: string, label: string, more: Partial<SetupStepRow> = {}): SetupStepRow => ({
  key,
  label,
  state: 'open',
  words: `${label}还没有好`,
  path: '/admin/operations/prices',
  settings: [],
  isOptional: false,
  isPutOff: false,
  ...more,
})
const SMS = row('messages.service', '短信', {
  path: null,
  isOptional: true,
  settings: [{ name: 'SMS_PROVIDER', meaning: '短信服务商', line: 'SMS_PROVIDER=aliyun' }],
})

test('a step leads to its page or shows its settings; what is done or put off is folded', async () => {
  answer(setup.list, {
    steps: [
      row('prices.review', '价格'),
      SMS,
      row('setup.storage', '文件存储', { state: 'broken', path: null }),
      row('captcha.puzzle', '滑动验证', { state: 'done' }),
      row('team.staff', '同事账号', { isOptional: true, isPutOff: true }),
    ],
  })
  const person = show(<SetupPanel />)
  const panel = await screen.findByRole('region', { name: '开始使用' })
  const { pathname } = new URL(
    (within(panel).getByRole('link', { name: '价格：去完成' }) as HTMLAnchorElement).href,
  )
  expect(pathname).toBe('/admin/operations/prices')
  expect(within(panel).getByText('有问题')).toBeTruthy()
  expect(within(panel).queryByText('SMS_PROVIDER=aliyun')).toBeNull()
  await person.click(within(panel).getByRole('button', { name: '短信：查看设置' }))
  expect(within(panel).getByText('SMS_PROVIDER=aliyun')).toBeTruthy()
  expect(within(panel).getByText('已完成 1 / 5')).toBeTruthy()
  expect(within(panel).getByText('以后再说 1 步')).toBeTruthy()
  const asked: unknown[] = []
  answer(setup.putOff, input => {
    asked.push(input)
    return { key: 'messages.service', isPutOff: true }
  })
  await person.click(within(panel).getByRole('button', { name: '短信：以后再说' }))
  expect(asked).toEqual([{ key: 'messages.service', isPutOff: true }])
  expect(within(panel).queryByRole('button', { name: '价格：以后再说' })).toBeNull()
})

test('once nothing necessary is left there is no list', async () => {
  answer(setup.list, { steps: [] })
  show(
    <>
      <SetupPanel />
      <p>今天要做</p>
    </>,
  )
  await screen.findByText('今天要做')
  expect(screen.queryByRole('region', { name: '开始使用' })).toBeNull()
})
