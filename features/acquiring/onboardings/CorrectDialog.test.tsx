// One line of business for all shops that were refused for it.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ApplicationData } from '#features/acquiring/payment-applications/applicationsApi.tsx'
import { paymentApplications } from '#features/acquiring/payment-applications/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import CorrectDialog from './CorrectDialog.tsx'
import { onboardings } from './contract.ts'
import type { OnboardingData } from './onboardingsApi.tsx'

const category = {
  qualificationType: '餐饮',
  rateBasisPoints: 60,
  settledAfterDays: 1,
  papers: '',
  arePapersRequired: false,
}
const DATA = {
  ...{ merchantId: 7, people: [] },
  ...{ revision: 3, step: 'mending', serviceState: 'rejected', subjectKind: 'individual' },
  ...{ licenceAddress: '某路 1 号', licenceFrom: '', licenceTo: '', isLicenceLongTerm: true, idFrom: '' },
  ...{
    idTo: '',
    isIdLongTerm: true,
    idAddress: '',
    isOwner: true,
    shortName: '面馆',
    servicePhone: '13800138000',
  },
  ...{
    category: '718 旧',
    accountNumberMasked: '6214****0000',
    categoriesFrom: '',
    lacking: [],
    refusals: [],
  },
  categories: [
    { ...category, key: '719 餐饮', subjectKind: 'individual' },
    { ...category, key: '716 餐饮', subjectKind: 'enterprise' },
  ],
  ...{ businessCode: 'A1', message: '', signUrl: '', daysLeft: null, subMerchantId: '', paidOtherwise: null },
  ...{ submittedByName: '', submittedAt: null, askedAt: null, isAsking: false },
  ...{ completeRefusal: null, submitRefusal: null },
} as const satisfies OnboardingData
const APPLICATION: ApplicationData = {
  ...{ id: 5, revision: 8, state: 'rejected', reviewState: 'rejected', merchantId: 7, shopName: '南山面馆' },
  ...{ account: '13800138000', agentId: 3, agentName: '深圳代理', payType: 'private', phone: '', email: '' },
  ...{ bankRegion: '', regionName: '', bankName: '', bankCode: '', branchName: '', branchNumber: '' },
  ...{ papers: [], reasons: {}, advice: [], reviewNote: '', submittedByName: '', submittedAt: null },
  identity: {
    ...{ state: 'verified', company: '', creditCode: '', legalPerson: '', personInCharge: '' },
    idNumberMasked: '',
  },
  ...{
    handledByName: '',
    handledAt: null,
    reviewedByName: '',
    reviewedAt: null,
    editRefusal: null,
    hours: 24,
  },
}
const SHOPS = [
  { applicationId: 5, shopName: '南山面馆' },
  { applicationId: 6, shopName: '福田面馆' },
]

test('each shop is completed with it, goes on and is handed in; one of another subject is named and left', async () => {
  answer(onboardings.ofApplication, ({ id }: { id: number }) =>
    id === 5 ? DATA : { ...DATA, subjectKind: 'enterprise' as const },
  )
  answer(paymentApplications.details, APPLICATION)
  const completed = answer(onboardings.complete, { revision: 4 })
  const reviewed = answer(paymentApplications.review, { id: 5, revision: 9, state: 'approved' })
  const submitted = answer(onboardings.submit, { revision: 5 })
  const person = show(<CorrectDialog shops={SHOPS} onClose={() => undefined} />, {})
  const dialog = await screen.findByRole('dialog', { name: /更正 2 家/ })
  await person.click(await within(dialog).findByRole('combobox', { name: /所属行业/ }))
  await person.click(await screen.findByTitle(/^个体工商户：餐饮/))
  await person.click(within(dialog).getByRole('button', { name: '更正并重新提交' }))
  await toasted('已更正 1 家，正在送达支付服务')
  expect(completed).toMatchObject([{ id: 5, revision: 3, category: '719 餐饮', shortName: '面馆' }])
  expect(reviewed).toMatchObject([{ id: 5, revision: 8, reviewState: 'waiting' }])
  expect(submitted).toMatchObject([{ id: 5, revision: 4 }])
  within(within(dialog).getByRole('list', { name: '没有更正的店铺' })).getByText(/福田面馆：主体类型是企业/)
})
