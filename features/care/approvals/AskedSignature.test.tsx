// A signature that is edited where it stands: asked for, shown beside the one that holds while it waits, refused by the one rule.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import AskedSignature from './AskedSignature.tsx'
import { approvals } from './contract.ts'

const SHOP = { id: 7, shopName: '南山面馆', status: 'normal' as const, signature: '南山面馆' }
const MAY = { may: ['approvals.request'] }

test('what waits stands beside what holds, and what is typed is asked for', async () => {
  let rows = [{ merchantId: 8, content: '别家', state: 'pending' as const }]
  answer(approvals.waitingSignatures, () => ({ rows }))
  const asked = answer(approvals.request, () => {
    rows = [...rows, { merchantId: 7, content: '南山老面馆', state: 'pending' }]
    return { id: 1 }
  })
  const person = show(<AskedSignature shop={SHOP} />, MAY)
  await person.click(await screen.findByRole('button', { name: '编辑短信签名 南山面馆' }))
  expect(screen.queryByText('待审批')).toBeNull()
  const box = screen.getByRole('textbox', { name: '短信签名 南山面馆' })
  await person.clear(box)
  await person.type(box, '南山面馆科技园旗舰分店一号{Enter}')
  await toasted('请输入短信签名，限12个字')
  await person.clear(box)
  await person.type(box, '南山老面馆{Enter}')
  await toasted('已提交审批，通过后生效')
  expect(asked[0]).toMatchObject({ merchantId: 7, kind: 'signature', content: '南山老面馆' })
  await screen.findByText('待审批')
  await screen.findByText('南山老面馆')
  screen.getByText('南山面馆')
})

test('at an SMS service it is said to be reviewed', async () => {
  answer(approvals.waitingSignatures, {
    rows: [{ merchantId: 7, content: '南山老面馆', state: 'reviewing' }],
  })
  show(<AskedSignature shop={SHOP} />, MAY)
  await screen.findByText('审核中')
})
