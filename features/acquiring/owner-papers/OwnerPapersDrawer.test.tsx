// The desk's side of a shop's owner: where the link stands, and what is said where it would lead nowhere.
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Out } from '#kit/declare/op.ts'
import { answer } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { ownerPapers } from './contract.ts'
import OwnerPapersDrawer from './OwnerPapersDrawer.tsx'
import { OWNER_PAPERS_REFUSALS } from './rules.ts'

type Data = Out<typeof ownerPapers.ofShop>

const STANDING: NonNullable<Data['standing']> = {
  ...{ id: 4, state: 'returned', revision: 2, merchantId: 9, shopName: '老张面馆', createdByName: '王小明' },
  ...{
    createdAt: '2026-03-04T02:00:00.000Z',
    expiresAt: '2036-03-11T02:00:00.000Z',
    endedByName: '',
    endedAt: null,
  },
  given: {
    ...{
      payType: 'private',
      company: '老张面馆',
      creditCode: '',
      legalPerson: '张三',
      personInCharge: '李四',
      email: '',
    },
    ...{ bankName: '', branchName: '', phone: '', idNumberMasked: '', accountNumberMasked: '' },
  },
  ...{ papers: [], reasons: { company: '看不清楚' }, signedText: '', signedHash: '', outcome: '' },
  ...{
    submittedAt: '2026-03-04T03:00:00.000Z',
    seenByName: '',
    seenAt: null,
    handledByName: '',
    handledAt: null,
  },
}
const DATA: Data = {
  ...{
    standing: STANDING,
    history: [],
    messagePhone: '138****8000',
    messageRefusal: null,
    linkRefusal: null,
  },
}
const MAY = { may: ['ownerPapers.view', 'ownerPapers.invite', 'ownerPapers.decide'] }

const isBefore = (one: HTMLElement, other: HTMLElement) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

test('papers that were sent back stand below the link, which stays shown once it is made', async () => {
  answer(ownerPapers.ofShop, DATA)
  answer(ownerPapers.makeLink, {
    ...{
      id: 5,
      code: 'c'.repeat(32),
      url: 'https://office.example.com/o/c',
      expiresAt: '2036-03-11T02:00:00.000Z',
    },
  })
  const person = show(<OwnerPapersDrawer merchantId={9} onClose={vi.fn()} />, MAY)
  const link = await screen.findByRole('region', { name: '邀请店主' })
  expect(isBefore(link, screen.getByText('李四'))).toBe(true)
  await person.click(screen.getByRole('button', { name: '更换链接' }))
  answer(ownerPapers.ofShop, { ...DATA, standing: null })
  await person.click(await screen.findByRole('button', { name: '更换' }))
  await screen.findByText('https://office.example.com/o/c')
})

test('papers that wait to be decided come before the link', async () => {
  answer(ownerPapers.ofShop, {
    ...DATA,
    standing: { ...STANDING, state: 'submitted', seenAt: STANDING.createdAt },
  })
  show(<OwnerPapersDrawer merchantId={9} onClose={vi.fn()} />, MAY)
  const link = await screen.findByRole('region', { name: '邀请店主' })
  expect(isBefore(screen.getByText('李四'), link)).toBe(true)
})

test('without a service for SMS it is said where the link is made that nobody can sign, and what to do', async () => {
  answer(ownerPapers.ofShop, { ...DATA, standing: null, messageRefusal: OWNER_PAPERS_REFUSALS.SMS_NONE })
  show(<OwnerPapersDrawer merchantId={9} onClose={vi.fn()} />, MAY)
  await screen.findByText(/收不到验证码，不能填写和签名。请联系运营商开通短信服务/)
})
