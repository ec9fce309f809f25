// Where a mini program stands, as its agent sees it: its one next step, what it waits for, what was authorised and what the platform answered.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { programFlow } from './contract.ts'
import FlowDrawer from './FlowDrawer.tsx'
import type { FlowData } from './programFlowApi.tsx'
import { nextStepOf, scopesOf } from './rules.ts'

const DATA: FlowData = {
  ...{
    id: 5,
    revision: 3,
    merchantId: 7,
    shopName: '老张面馆',
    account: '13800000000',
    agentName: '示例代理',
  },
  ...{ kind: 'registration', programName: '老张面馆点餐', programType: 'scanOrder' },
  ...{ companyName: '老张餐饮', companyCode: '9144030071526726XG', legalPersonName: '张三' },
  ...{ legalPersonWechatMasked: 'zh****88', servicePhone: '0755-88886666' },
  ...{ state: 'faceCheck', next: nextStepOf('faceCheck', false), mayAuthorize: false, mayLook: true },
  ...{
    isAsking: false,
    message: '',
    appid: null,
    isAuthorized: false,
    authorizedAt: null,
    scopes: scopesOf([]),
  },
  ...{ basicInfo: null, basicInfoAt: null, remark: '', deletedAt: null },
  ...{ handedInAt: '2026-03-04T02:00:00.000Z', askedAt: null, answers: [] },
}
const open = () => show(<FlowDrawer id={5} onClose={() => undefined} />, { may: ['programFlow.edit'] })

test('what it waits for is said, and the platform is asked at once', async () => {
  answer(programFlow.details, DATA)
  const looked = answer(programFlow.look, { state: 'faceCheck' })
  const person = open()
  await screen.findByText(/请法人在24小时内打开微信消息，完成人脸核身/)
  await person.click(screen.getByRole('button', { name: '查看创建状态' }))
  await toasted('正在查询')
  expect(looked).toEqual([{ id: 5 }])
  expect(screen.queryByRole('button', { name: '重新授权' })).toBeNull()
})

test('a scope that is missing says what does not work, and what the platform said stands in the log', async () => {
  answer(programFlow.details, {
    ...DATA,
    ...{ state: 'authorized', next: nextStepOf('authorized', false), mayAuthorize: true, appid: 'wx1' },
    ...{ isAuthorized: true, authorizedAt: '2026-03-04T02:00:00.000Z', scopes: scopesOf([17, 30]) },
    answers: [
      {
        ...{ id: 1, at: '2026-03-04T02:00:00.000Z', title: '换取授权', code: '61009' },
        ...{ words: '授权码无效或已使用', advice: '请重新发起授权', isTrouble: true },
      },
    ],
  })
  open()
  await screen.findByText(/：不能设置代码、提交审核与发布/)
  screen.getByText(/授权码无效或已使用。请重新发起授权/)
  screen.getByRole('button', { name: '核实授权信息' })
  screen.getByRole('button', { name: '重新授权' })
})
