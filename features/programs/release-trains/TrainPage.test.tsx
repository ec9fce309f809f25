// One release as staff see it: its waves, what was refused alike and one correction for all of it, a wave that goes back; and what an agent sees of it.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { releaseTrains } from './contract.ts'
import type { TrainData } from './releaseTrainsApi.tsx'
import TrainNote from './TrainNote.tsx'
import TrainPage from './TrainPage.tsx'

const AT = '2026-03-04T02:00:00.000Z'
const DATA: TrainData = {
  ...{ id: 7, name: '点餐 2.1.0', version: '2.1.0', tag: 'order', templateId: 2, feedback: '' },
  ...{ state: 'halted', reason: '10 家已有结果，其中 3 家未通过（30%），超过 20%', wave: 1, waves: 2 },
  ...{ shops: 12, released: 7, refused: 3, waveSize: 10, haltPercent: 20, haltFrom: 10 },
  ...{ createdByName: '林晓', createdAt: AT, changedAt: AT },
  waveFigures: [
    { wave: 1, counts: { released: 7, refused: 3 } },
    { wave: 2, counts: { waiting: 2 } },
  ],
  groups: [
    {
      ...{ reasonKey: '缺少许可', reason: '首页缺少许可', shops: 3 },
      samples: [{ applicationId: 5, shopName: '老张面馆' }],
    },
  ],
  audits: { left: 40, limit: 500, readAt: AT },
}
const open = () =>
  show(<TrainPage />, {
    at: '/admin/schedule/releaseTrain?id=7',
    may: ['releaseTrains.list', 'releaseTrains.run'],
  })

test('what was refused alike is corrected once, and all of it handed in again', async () => {
  answer(releaseTrains.details, DATA)
  answer(releaseTrains.templates, {
    templates: [{ templateId: 2, version: '2.1.0', tag: 'order', createdAt: AT }],
  })
  const sent = answer(releaseTrains.correct, { id: 7, state: 'halted', shops: 3 })
  const person = open()
  await screen.findByText(/停止原因：10 家已有结果，其中 3 家未通过/)
  await person.click(screen.getByRole('button', { name: '修正并重新提交' }))
  const dialog = within(await screen.findByRole('dialog', { name: '修正并重新提交 3 家' }))
  await dialog.findByText('order 2.1.0（模板 2）')
  await person.type(dialog.getByRole('textbox', { name: /给审核人员的说明/ }), '已补充许可')
  await person.click(dialog.getByRole('button', { name: '重新提交' }))
  await toasted('已加入，继续发布后重新提交')
  expect(sent).toEqual([
    { id: 7, reasonKey: '缺少许可', templateId: 2, version: '2.1.0', feedback: '已补充许可' },
  ])
})

test('a wave goes back once that was agreed to; one without a release cannot', async () => {
  answer(releaseTrains.details, DATA)
  const sent = answer(releaseTrains.rollBackWave, { id: 7, state: 'halted', shops: 7 })
  const person = open()
  const [back, ...others] = await screen.findAllByRole('button', { name: '回退本批' })
  expect(others).toEqual([])
  await person.click(back as HTMLElement)
  const asked = within(await screen.findByRole('alertdialog'))
  asked.getByText(/回退第 1 批的 7 家/)
  await person.click(asked.getByRole('button', { name: '回退本批' }))
  await toasted('正在回退')
  expect(sent).toEqual([{ id: 7, wave: 1 }])
})

test('who may only look presses nothing', async () => {
  answer(releaseTrains.details, DATA)
  show(<TrainPage />, { at: '/admin/schedule/releaseTrain?id=7', may: ['releaseTrains.list'] })
  await screen.findByRole('heading', { name: '点餐 2.1.0' })
  for (const name of ['继续发布', '终止', '回退本批', '修正并重新提交'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('an agent is told that its mini program goes along, and not led to what is the vendor’s', async () => {
  answer(releaseTrains.ofProgram, {
    train: { trainId: 7, version: '2.1.0', wave: 1, state: 'inAudit', reason: '', changedAt: AT },
  })
  show(<TrainNote id={5} />, { may: ['programFlow.list'] })
  await screen.findByText(/平台正在分批发布 2.1.0（第 1 批）/)
  expect(screen.queryByRole('link', { name: '查看任务' })).toBeNull()
})

test('an address that names none leads back to the list', async () => {
  show(<TrainPage />, { at: '/admin/schedule/releaseTrain', may: ['releaseTrains.list'] })
  const back = await screen.findByRole('link', { name: '返回小程序分批发布' })
  expect(back.getAttribute('href')).toBe('/admin/schedule/releaseTrains')
})
