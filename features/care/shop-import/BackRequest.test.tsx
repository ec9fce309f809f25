// What is said of the way back before an import begins and after, and how it is asked for and decided.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { BackRequest, backText } from './BackRequest.tsx'
import { shopImport } from './contract.ts'
import type { ImportDetails } from './importApi.tsx'
import RehearsalDialog from './RehearsalDialog.tsx'

type Back = ImportDetails['back']

const NEEDS = '300 家店铺超过本月还可自行撤销的 200 单'
const request = (more: Partial<NonNullable<Back['request']>> = {}): NonNullable<Back['request']> => ({
  ...{
    isAhead: false,
    totalCents: 715_200,
    shops: 300,
    reason: '表格拿错了',
    state: 'pending',
    refusal: null,
  },
  ...{ requestedByName: '小王', requestedAt: '2026-11-28T01:00:00.000Z' },
  ...{ decidedByName: '', decidedAt: null, decision: '' },
  ...more,
})
const importWith = (back: Back) => ({ id: 7, mode: 'charge', back }) as ImportDetails
const APPROVER = { may: ['settlement.approve', 'shopImport.import'] }

test.each([
  [{ approval: null, request: null }, '可自行撤回'],
  [{ approval: null, request: request({ state: 'approved' }) }, '厂商已同意，可自行撤回'],
  [{ approval: NEEDS, request: null }, `须厂商审批：${NEEDS}`],
] as const)('the way back in a line: %#', (back, expected) => {
  expect(backText(back)).toBe(expected)
})

test('the rehearsal says that staff have to agree, and they are asked from there', async () => {
  const shown = {
    ...{ token: 't', shops: 300, skipped: 0, lines: [], totalCents: 715_200, sms: 0, refusal: null },
    ...{ balanceBeforeCents: 1_000_000, balanceAfterCents: 284_800, smsBefore: 0, smsAfter: 0 },
    back: { approval: NEEDS, request: null as Back['request'] },
  }
  answer(shopImport.rehearse, () => shown)
  const asked = answer(shopImport.askRollBack, ({ id }) => {
    shown.back = { approval: NEEDS, request: request({ isAhead: true }) }
    return { id }
  })
  const person = show(
    <RehearsalDialog data={importWith({ approval: null, request: null })} onClose={() => undefined} />,
    APPROVER,
  )
  await screen.findByText(new RegExp(NEEDS))
  await person.click(screen.getByRole('button', { name: '申请可自行撤回' }))
  const dialog = within(await screen.findByRole('dialog', { name: '申请导入后可自行撤回' }))
  await person.type(dialog.getByLabelText(/撤回原因/), '可能要换表')
  await person.click(dialog.getByRole('button', { name: '提交申请' }))
  await screen.findByText(/已申请，等待厂商审批/)
  expect(asked).toEqual([{ id: 7, reason: '可能要换表' }])
  expect(screen.queryByRole('button', { name: '申请可自行撤回' })).toBeNull()
})

test('whoever approves reads what was asked, and says why not', async () => {
  const decided = answer(shopImport.decideRollBack, { id: 7 })
  const person = show(<BackRequest data={importWith({ approval: null, request: request() })} />, APPROVER)
  await screen.findByText(/小王 .* 申请整批撤回：300 家店铺，7,152.00 代币。原因：表格拿错了/)
  await person.click(screen.getByRole('button', { name: '驳回' }))
  const dialog = within(await screen.findByRole('dialog', { name: '驳回撤回申请' }))
  await person.click(dialog.getByRole('button', { name: '驳回' }))
  await dialog.findByText('请输入驳回原因')
  expect(decided).toEqual([])
  await person.type(dialog.getByLabelText(/驳回原因/), '先核对')
  await person.click(dialog.getByRole('button', { name: '驳回' }))
  await expect.poll(() => decided).toEqual([{ id: 7, approves: false, decision: '先核对' }])
})

test('what was decided is said to everybody, and is decided no more', async () => {
  const back = {
    approval: NEEDS,
    request: request({
      ...{ state: 'rejected', decision: '先核对' },
      ...{ decidedByName: '小李', decidedAt: '2026-11-28T02:00:00.000Z' },
    }),
  } as const
  show(<BackRequest data={importWith(back)} />, APPROVER)
  await screen.findByText(/小李 .*：先核对/)
  expect(screen.queryByRole('button', { name: '通过' })).toBeNull()
})
