// What the owner types is kept when its field is left, also over a break of the network, and what was sent back stands at its field.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, NO_ANSWER } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { ownerPapers } from './contract.ts'
import OwnerForm from './OwnerForm.tsx'
import type { OwnerFormData } from './ownerPapersApi.tsx'

const CODE = 'A'.repeat(32)
const DATA: OwnerFormData = {
  state: 'draft',
  given: {
    ...{ payType: 'corporate', company: '', creditCode: '', legalPerson: '', personInCharge: '', email: '' },
    ...{ bankName: '', branchName: '', phone: '138****8000', idNumberMasked: '', accountNumberMasked: '' },
  },
  ...{ papers: [], reasons: {}, isRead: false, statement: '', statementHash: '0'.repeat(64) },
  ...{ submittedAt: null, isSeen: false, permits: { words: '', areRequired: false } },
}
const form = (more: Partial<OwnerFormData> = {}) =>
  show(<OwnerForm code={CODE} data={{ ...DATA, ...more }} onAgain={() => Promise.resolve()} />)

test('is kept when its field is left, and again once the network is back', async () => {
  let isBroken = true
  const kept = answer(ownerPapers.save, () => {
    if (isBroken) throw NO_ANSWER
    return { idNumberMasked: '', accountNumberMasked: '' }
  })
  const person = form()
  await person.type(await screen.findByLabelText(/联系邮箱/), 'zhang@example.com')
  await person.tab()
  await screen.findByText('网络中断，恢复后自动保存')
  isBroken = false
  window.dispatchEvent(new Event('online'))
  await screen.findByText('已保存')
  expect(kept.at(-1)).toEqual({ code: CODE, email: 'zhang@example.com' })
})

test('asks for what is missing at its field and sends nothing', async () => {
  const person = form()
  await person.click(await screen.findByRole('button', { name: '下一步：核对并签名' }))
  await screen.findByText('请上传营业执照')
  expect(screen.getByText('请输入企业名称')).toBeDefined()
  expect(screen.queryByText('请上传银行卡')).toBeNull()
})

test('what was sent back is told over the form and at its field, and leads there', async () => {
  const person = form({ state: 'returned', reasons: { email: '邮箱打不开', other: '请尽快' } })
  await screen.findByText('退回原因：邮箱打不开')
  expect(screen.getByText('请尽快')).toBeDefined()
  await person.click(screen.getByRole('button', { name: '去修改联系邮箱' }))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /联系邮箱/ }))
})

test('permits are asked for as the line of business names them, and are a must where it is refused without', async () => {
  const person = form({ permits: { words: '《食品经营许可证》', areRequired: true } })
  await screen.findByText('须上传：《食品经营许可证》')
  await person.click(screen.getByRole('button', { name: '下一步：核对并签名' }))
  await screen.findByText('请上传行业许可证或资质证书')
})

test('permits may be left out where none was asked for', async () => {
  const person = form()
  await screen.findByText('如食品经营许可证，有则拍照上传。')
  await person.click(screen.getByRole('button', { name: '下一步：核对并签名' }))
  await screen.findByText('请上传营业执照')
  expect(screen.queryByText('请上传行业许可证或资质证书')).toBeNull()
})
