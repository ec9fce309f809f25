// Demo rows of flows: mini programs on their way, one in each state from the face check to what they show of themselves.
import { demoPapers } from '#features/care/documents/demo.ts'
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import type { ProgramType } from '#features/programs/program-applications/rules.ts'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { ago, type Demo, later } from '#server/demo.ts'
import { type FlowState, lackingText, numbersOf, SCOPES } from './rules.ts'
import { programFlowAnswers, programFlows } from './tables.ts'

type Told = { title: string; code?: string; words: string; advice?: string }
type Made = {
  name: string
  programType: ProgramType
  state: FlowState
  days: number
  message?: string
  remark?: string
  scopes?: readonly number[]
  told: readonly Told[]
}
const ALL = SCOPES.map(({ id }) => id)
/** What an owner left out: without it no code is set. */
const SOME = ALL.filter(id => id !== 18)
const ACCEPTED = { title: '快速注册小程序', words: '已受理，等待法人人脸核身' }
const CREATED = { title: '微信通知：注册结果', words: '小程序已创建' }
const TRADED = { title: '换取授权', words: '已授权' }
const NO_FACE = {
  words: '法人24小时内未确认，未完成人脸识别',
  advice: '请重新提交注册，并请法人在24小时内完成人脸识别',
}

const MADE: readonly Made[] = [
  {
    ...{ name: '巷口麻辣烫点餐', programType: 'scanOrder', state: 'faceCheck', days: 0.2 },
    ...{ told: [ACCEPTED], remark: '法人下午回店里办理' },
  },
  {
    ...{ name: '小城故事预约', programType: 'booking', state: 'creationRefused', days: 1.5 },
    message: `${NO_FACE.words}。${NO_FACE.advice}`,
    told: [ACCEPTED, { title: '微信通知：注册结果', code: '100002', ...NO_FACE }],
  },
  {
    ...{ name: '鲜茶一号积分', programType: 'points', state: 'toAuthorize', days: 2 },
    told: [ACCEPTED, CREATED],
  },
  {
    ...{ name: '海风烘焙商城', programType: 'shop', state: 'authorized', days: 3 },
    ...{ scopes: SOME, message: lackingText(SOME) ?? '', told: [ACCEPTED, CREATED, TRADED] },
  },
  {
    ...{ name: '城南棋牌室', programType: 'boardGames', state: 'profile', days: 4 },
    ...{ scopes: ALL, told: [ACCEPTED, CREATED, TRADED] },
  },
]
/** Behind those that applications and versions take. */
const FROM_SHOP = 44

export function demo(demo: Demo): void {
  const by = demoOwner(demo, DEMO_AGENTS.first)
  demo.history.at(demo.now, () => {
    const shops = demoShops(demo)
      .filter(shop => shop.agentId === DEMO_AGENTS.first && isInUse(shop, demo.now.toISOString()))
      .filter(shop => !demoPapers(demo).has(shop))
      .slice(FROM_SHOP)
    for (const [place, made] of MADE.entries()) {
      const shop = shops[place]
      if (!shop) continue
      const { state, name, programType, scopes = [] } = made
      const at = ago(demo, made.days)
      const began = ago(demo, made.days + 3)
      const of = { agentId: shop.agentId, merchantId: shop.id as number }
      const application = demo.history.add(programApplications, {
        ...{ ...of, kind: 'registration', state: 'approved', programType, programName: name },
        ...numbersOf(state, false),
        ...{ createdAt: began, submittedAt: began, handledAt: later(demo, began, 5) },
        ...{ savedBy: by.id, savedByName: by.name, submittedBy: by.id, submittedByName: by.name },
        ...{ servicePhone: '0755-88886666', companyName: `深圳市${name}餐饮有限公司` },
      })
      const ofProgram = { ...of, applicationId: application.id as number }
      const isAuthorized = scopes.length > 0
      demo.history.add(programFlows, {
        ...{ ...ofProgram, state, changedAt: at, handedInAt: later(demo, began, 6), askedAt: at },
        ...{ message: made.message ?? '', remark: made.remark ?? '', scopes, isAuthorized },
        ...(isAuthorized ? { appid: `wxde20000000000${place}`, authorizedAt: at } : {}),
      })
      for (const { title, code = '0', words, advice = '' } of made.told)
        demo.history.add(programFlowAnswers, {
          ...{ ...ofProgram, at, title, code, words, advice, isTrouble: code !== '0' },
        })
    }
  })
}
