// Demo rows of versions: mini programs whose audit was refused, is under way, has passed and is not released, and one that is live.
import { demoPapers } from '#features/care/documents/demo.ts'
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import type { ProgramType } from '#features/programs/program-applications/rules.ts'
import { programApplications } from '#features/programs/program-applications/tables.ts'
import { type FlowState, numbersOf, SCOPES } from '#features/programs/program-flow/rules.ts'
import { programFlows } from '#features/programs/program-flow/tables.ts'
import { demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { ago, type Demo, kept, later } from '#server/demo.ts'
import { type AuditState, type Known, versionsOf } from './rules.ts'
import { programAudits, programCodes } from './tables.ts'

type Made = {
  name: string
  programType: ProgramType
  state: FlowState
  audit: AuditState
  reason?: string
  days: number
}
const MADE: readonly Made[] = [
  {
    ...{ name: '湘味小厨点餐', programType: 'scanOrder', state: 'code', audit: 'refused', days: 1 },
    reason: '首页未展示经营者的食品经营许可信息，请补充后重新提交',
  },
  { name: '江边鱼馆点餐', programType: 'scanOrder', state: 'inAudit', audit: 'reviewing', days: 0.4 },
  { name: '老街好物商城', programType: 'shop', state: 'inAudit', audit: 'passed', days: 2 },
  { name: '清茶积分小店', programType: 'points', state: 'released', audit: 'released', days: 6 },
]
/** What it has made, by the names of mini programs. */
export const demoPrograms = kept(
  () => new Map<string, { agentId: number; merchantId: number; applicationId: number; auditId: number }>(),
)
/** Behind those that the applications take. */
const FROM_SHOP = 40
const [BEFORE, NOW] = ['2.0.0', '2.1.0']
const COUNTED = { used: 1, quota: 3 }

export async function demo(demo: Demo): Promise<void> {
  const by = demoOwner(demo, DEMO_AGENTS.first)
  const { default: sharp } = await import('sharp')
  const screenshot = await sharp(Buffer.from(SCREENSHOT)).png().toBuffer()
  demo.history.at(demo.now, () => {
    const shops = demoShops(demo)
      .filter(shop => shop.agentId === DEMO_AGENTS.first && isInUse(shop, demo.now.toISOString()))
      .filter(shop => !demoPapers(demo).has(shop))
      .slice(FROM_SHOP)
    for (const [place, made] of MADE.entries()) {
      const shop = shops[place]
      if (!shop) continue
      const { state, audit, name } = made
      const at = ago(demo, made.days)
      const began = ago(demo, made.days + 12)
      const of = { agentId: shop.agentId, merchantId: shop.id as number }
      const application = demo.history.add(programApplications, {
        ...{ ...of, kind: 'existing', state: 'approved', programType: made.programType, programName: name },
        ...numbersOf(state, true),
        ...{ createdAt: began, submittedAt: began, handledAt: began, servicePhone: '0755-88886666' },
        ...{ savedBy: by.id, savedByName: by.name, submittedBy: by.id, submittedByName: by.name },
      })
      const applicationId = application.id as number
      const appid = `wxde30000000000${place}`
      const ofProgram = { ...of, applicationId, appid }
      demoPrograms(demo).set(name, { ...of, applicationId, auditId: 20_001 + place })
      demo.history.add(programFlows, {
        ...{ ...ofProgram, state, isAuthorized: true, authorizedAt: later(demo, began, 3), changedAt: at },
        ...{ scopes: SCOPES.map(({ id }) => id), ...versionsOf(knownOf(made, at, began)) },
      })
      demo.history.add(programCodes, {
        ...{ ...ofProgram, version: NOW, templateId: 2, committedAt: at, readAt: at },
        known: knownOf(made, at, began),
      })
      demo.history.add(programAudits, {
        ...{ ...ofProgram, auditId: 20_001 + place, version: NOW, state: audit, isCurrent: true },
        ...{ submittedByName: by.name, submittedAt: at, reason: made.reason ?? '' },
        ...(audit === 'reviewing' ? {} : { endedAt: later(demo, at, 5) }),
        ...(audit === 'released' ? { releasedAt: later(demo, at, 6) } : {}),
        ...(audit === 'refused' && demo.filesAt
          ? {
              screenshots: demo.filesAt.secrets.encrypt(JSON.stringify([screenshot.toString('base64')])),
            }
          : {}),
      })
    }
  })
}

function knownOf({ name, audit }: Made, at: string, began: string): Known {
  const info = {
    nickName: { value: name, ...COUNTED },
    signature: { value: '在线点餐，到店自取', ...COUNTED },
  }
  const version = (version: string, at: string) => ({ version, description: 'order', at })
  const isLive = audit === 'released'
  return {
    info: { ...info, headImage: { url: 'https://wx.qlogo.cn/example', ...COUNTED } },
    categories: [
      {
        ...{ firstId: 220, firstName: '餐饮服务', secondId: 223, secondName: '点餐平台' },
        ...{ thirdId: null, thirdName: null },
      },
    ],
    domains: { request: [], socket: [], upload: [], download: [] },
    privacy: { state: 'done', withoutLeave: [], withoutDeclaration: [] },
    trial: version(NOW, at),
    live: isLive ? version(NOW, at) : audit === 'passed' ? version(BEFORE, began) : null,
    releases: isLive
      ? [{ appVersion: 1_004, version: BEFORE, description: 'order', committedAt: began }]
      : [],
    quota: { left: 412, limit: 500, speedUpsLeft: 17, speedUpLimit: 20 },
  }
}

const SCREENSHOT = `<svg xmlns="http://www.w3.org/2000/svg" width="375" height="420"><rect width="375" height="420" fill="#ededed"/>
<rect width="375" height="44" fill="#fff"/><rect x="16" y="64" width="343" height="96" fill="#fff"/><rect x="16" y="176" width="343" height="160" fill="#fff" stroke="#fa5151" stroke-width="4"/></svg>`
