// What is said once it was sent back: whether the owner was told, and what he can do where nobody can tell him.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { ownerPapers } from './contract.ts'
import type { OwnerPapersData } from './ownerPapersApi.tsx'
import SendBackDialog from './SendBackDialog.tsx'

const DATA: OwnerPapersData = {
  ...{ id: 5, revision: 2, merchantId: 7, shopName: '老张面馆', state: 'submitted', reasons: {} },
  ...{
    createdByName: '王小明',
    createdAt: '2026-03-04T02:00:00.000Z',
    expiresAt: '2026-03-11T02:00:00.000Z',
  },
  ...{ endedByName: '', endedAt: null, papers: [], signedText: '', signedHash: '', outcome: '' },
  ...{
    submittedAt: '2026-03-04T03:00:00.000Z',
    seenByName: '',
    seenAt: null,
    handledByName: '',
    handledAt: null,
  },
  given: {
    ...{ payType: 'corporate', company: '', creditCode: '', legalPerson: '', personInCharge: '', email: '' },
    ...{ bankName: '', branchName: '', phone: '', idNumberMasked: '', accountNumberMasked: '' },
  },
}

test.each([
  [true, '已退回，已短信通知店主'],
  [false, '已退回。未开通短信服务，店主收不到通知和验证码，开通后才能重新签名提交'],
])('told %s: %s', async (isTold, words) => {
  const sent = answer(ownerPapers.sendBack, { id: 5, state: 'returned', isTold })
  const user = show(<SendBackDialog data={DATA} onClose={() => undefined} />)
  await user.type(await screen.findByLabelText(/联系邮箱|邮箱/), '邮箱打不开')
  await user.click(screen.getByRole('button', { name: '退回' }))
  await toasted(words)
  expect(sent.at(-1)).toMatchObject({ id: 5, revision: 2, reasons: { email: '邮箱打不开' } })
})
