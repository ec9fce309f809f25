// What staff do with an application over its list, and what the agent sees of a rejection.
import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { documents } from '#features/care/documents/contract.ts'
import { regions } from '#features/office/regions/contract.ts'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import ApplicationDrawer from './ApplicationDrawer.tsx'
import type { ApplicationData } from './applicationsApi.tsx'
import { paymentApplications } from './contract.ts'
import SubmitForm from './SubmitForm.tsx'

const DATA: ApplicationData = {
  ...{ id: 5, revision: 2, state: 'pending', reviewState: null, merchantId: 7, shopName: '南山面馆' },
  ...{ account: '13800138000', agentId: 3, agentName: '深圳代理', payType: 'private' },
  ...{ phone: '13800138000', email: 'a@example.com', bankRegion: '440305', regionName: '广东省深圳市南山区' },
  ...{ bankName: '招商银行', bankCode: '', branchName: '科技园支行', branchNumber: '', papers: [] },
  ...{ reasons: {}, advice: [], reviewNote: '' },
  identity: {
    ...{ state: 'verified', company: '深圳市老张餐饮有限公司', creditCode: '9144030071526726XG' },
    ...{ legalPerson: '张三', personInCharge: '张三', idNumberMasked: '110105********002X' },
  },
  ...{ submittedByName: '王芳', submittedAt: '2026-03-04T02:00:00.000Z', handledByName: '' },
  ...{ handledAt: null, reviewedByName: '', reviewedAt: null, editRefusal: null, hours: 24 },
}

test('a rejection says of each field what is wrong, and is not sent without a word', async () => {
  answer(paymentApplications.details, DATA)
  const sent = answer(paymentApplications.reject, { id: 5, revision: 3, state: 'rejected' })
  const person = show(<ApplicationDrawer id={5} onClose={() => undefined} />, {
    may: ['paymentApplications.decide'],
  })
  await person.click(await screen.findByRole('button', { name: '驳回' }))
  const dialog = await screen.findByRole('dialog', { name: /南山面馆/ })
  await person.click(within(dialog).getByRole('button', { name: '驳回' }))
  await within(dialog).findByText('请输入至少一项驳回原因')
  expect(sent).toEqual([])
  expect(within(dialog).queryByRole('textbox', { name: '开户许可证' })).toBeNull()
  await person.type(within(dialog).getByRole('textbox', { name: '银行卡' }), '看不清楚')
  await person.click(within(dialog).getByRole('button', { name: '驳回' }))
  await toasted('已驳回')
  expect(sent[0]).toMatchObject({ id: 5, revision: 2, reasons: { bankCardId: '看不清楚' } })
})

test('the form says first what is wanting first, and shows what staff rejected', async () => {
  answer(paymentApplications.banks, { banks: null })
  answer(regions.changes, { source: '', changes: [] })
  const data = { ...DATA, state: 'rejected' as const, reasons: { email: '收不到邮件' }, email: '' }
  const person = show(<SubmitForm data={data} />, { may: ['paymentApplications.edit'] })
  const reasons = await screen.findByRole('region', { name: '驳回原因' })
  within(reasons).getByText(/收不到邮件/)
  await person.click(within(reasons).getByRole('button', { name: '去修改联系邮箱' }))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /联系邮箱/ }))
  await screen.findByRole('textbox', { name: /开户银行/ })
  await person.click(screen.getByRole('button', { name: '提交' }))
  await screen.findByText('请输入联系邮箱')
  screen.getByText('请上传银行卡')
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /联系邮箱/ }))
})

/** A picture is on its way until `arrive` is called. */
function uploadsOnTheirWay(): { arrive: (id: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>()
  class Way {
    upload = {}
    status = 200
    response: unknown = null
    onload = () => undefined
    open = () => undefined
    setRequestHeader = () => undefined
    abort = () => undefined
    send() {
      void promise.then(id => {
        this.response = { id }
        this.onload()
      })
    }
  }
  vi.stubGlobal('XMLHttpRequest', Way)
  return { arrive: resolve }
}

test('a draft is not said to be saved while a picture for it is on its way, and holds it then', async () => {
  answer(paymentApplications.banks, { banks: null })
  answer(regions.changes, { source: '', changes: [] })
  const saved = answer(paymentApplications.save, { id: 5, revision: 3, state: 'draft' })
  const kept = answer(documents.keep, { id: 31 })
  const way = uploadsOnTheirWay()
  try {
    const person = show(<SubmitForm data={{ ...DATA, state: 'draft' }} />, {
      may: ['paymentApplications.edit'],
    })
    const photo = new File([new Uint8Array(2_000)], 'card.jpg', { type: 'image/jpeg' })
    await person.upload(await screen.findByLabelText('银行卡', { selector: 'input' }), photo)
    await screen.findByText('上传中')
    await person.click(screen.getByRole('button', { name: '保存草稿' }))
    await toasted('图片上传中，请稍候')
    expect(saved).toEqual([])
    way.arrive('00000000-0000-4000-8000-000000000001')
    await screen.findByRole('button', { name: '移除图片' })
    expect(kept).toMatchObject([{ merchantId: 7, kind: 'bankCard' }])
    await person.click(screen.getByRole('button', { name: '保存草稿' }))
    await toasted('草稿已保存')
    expect(saved).toMatchObject([{ merchantId: 7, revision: 2, bankCardId: 31 }])
  } finally {
    vi.unstubAllGlobals()
  }
})
