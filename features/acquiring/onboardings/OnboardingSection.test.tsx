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
  ...{ merchantId: 7, people: [] },
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
    refusals: [{ field: 'shortName', message: '须体现实际经营内容', role: null, personId: null }],
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

const OPEN: OnboardingData = {
  ...DATA,
  ...{ step: 'mending', serviceState: 'rejected', signUrl: '', daysLeft: null, completeRefusal: null },
  ...{ message: '', submitRefusal: REFUSALS.NOT_APPROVED, subjectKind: 'enterprise', isOwner: false },
}
const DEPUTY: OnboardingData['people'][number] = {
  ...{ id: 11, role: 'deputy', idKind: 'idCard', name: '李四', idNumberMasked: '110105********0016' },
  ...{ idFrom: '2020-01-01', idTo: '', isIdLongTerm: true, address: '' },
  ...{ frontId: 21, backId: 22, authorizationId: 23 },
}
const OWNER: OnboardingData['people'][number] = {
  ...DEPUTY,
  ...{ id: 12, role: 'owner', name: '王五', idNumberMasked: '110105********0024', address: '朝阳路1号' },
  authorizationId: null,
}
const MAY = { may: ['paymentApplications.edit'] }

test('a refusal of a person leads to the form of that person, whose number is kept unless another is typed', async () => {
  answer(onboardings.ofApplication, {
    ...{ ...OPEN, people: [DEPUTY, OWNER] },
    refusals: [
      { field: 'authorizationId', message: '未盖公章', role: 'deputy', personId: 11 },
      { field: 'address', message: '与证件不一致', role: 'owner', personId: 12 },
      { field: 'name', message: '有误', role: 'owner', personId: null },
    ],
  })
  const sent = answer(onboardings.savePerson, { revision: 4, personId: 12 })
  const person = show(<OnboardingSection id={5} />, MAY)
  await screen.findByText('经办人李四的业务办理授权函：未盖公章')
  screen.getByText('受益所有人，支付服务没有说明是哪一位，的姓名：有误')
  expect(screen.getAllByRole('button', { name: /^去修改/ })).toHaveLength(2)
  await person.click(screen.getByRole('button', { name: '去修改受益所有人王五的证件住址' }))
  const dialog = await screen.findByRole('dialog', { name: '修改受益所有人' })
  expect(within(dialog).queryByText(/未盖公章/)).toBeNull()
  await person.click(within(dialog).getByRole('button', { name: '去修改受益所有人王五的证件住址' }))
  const field = within(dialog).getByRole('textbox', { name: /证件住址/ })
  expect(document.activeElement).toBe(field)
  within(dialog).getByText('支付服务驳回：与证件不一致')
  await person.clear(field)
  await person.type(field, '朝阳路2号')
  await person.click(within(dialog).getByRole('button', { name: '保存' }))
  await toasted('已保存')
  expect(sent[0]).toMatchObject({
    ...{ id: 5, revision: 3, personId: 12, role: 'owner', idNumber: null, address: '朝阳路2号' },
    ...{ frontId: 21, backId: 22, authorizationId: null },
  })
})

test('of somebody new everything that the paper says is asked for, each at its field', async () => {
  answer(onboardings.ofApplication, OPEN)
  const sent = answer(onboardings.savePerson, { revision: 4, personId: 13 })
  const person = show(<OnboardingSection id={5} />, MAY)
  await person.click(await screen.findByRole('button', { name: '添加受益所有人' }))
  const dialog = await screen.findByRole('dialog', { name: '添加受益所有人' })
  await person.type(within(dialog).getByRole('textbox', { name: /证件号码/ }), '110105194912310021')
  await person.click(within(dialog).getByRole('button', { name: '保存' }))
  for (const words of [
    REFUSALS.PERSON_FRONT_MISSING,
    REFUSALS.PERSON_BACK_MISSING,
    REFUSALS.PERSON_NUMBER_WRONG,
    REFUSALS.PERSON_TERM_MISSING,
    REFUSALS.PERSON_ADDRESS_MISSING,
    '请输入姓名',
    '请选择证件有效期起',
  ])
    within(dialog).getByText(words)
  expect(sent).toEqual([])
})

test('a deputy is removed once that is confirmed, and nobody beside four owners is added', async () => {
  const four = [12, 13, 14, 15].map(id => ({ ...OWNER, id, name: `王五${id}` }))
  answer(onboardings.ofApplication, { ...OPEN, people: [DEPUTY, ...four] })
  const removed = answer(onboardings.removePerson, { revision: 4 })
  const person = show(<OnboardingSection id={5} />, MAY)
  const add = await screen.findByRole('button', { name: '添加受益所有人' })
  expect(add.getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('button', { name: '改由经办人办理' })).toBeNull()
  await person.click(screen.getByRole('button', { name: '移除李四' }))
  const question = await screen.findByRole('alertdialog', { name: '移除经办人李四？' })
  await person.click(within(question).getByRole('button', { name: '移除' }))
  await toasted('已移除')
  expect(removed).toEqual([{ id: 5, revision: 3, personId: 11 }])
})

test('while the service has it nobody is changed, and the deputy is who signs', async () => {
  answer(onboardings.ofApplication, { ...DATA, people: [DEPUTY] })
  show(<OnboardingSection id={5} />, MAY)
  await screen.findByText(/请经办人李四用微信扫码，核对资料并签约，还有 12 天/)
  screen.getByText(/李四 110105\*{8}0016/)
  expect(screen.queryByRole('button', { name: /李四/ })).toBeNull()
})
