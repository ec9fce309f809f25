// A reviewer answers each warning before the data can be verified; whoever hands in explains each before they go.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { verification } from './contract.ts'
import ReviewDrawer from './ReviewDrawer.tsx'
import VerificationForm from './VerificationForm.tsx'
import type { VerificationData } from './verificationApi.tsx'

const warning = (key: string, text: string, explanation = '') => ({ key, text, explanation, answer: '' })
const paper = (name: 'licenceId' | 'idFrontId' | 'idBackId', id: number) => ({
  ...{ name, id, state: 'current' as const, width: 10, height: 10 },
  ...{ expiresOn: null, isLongTerm: true, reading: null },
})
const DATA: VerificationData = {
  ...{ merchantId: 7, shopName: '南山面馆', revision: 3, state: 'reviewing', reason: '', advice: '' },
  ...{ company: '深圳市老张餐饮有限公司', creditCode: '9144030071526726XG', legalPerson: '张三' },
  ...{ personInCharge: '张三', signature: '南山面馆', phone: '13800138000', phoneVerifiedAt: null },
  ...{ idNumberMasked: '110105********002X', origins: {}, standingSignature: '旧签名' },
  papers: [paper('licenceId', 1), paper('idFrontId', 2), paper('idBackId', 3)],
  warnings: [
    warning('differs:company', '企业名称与证件上识别的不同', '刚更名'),
    warning('unproven:phone', '责任人手机号未用验证码核实'),
  ],
  ...{ savedByName: '王芳', savedAt: null, submittedByName: '王芳', submittedAt: null },
  ...{ handledByName: '', handledAt: null, editRefusal: null, reader: null, hours: 24 },
}

test('data are verified once each warning is answered', async () => {
  answer(verification.ofShop, DATA)
  const asked = answer(verification.verify, { revision: 4, state: 'verified' })
  const person = show(<ReviewDrawer merchantId={7} onClose={() => undefined} />, {
    may: ['verification.decide'],
  })
  const pass = await screen.findByRole('button', { name: '通过认证' })
  screen.getByText('提交人说明：刚更名')
  screen.getByText('提交人没有说明')
  expect(pass.getAttribute('aria-disabled')).toBe('true')
  await person.type(screen.getByRole('combobox', { name: /企业名称与证件/ }), '已看更名通知书')
  expect(pass.getAttribute('aria-disabled')).toBe('true')
  await person.type(screen.getByRole('combobox', { name: /手机号未用验证码/ }), '已电话核实')
  await person.click(pass)
  await toasted('已通过认证')
  expect(asked).toEqual([
    {
      merchantId: 7,
      revision: 3,
      answers: { 'differs:company': '已看更名通知书', 'unproven:phone': '已电话核实' },
    },
  ])
})

test('what speaks against the data is asked about before they are handed in, and nothing typed is lost', async () => {
  const open = [warning('unproven:phone', '责任人手机号未用验证码核实')]
  answer(verification.save, { revision: 1, state: 'unverified', warnings: open })
  const sent = answer(verification.submit, { revision: 3, state: 'reviewing' })
  const data = { ...DATA, state: 'unverified' as const, revision: 0, warnings: [] }
  const person = show(<VerificationForm data={data} requestId={null} onClose={() => undefined} />, {
    may: ['verification.edit', 'approvals.request'],
  })
  await screen.findByText(/一并申请为短信签名/)
  await person.click(screen.getByRole('button', { name: '提交审核' }))
  const section = await screen.findByRole('region', { name: '需要说明的提示' })
  await within(section).findByText('请说明原因')
  expect(sent).toEqual([])
  await person.type(within(section).getByRole('textbox'), '店主收不到短信')
  await person.click(screen.getByRole('button', { name: '提交审核' }))
  await toasted('已提交审核，24 小时内给出结果')
  expect(sent[0]).toMatchObject({
    revision: 1,
    explanations: { 'unproven:phone': '店主收不到短信' },
  })
})
