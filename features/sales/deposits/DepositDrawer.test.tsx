// What people do with a deposit over its list, and what a shop sees at its address.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { type DepositData, deposits, type RequestData } from './contract.ts'
import DepositDrawer from './DepositDrawer.tsx'
import PayPage from './PayPage.tsx'

const DATA: DepositData = {
  ...{ id: 5, orderNo: '2026030410000000000001', agentId: 3, agentName: '深圳代理', merchantId: 7 },
  ...{ shopName: '南山面馆', kind: 'device', subject: '扫码机 2 台', amountFen: 50_000, heldFen: 50_000 },
  ...{ returnedFen: 0, keptFen: 0, state: 'held', payMethod: 'wechat', askedByName: '李四' },
  ...{ askedAt: '2026-03-04T02:00:00.000Z', paidAt: '2026-03-04T03:00:00.000Z', settledAt: null },
  ...{ cancelledByName: '', cancelReason: '', cancelledAt: null, payUrl: null, requests: [] },
}
const REQUEST: RequestData = {
  ...{ id: 9, kind: 'return', amountFen: 20_000, reason: '设备已退回', state: 'asked', isOwn: false },
  ...{ askedByName: '王小明', askedAt: '2026-03-05T02:00:00.000Z', decidedByName: '', decidedAt: null },
  ...{ answer: '', refundNo: '', providerWords: '', receiptNo: '', paidOutByName: '', doneAt: null },
}
const drawer = (data: Partial<DepositData>, may: string[]) => {
  answer(deposits.details, { ...DATA, ...data })
  return show(<DepositDrawer id={5} onClose={() => undefined} />, { may })
}

test('whoever asks to give back some of it sees what is left, and is refused more than is held at its field', async () => {
  const sent = answer(deposits.request, { id: 5, state: 'deciding', heldFen: 50_000 })
  const person = drawer({}, ['deposits.request'])
  await person.click(await screen.findByRole('button', { name: '申请退还' }))
  const dialog = await screen.findByRole('dialog', { name: '申请退还押金' })
  const amount = within(dialog).getByRole('textbox', { name: /金额/ })
  await person.type(amount, '600')
  await person.type(within(dialog).getByRole('textbox', { name: /原因/ }), '设备已退回')
  await person.click(within(dialog).getByRole('button', { name: '提交审批' }))
  await within(dialog).findByText('金额不能超过押金余额')
  await person.clear(amount)
  await person.type(amount, '200')
  within(dialog).getByText('退还 200.00 元后，剩余押金 300.00 元。')
  await person.click(within(dialog).getByRole('button', { name: '提交审批' }))
  await person.click(await screen.findByRole('button', { name: '确认提交' }))
  await toasted('已提交，等待另一人审批')
  expect(sent[0]).toMatchObject({ id: 5, kind: 'return', amountFen: 20_000, heldFen: 50_000 })
})

test('nobody may press to decide on their own request, and may take it back', async () => {
  drawer({ state: 'deciding', requests: [{ ...REQUEST, isOwn: true }] }, ['deposits.decide'])
  const approve = await screen.findByRole('button', { name: '通过' })
  expect(approve.getAttribute('aria-disabled') ?? approve.hasAttribute('disabled')).toBeTruthy()
  screen.getByRole('button', { name: '撤回申请' })
})

test('another is asked once more before it is given back, with what is left', async () => {
  const sent = answer(deposits.approve, { id: 5, state: 'held', heldFen: 30_000 })
  const person = drawer({ state: 'deciding', requests: [REQUEST] }, ['deposits.decide'])
  await person.click(await screen.findByRole('button', { name: '通过' }))
  const question = await screen.findByRole('alertdialog')
  within(question).getByText(/退还 200\.00 元后，剩余押金 300\.00 元/)
  await person.click(within(question).getByRole('button', { name: '通过' }))
  await toasted('已通过')
  expect(sent).toEqual([{ id: 9 }])
})

test('what its channel refused is paid out by hand under the number of its receipt', async () => {
  const sent = answer(deposits.payOut, { id: 5, state: 'held', heldFen: 30_000 })
  const owed: RequestData = {
    ...REQUEST,
    ...{ state: 'owed', decidedByName: '张三', decidedAt: '2026-03-06T02:00:00.000Z' },
    ...{ refundNo: '1WR', providerWords: '余额不足' },
  }
  const person = drawer({ requests: [owed] }, ['deposits.decide'])
  await screen.findByText(/原路退款失败：余额不足/)
  await person.click(screen.getByRole('button', { name: '登记线下退款' }))
  const dialog = await screen.findByRole('dialog', { name: '登记线下退款' })
  await person.click(within(dialog).getByRole('button', { name: '登记' }))
  await within(dialog).findByText('请输入付款回单号')
  await person.type(within(dialog).getByRole('textbox', { name: /付款回单号/ }), 'HD-1')
  await person.click(within(dialog).getByRole('button', { name: '登记' }))
  await person.click(await screen.findByRole('button', { name: '确认登记' }))
  await toasted('已登记')
  expect(sent).toEqual([{ id: 9, receiptNo: 'HD-1' }])
})

test('a deposit that waits shows its code, and the shop sees what it is asked for', async () => {
  const payUrl = 'http://127.0.0.1:3000/d/abc'
  drawer({ state: 'waiting', heldFen: 0, paidAt: null, payMethod: null, payUrl }, ['deposits.ask'])
  await screen.findByRole('img', { name: '押金付款码' })
  screen.getByRole('button', { name: '取消押金' })
})

test('the address of a deposit that was called off says that there is nothing to pay', async () => {
  answer(deposits.page, {
    ...{ shopName: '南山面馆', subject: '扫码机 2 台', amountFen: 50_000, state: 'cancelled' },
    ...{ paidAt: null, payee: '海岸科技' },
  })
  show(<PayPage />, { at: '/d/a-code-of-a-test' })
  await screen.findByText('押金已取消，无需支付')
  expect(screen.queryByRole('button', { name: /去支付/ })).toBeNull()
})
