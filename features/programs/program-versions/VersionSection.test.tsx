// The versions of a mini program as its agent sees them: what stands, what can be done, what an audit would be refused for and what it was.
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { programVersions } from './contract.ts'
import type { BoardData } from './programVersionsApi.tsx'
import VersionSection from './VersionSection.tsx'

const NOTHING = {
  ...{ setCode: false, submit: false, withdraw: false, speedUp: false, release: false, rollBack: false },
}
const AT = '2026-03-04T02:00:00.000Z'
const GREEN = { key: 'name', isGreen: true, words: '老张面馆', mend: null } as const
const DATA: BoardData = {
  ...{ id: 5, state: 'code', isAuthorized: true, hasBoard: true, deed: null, message: '' },
  ...{ version: '2.1.0', committedAt: AT, readAt: AT, live: null },
  trial: { version: '2.1.0', description: 'order', at: AT },
  checks: [GREEN],
  quota: { left: 3, limit: 20, speedUpsLeft: 1, speedUpLimit: 2 },
  withdrawals: { today: 4, thisMonth: 6 },
  ...{ releases: [], audits: [], may: { ...NOTHING, setCode: true, submit: true } },
}
const AUDIT: BoardData['audits'][number] = {
  ...{ auditId: 10_001, version: '2.1.0', state: 'reviewing', isCurrent: true, isSpedUp: false },
  ...{ reason: '', hasScreenshots: false, submittedByName: '周海燕', submittedAt: AT },
  ...{ endedAt: null, releasedAt: null },
}
const open = () => show(<VersionSection id={5} />, { may: ['programFlow.edit'] })

test('what is red is not handed in, and its button mends it', async () => {
  answer(programVersions.details, {
    ...DATA,
    checks: [GREEN, { key: 'domains', isGreen: false, words: '缺少域名', mend: 'domains' }],
  })
  answer(programVersions.look, { deed: 'read' })
  const mended = answer(programVersions.setDomains, { deed: 'domains' })
  const person = open()
  await person.click(await screen.findByRole('button', { name: '自检并提交审核' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('服务器域名：缺少域名')
  expect(dialog.queryByRole('button', { name: '提交审核' })).toBeNull()
  await person.click(dialog.getByRole('button', { name: '设置域名' }))
  expect(mended).toEqual([{ id: 5 }])
})

test('all green, it is handed in with words for the reviewers', async () => {
  answer(programVersions.details, DATA)
  answer(programVersions.look, { deed: 'read' })
  const sent = answer(programVersions.submit, { deed: 'submit' })
  const person = open()
  await person.click(await screen.findByRole('button', { name: '自检并提交审核' }))
  await person.type(await screen.findByRole('textbox', { name: /给审核人员的说明/ }), '已补充')
  await person.click(screen.getByRole('button', { name: '提交审核' }))
  await toasted('正在提交审核')
  expect(sent).toEqual([{ id: 5, feedback: '已补充' }])
})

test('a withdrawal says what it costs before it is made', async () => {
  answer(programVersions.details, {
    ...DATA,
    ...{ state: 'inAudit', audits: [AUDIT], may: { ...NOTHING, withdraw: true, speedUp: true } },
  })
  const sent = answer(programVersions.withdraw, { deed: 'withdraw' })
  const person = open()
  await person.click(await screen.findByRole('button', { name: '撤回审核' }))
  await screen.findByText(/今天已撤回 4 次（每天最多 5 次），本月 6 次（最多 10 次）/)
  await person.click(screen.getByRole('button', { name: '撤回' }))
  await toasted('正在撤回')
  expect(sent).toEqual([{ id: 5, auditId: 10_001 }])
  expect(screen.queryByRole('button', { name: '发布' })).toBeNull()
})

test('a refusal shows what the reviewer saw', async () => {
  answer(programVersions.details, {
    ...DATA,
    audits: [{ ...AUDIT, state: 'refused', reason: '首页缺少经营许可信息', hasScreenshots: true }],
  })
  answer(programVersions.screenshots, { pictures: ['iVBORw0KGgo='] })
  const person = open()
  await screen.findByText(/首页缺少经营许可信息/)
  await person.click(screen.getByRole('button', { name: '查看截图' }))
  expect((await screen.findByRole('img', { name: '审核截图 1' })).getAttribute('src')).toBe(
    'data:image/png;base64,iVBORw0KGgo=',
  )
})

test('a release and a way back from it say what customers will see', async () => {
  answer(programVersions.details, {
    ...DATA,
    ...{ state: 'inAudit', live: { version: '2.0.0', description: 'order', at: AT } },
    audits: [{ ...AUDIT, state: 'passed' }],
    releases: [{ appVersion: 7, version: '1.9.0', description: 'order', committedAt: AT }],
    may: { ...NOTHING, release: true, rollBack: true },
  })
  const back = answer(programVersions.rollBack, { deed: 'rollBack' })
  const person = open()
  await person.click(await screen.findByRole('button', { name: '发布' }))
  await screen.findByText(/顾客打开小程序将使用 2.1.0，当前线上版 2.0.0 被替换/)
  await person.click(screen.getByRole('button', { name: '取消' }))
  await person.click(screen.getByRole('button', { name: '回退版本' }))
  await screen.findByText(/要恢复 2.0.0 须重新提交审核并发布/)
  await person.click(screen.getByRole('button', { name: '回退到 1.9.0' }))
  await toasted('正在回退')
  expect(back).toEqual([{ id: 5, appVersion: 7 }])
})

test('testers are listed, one is added and one is taken off', async () => {
  answer(programVersions.details, DATA)
  const known = { userString: 's1', wechatMasked: 'zh****88', addedByName: '周海燕', addedAt: AT }
  const other = { userString: 's2', wechatMasked: null, addedByName: null, addedAt: null }
  answer(programVersions.testers, { testers: [known, other] })
  const added = answer(programVersions.addTester, { userString: 's3' })
  const removed = answer(programVersions.removeTester, { userString: 's1' })
  const person = open()
  await person.click(await screen.findByRole('button', { name: '体验者' }))
  const list = within(await screen.findByRole('list', { name: '体验者名单' }))
  list.getByText('由其他方式添加')
  await person.click(screen.getByRole('button', { name: '添加体验者' }))
  await screen.findByText('请输入体验者的微信号')
  await person.type(screen.getByRole('textbox', { name: /体验者微信号/ }), '张三')
  await person.click(screen.getByRole('button', { name: '添加体验者' }))
  await screen.findByText('微信号不正确，请输入微信号或绑定的手机号，不是昵称')
  await person.clear(screen.getByRole('textbox', { name: /体验者微信号/ }))
  await person.type(screen.getByRole('textbox', { name: /体验者微信号/ }), 'lisi88')
  await person.click(screen.getByRole('button', { name: '添加体验者' }))
  await toasted('体验者添加成功')
  expect(added).toEqual([{ id: 5, wechat: 'lisi88' }])
  await person.click(list.getAllByRole('button', { name: '移除' })[0] as HTMLElement)
  await screen.findByText(/移除后不能再打开体验版/)
  await person.click(screen.getAllByRole('button', { name: '移除' }).at(-1) as HTMLElement)
  await toasted('体验者已移除')
  expect(removed).toEqual([{ id: 5, userString: 's1' }])
})
