// The account that a shop's money is settled to, where staff change it.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { paymentApplications } from '#features/acquiring/payment-applications/contract.ts'
import { regions } from '#features/office/regions/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { settlementAccounts } from './contract.ts'
import { REFUSALS } from './rules.ts'
import SettlementSection, { AcquirerSection } from './SettlementSection.tsx'
import type { SettlementData } from './settlementAccountsApi.tsx'

const DATA: SettlementData = {
  changes: [
    {
      ...{ id: 3, payType: 'private', bankName: '招商银行', branchName: '科技园支行' },
      ...{ accountNumberMasked: '6214****0000', state: 'refused', message: '户名不一致' },
      ...{ requestedByName: '王芳', requestedAt: '2026-03-04T02:00:00.000Z' },
      changedAt: '2026-03-04T03:00:00.000Z',
    },
  ],
  kinds: ['corporate'],
  holders: { corporate: '老张餐饮有限公司', private: '张三' },
  changeRefusal: null,
}

test('what became of a change is told, and a company is kept from an account of a person', async () => {
  answer(settlementAccounts.ofApplication, DATA)
  answer(settlementAccounts.standing, {
    account: {
      ...{ payType: 'corporate', bank: '招商银行', branchName: '', accountNumberMasked: '755912*****8901' },
      ...{ verification: 'failed', reason: '户名不符' },
    },
  })
  answer(paymentApplications.banks, { banks: null })
  answer(regions.changes, { source: '', changes: [] })
  const sent = answer(settlementAccounts.change, { id: 4 })
  const person = show(<SettlementSection id={5} />, { may: ['paymentApplications.review'] })
  await screen.findByText('户名不一致')
  await person.click(screen.getByRole('button', { name: '变更结算账户' }))
  const dialog = await screen.findByRole('dialog', { name: '变更结算账户' })
  await within(dialog).findByText(/755912\*{5}8901，验证失败（户名不符）/)
  within(dialog).getByText('开户名称须为老张餐饮有限公司')
  await person.click(within(dialog).getByText('对私', { exact: true }))
  within(dialog).getByText('开户名称须为张三')
  await person.click(within(dialog).getByRole('button', { name: '提交变更' }))
  await within(dialog).findByText('请输入银行账号')
  expect(sent).toEqual([])
})

test('why nothing can be changed now stands at the button, and nobody else sees it', async () => {
  answer(settlementAccounts.ofApplication, { ...DATA, changeRefusal: REFUSALS.CHANGE_UNDER_WAY })
  const staff = show(<SettlementSection id={5} />, { may: ['paymentApplications.review'] })
  const button = await screen.findByRole('button', { name: /变更结算账户/ })
  await staff.click(button)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(button.getAttribute('aria-disabled') ?? button.getAttribute('disabled')).not.toBeNull()
})

test('an agent sees what became of it, and changes nothing', async () => {
  answer(settlementAccounts.ofApplication, DATA)
  show(<SettlementSection id={5} />, { may: ['paymentApplications.list'] })
  await screen.findByText('户名不一致')
  expect(screen.queryByRole('button')).toBeNull()
})

test('at an acquirer a number of the branch and a picture of the account are asked for, each said at its field', async () => {
  const at = {
    ...{ ...DATA, kinds: ['corporate', 'private'] as ('corporate' | 'private')[], merchantId: 9 },
    ...{ channel: 'tianque' as const },
    papers: {
      corporate: { kind: 'accountPermit' as const, documentId: null },
      private: { kind: 'bankCard' as const, documentId: 7 },
    },
  }
  answer(settlementAccounts.ofAcquirer, at)
  answer(paymentApplications.banks, { banks: null })
  answer(regions.changes, { source: '', changes: [] })
  const sent = answer(settlementAccounts.changeAtAcquirer, { id: 4 })
  const person = show(<AcquirerSection id={5} />, { may: ['acquirerOnboardings.decide', 'documents.keep'] })
  await screen.findByText('户名不一致')
  await person.click(screen.getByRole('button', { name: '变更结算账户' }))
  const dialog = await screen.findByRole('dialog', { name: '变更结算账户' })
  within(dialog).getByText('新账户的开户许可证')
  await person.type(within(dialog).getByLabelText(/支行联行号/), '12')
  await person.click(within(dialog).getByRole('button', { name: '提交变更' }))
  await within(dialog).findByText('请输入银行账号')
  within(dialog).getByText(REFUSALS.BRANCH_NUMBER_WRONG)
  within(dialog).getByText(REFUSALS.PAPER_REQUIRED)
  await person.click(within(dialog).getByText('对私', { exact: true }))
  within(dialog).getByText('新账户的银行卡')
  expect(within(dialog).queryByText(REFUSALS.PAPER_REQUIRED)).toBeNull()
  expect(sent).toEqual([])
})
