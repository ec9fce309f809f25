// Where an application stands at the payment service, as its agent and staff see it.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refusal } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import CompleteDialog from './CompleteDialog.tsx'
import { onboardings } from './contract.ts'
import OnboardingSection from './OnboardingSection.tsx'
import type { OnboardingData } from './onboardingsApi.tsx'
import { REFUSALS } from './rules.ts'

const DATA: OnboardingData = {
  ...{ revision: 3, step: 'asked', serviceState: 'toBeSigned', subjectKind: 'individual' },
  ...{ licenceAddress: '科技路1号', licenceFrom: '2018-05-01', licenceTo: '', isLicenceLongTerm: true },
  ...{ idFrom: '2020-01-01', idTo: '', isIdLongTerm: true, idAddress: '', isOwner: true },
  ...{ shortName: '驳回小吃', servicePhone: '0755-88886666', category: '719 餐饮' },
  ...{
    accountNumberMasked: '***********8901',
    categoriesFrom: '示例，2026-01-01',
    lacking: [],
    refusals: [],
  },
  categories: [
    {
      ...{ key: '719 餐饮', subjectKind: 'individual', qualificationType: '餐饮', rateBasisPoints: 60 },
      ...{ settledAfterDays: 1, papers: '', arePapersRequired: false },
    },
  ],
  ...{ businessCode: 'PO_5_1', message: '请签约', signUrl: 'https://pay.example.com/sign', daysLeft: 12 },
  ...{ subMerchantId: '', paidOtherwise: null, submittedByName: '王芳' },
  ...{ submittedAt: '2026-03-04T02:00:00.000Z', askedAt: '2026-03-04T03:00:00.000Z' },
  isAsking: false,
  ...{ completeRefusal: REFUSALS.UNDER_WAY, submitRefusal: REFUSALS.ALREADY_UNDER_WAY },
}

test('the code that the shop scans stands with what it has to do and the days that are left, and is asked about at once', async () => {
  answer(onboardings.ofApplication, DATA)
  const asked = answer(onboardings.ask, { id: 5 })
  const person = show(<OnboardingSection id={5} />, { may: ['paymentApplications.edit'] })
  await screen.findByRole('img', { name: '签约二维码' })
  screen.getByText(/核对资料并签约，还有 12 天/)
  screen.getByText('请签约')
  expect(screen.queryByRole('button', { name: /提交支付服务/ })).toBeNull()
  await person.click(screen.getByRole('button', { name: '查询状态' }))
  await toasted('正在查询')
  expect(asked).toEqual([{ id: 5 }])
})

test('whoever asks too often is told when', async () => {
  answer(onboardings.ofApplication, DATA)
  answer(onboardings.ask, () => {
    throw refusal(onboardings.ask, 'ASKED_JUST_NOW')
  })
  const person = show(<OnboardingSection id={5} />, { may: ['paymentApplications.edit'] })
  await person.click(await screen.findByRole('button', { name: '查询状态' }))
  await toasted(REFUSALS.ASKED_JUST_NOW)
})

test('a refused field is told where it is mended, and leads there', async () => {
  const refused: OnboardingData = {
    ...DATA,
    ...{ step: 'mending', serviceState: 'rejected', signUrl: '', daysLeft: null, completeRefusal: null },
    ...{ message: '', submitRefusal: REFUSALS.NOT_APPROVED },
    refusals: [{ field: 'shortName', message: '须体现实际经营内容' }],
  }
  answer(onboardings.ofApplication, refused)
  const sent = answer(onboardings.complete, { revision: 4 })
  const person = show(
    <>
      <OnboardingSection id={5} />
      <CompleteDialog id={5} data={refused} onClose={() => undefined} />
    </>,
    { may: ['paymentApplications.edit'] },
  )
  await screen.findByText('补全资料')
  // Where it stands, and over the form.
  expect(screen.getAllByText('商户简称：须体现实际经营内容')).toHaveLength(2)
  const dialog = await screen.findByRole('dialog', { name: '补全支付资料' })
  await person.click(within(dialog).getByRole('button', { name: '去修改商户简称' }))
  const field = within(dialog).getByRole('textbox', { name: /商户简称/ })
  expect(document.activeElement).toBe(field)
  expect(field.getAttribute('aria-describedby')).not.toBeNull()
  within(dialog).getByText('支付服务驳回：须体现实际经营内容')
  await person.clear(field)
  await person.type(field, '老张面馆')
  await person.click(within(dialog).getByRole('button', { name: '保存' }))
  await toasted('已保存')
  expect(sent[0]).toMatchObject({ id: 5, revision: 3, shortName: '老张面馆', accountNumber: null })
})
