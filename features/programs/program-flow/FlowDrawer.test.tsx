// Where a mini program stands, as its agent sees it: its one next step, what it waits for, what was authorised and what the platform answered.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '#test/components/answers.tsx'
import { show, toasted } from '#test/components/show.tsx'
import { programFlow } from './contract.ts'
import FlowDrawer from './FlowDrawer.tsx'
import type { FlowData } from './programFlowApi.tsx'
import {
  FLOW_STATE_KEYS,
  FLOW_STATES,
  type FlowState,
  launchStepsOf,
  mayAuthorize,
  mayLook,
  nextStepOf,
  scopesOf,
} from './rules.ts'

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
  ...{ launchSteps: [], basicInfo: null, basicInfoAt: null, remark: '', deletedAt: null },
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

/** The filled button, then the others that do something about the platform. */
const BUTTONS: Record<FlowState, string[]> = {
  review: [],
  toCreate: ['立即创建'],
  creating: ['查看创建状态'],
  faceCheck: ['查看创建状态'],
  creationRefused: ['重新创建'],
  toAuthorize: ['去授权', '发给客户授权'],
  toTakeOver: ['去授权', '发给客户授权'],
  authorized: ['核实授权信息', '重新读取', '重新授权', '发给客户授权'],
  profile: ['核实资料', '重新读取', '重新授权', '发给客户授权'],
  code: ['重新读取', '重新授权', '发给客户授权'],
  inAudit: ['重新读取', '重新授权', '发给客户授权'],
  released: ['重新读取', '重新授权', '发给客户授权'],
}
const NAMES = [...new Set(Object.values(BUTTONS).flat())]

test.each(FLOW_STATE_KEYS)(
  '%s says what it waits for and offers what can be done, and nothing else',
  async state => {
    const isAuthorized = ['authorized', 'profile', 'code', 'inAudit', 'released'].includes(state)
    const next = nextStepOf(state, false)
    answer(programFlow.details, {
      ...DATA,
      ...{
        state,
        next,
        isAuthorized,
        mayAuthorize: mayAuthorize(state),
        mayLook: mayLook(state, isAuthorized),
      },
    })
    open()
    const told = await screen.findByRole('region', { name: '下一步' })
    expect(told.textContent).toContain(FLOW_STATES[state])
    expect(told.textContent).toContain(next.waits)
    const shown = screen.getAllByRole('button').map(({ textContent }) => textContent ?? '')
    expect(shown.filter(name => NAMES.includes(name))).toEqual(BUTTONS[state])
  },
)

test('one that was deleted offers nothing', async () => {
  answer(programFlow.details, { ...DATA, deletedAt: '2026-03-04T02:00:00.000Z' })
  open()
  await screen.findByRole('region', { name: '下一步' })
  expect(screen.queryByRole('button', { name: '查看创建状态' })).toBeNull()
})

test('an owner is given an address and a code of it', async () => {
  answer(programFlow.details, {
    ...DATA,
    ...{ state: 'toAuthorize', next: nextStepOf('toAuthorize', false), mayAuthorize: true },
  })
  const url = 'https://office.example.com/m/g5'
  const made = answer(programFlow.ownerLink, { url, until: '2026-03-07T02:00:00.000Z' })
  const person = open()
  await person.click(await screen.findByRole('button', { name: '发给客户授权' }))
  await screen.findByText(url)
  screen.getByText(/前有效，只能使用一次/)
  expect(made).toEqual([{ id: 5 }])
})

test('what a new account needs before its release says where and whose turn it is', async () => {
  const launchSteps = launchStepsOf({ isVerified: false, realName: 'confirmed' }, 'profile')
  answer(programFlow.details, { ...DATA, launchSteps })
  open()
  const region = await screen.findByRole('region', { name: '发布前须完成' })
  expect(region.textContent).toMatch(/待办理微信认证：请客户的管理员在微信公众平台.*（客户）/)
  expect(region.textContent).toMatch(/待核对ICP备案：/)
})
