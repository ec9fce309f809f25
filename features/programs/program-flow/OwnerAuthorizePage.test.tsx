// What the owner of a shop sees on their phone: what is asked, what came of it, and an address that is past.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refusal } from '#test/components/answers.tsx'
import { show } from '#test/components/show.tsx'
import { programFlow } from './contract.ts'
import OwnerAuthorizePage from './OwnerAuthorizePage.tsx'
import type { OwnerPageData } from './programFlowApi.tsx'
import { lackingText, ownerStandingOf } from './rules.ts'

const GIVEN = `g5~zzzz~${'a'.repeat(43)}`
const RETURNED = `r5~zzzz~${'b'.repeat(43)}`
const FLOW = { authCode: null, nextAt: null, claim: '', isAuthorized: true, message: '', scopes: [17, 30] }
const PAGE: OwnerPageData = {
  ...{ shopName: '老张面馆', agentName: '示例代理', programName: '老张面馆点餐' },
  ...{ until: '2026-03-04T02:00:00.000Z', ...ownerStandingOf(null) },
}
const open = (at: string) => show(<OwnerAuthorizePage />, { at })

test('says whose it is and what to do, and asks nothing more', async () => {
  const asked = answer(programFlow.ownerPage, PAGE)
  open(`/m/${GIVEN}`)
  await screen.findByRole('heading', { name: '老张面馆' })
  screen.getByText(/请由小程序的管理员在手机微信中打开，点击授权并勾选全部权限/)
  screen.getByRole('button', { name: '去微信授权' })
  expect(asked).toEqual([{ code: GIVEN }])
})

test('what was brought back is sent once, and what came of it stands under an address of its own', async () => {
  const sent = answer(programFlow.ownerReturned, { code: RETURNED })
  answer(programFlow.ownerPage, { ...PAGE, ...ownerStandingOf(FLOW) })
  open(`/m/${GIVEN}?auth_code=queryauthcode&expires_in=3600`)
  await screen.findByText(/授权成功，您无需再操作/)
  expect(sent).toEqual([{ code: GIVEN, authCode: 'queryauthcode' }])
  expect(location.pathname + location.search).toBe(`/m/${RETURNED}`)
  expect(screen.queryByRole('button')).toBeNull()
})

test('what was left out is named, with the way to mend it', async () => {
  const message = lackingText([17, 30]) ?? ''
  answer(programFlow.ownerPage, { ...PAGE, ...ownerStandingOf({ ...FLOW, message }) })
  open(`/m/${RETURNED}`)
  await screen.findByText('授权时缺少「开发管理与数据分析」，请重新授权并勾选全部权限。')
  screen.getByRole('button', { name: '重新授权' })
})

test('an address that is past says what to do', async () => {
  answer(programFlow.ownerPage, () => {
    throw refusal(programFlow.ownerPage, 'LINK_USED')
  })
  open(`/m/${GIVEN}`)
  await screen.findByRole('heading', { name: '链接已失效' })
  screen.getByText('链接不正确，或已经使用过，请向服务商索取新的链接')
})

test.each(['', '?auth_code=queryauthcode'])('an address without its code (%s) asks nobody', async search => {
  const asked = answer(programFlow.ownerPage, PAGE)
  const sent = answer(programFlow.ownerReturned, { code: RETURNED })
  open(`/m/${search}`)
  await screen.findByRole('heading', { name: '链接已失效' })
  screen.getByText('链接不完整，请向服务商索取新的链接')
  expect([...asked, ...sent]).toEqual([])
})
