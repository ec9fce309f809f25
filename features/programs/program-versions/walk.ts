import { drizzle } from 'drizzle-orm/node-postgres'
import { connectPlatform } from '#features/programs/program-categories/walk.ts'
import type { FlowState } from '#features/programs/program-flow/rules.ts'
import { makeFlow } from '#features/programs/program-flow/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK } from '#test/walk-types.ts'
import { type AuditState, isOpen, type Known } from './rules.ts'
import { programAudits, programCodes } from './tables.ts'

type Made = { agentId: number; merchantId: number; companyName?: string; programType?: 'scanOrder' }
type Standing = {
  state: FlowState
  version?: string
  known?: Known
  audit?: AuditState
  withdrawals?: number
}

let number = 0

/** A mini program that is authorised, with its code and audit standing so; answers the application's id. */
export async function makeVersion(office: Office, of: Made, standing: Standing): Promise<number> {
  const appid = `wx${Date.now().toString(16)}${++number}`
  const applicationId = await makeFlow(office, of, { state: standing.state, appid, isAuthorized: true })
  const { agentId, merchantId } = of
  await makeCode(office, { agentId, merchantId, applicationId, appid }, standing)
  return applicationId
}

type OfShop = { agentId: number; merchantId: number; applicationId: number; appid: string }

async function makeCode(office: Office, shop: OfShop, standing: Omit<Standing, 'state'>): Promise<void> {
  const { version = '', known, audit, withdrawals = 0 } = standing
  const at = new Date().toISOString()
  const db = drizzle(office.owner)
  await db.insert(programCodes).values({ ...shop, version, ...(known ? { known, readAt: at } : {}) })
  const one = { ...shop, version, submittedByName: '张三', submittedAt: at }
  for (let at = 0; at < withdrawals; at++)
    await db.insert(programAudits).values({
      ...{ ...one, auditId: 9_000 + at, state: 'withdrawn', isCurrent: false },
      ...{ withdrawnAt: new Date().toISOString(), endedAt: new Date().toISOString() },
    })
  if (audit)
    await db.insert(programAudits).values({
      ...{ ...one, auditId: AUDIT_ID, state: audit, isCurrent: true },
      ...(isOpen(audit) ? {} : { endedAt: at }),
    })
}
export const AUDIT_ID = 10_001

/** All that an audit asks for stands. */
export const knownOf = (version: string, baseUrl: string, more: Partial<Known> = {}): Known => {
  const { host } = new URL(baseUrl)
  const one = [`https://${host}`]
  return {
    info: {
      nickName: { value: '示例餐厅' },
      headImage: { url: 'https://example.com/1.png' },
      signature: { value: '在线点餐' },
    },
    categories: [
      {
        ...{ firstId: 220, firstName: '餐饮服务', secondId: 223, secondName: '点餐平台' },
        ...{ thirdId: null, thirdName: null },
      },
    ],
    domains: { request: one, socket: [`wss://${host}`], upload: one, download: one },
    privacy: { state: 'done', withoutLeave: [], withoutDeclaration: [] },
    trial: { version, description: 'order', at: '2026-03-01T00:00:00.000Z' },
    live: null,
    releases: [],
    quota: { left: 10, limit: 20, speedUpsLeft: 2, speedUpLimit: 3 },
    ...more,
  }
}
export const RELEASE = { appVersion: 5, version: '2.0.0', description: 'order', committedAt: null }

const theirOwn = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.versioned, ...more }),
  expect: ['NOT_FOUND'],
})
const TESTER = 'tester@@@1'
const OF_AUDIT = { auditId: AUDIT_ID }

const asked = ['templates', 'trialCode', 'liveCode', 'testers'].map(name => `programVersions.${name}`)

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    // Of the mini program that the flow's scene has: a shop has one.
    const merchantId = a.shops[2] as number
    const { rows } = await office.owner.query<{ application_id: string }>(
      'select application_id from program_flows where merchant_id = $1',
      [merchantId],
    )
    const versioned = Number(rows[0]?.application_id)
    const shop = { agentId: a.id, merchantId, applicationId: versioned, appid: 'wxscene' }
    await makeCode(office, shop, { version: MARK, audit: 'reviewing' })
    return { versioned }
  },
  attempts: {
    'programVersions.details': [theirOwn()],
    'programVersions.templates': [theirOwn()],
    'programVersions.trialCode': [theirOwn()],
    'programVersions.liveCode': [theirOwn()],
    'programVersions.screenshots': [theirOwn(OF_AUDIT)],
    'programVersions.testers': [theirOwn()],
    'programVersions.addTester': [theirOwn({ wechat: 'zhangsan' })],
    'programVersions.removeTester': [theirOwn({ userString: TESTER })],
    'programVersions.look': [theirOwn()],
    'programVersions.setCode': [theirOwn({ templateId: 2 })],
    'programVersions.declarePrivacy': [theirOwn()],
    'programVersions.setDomains': [theirOwn()],
    'programVersions.submit': [theirOwn({ feedback: '' })],
    'programVersions.withdraw': [theirOwn(OF_AUDIT)],
    'programVersions.speedUp': [theirOwn(OF_AUDIT)],
    'programVersions.release': [theirOwn(OF_AUDIT)],
    'programVersions.rollBack': [theirOwn({ appVersion: 5 })],
  },
  scoped: [
    'programVersions.details',
    'programVersions.screenshots',
    'programVersions.look',
    'programVersions.withdraw',
  ],
  reads: desk => {
    const standing = async () => ({
      id: await makeVersion(
        desk.office,
        {
          agentId: desk.partner.id,
          merchantId: await makeMerchant(desk.office, desk.partner.id),
        },
        { state: 'inAudit', version: '2.1.0', audit: 'refused' },
      ),
    })
    const answered = async () => {
      await connectPlatform(desk.office)
      return standing()
    }
    return {
      'programVersions.details': standing,
      ...Object.fromEntries(asked.map(name => [name, answered])),
      'programVersions.screenshots': async () => ({ ...(await standing()), ...OF_AUDIT }),
    }
  },
  changes: desk => {
    const standing = async (given: Standing) => {
      const { input, subject } = await desk.onShop()
      const of = { agentId: desk.partner.id, merchantId: Number(input.id), programType: 'scanOrder' as const }
      return { id: await makeVersion(desk.office, of, given), subject }
    }
    const known = () => knownOf('2.1.0', desk.office.app.services.baseUrl())
    const change = (
      given: () => Standing,
      more: object,
      refused: { given: Standing; code: string },
    ): ReturnType<NonNullable<FeatureWalk['changes']>>[string] => ({
      async accepted() {
        const { id, subject } = await standing(given())
        return desk.asPartner({ id, ...more }, subject)
      },
      refused: {
        input: async () => ({ id: (await standing(refused.given)).id, ...more }),
        code: refused.code,
      },
    })
    const notNow = { given: { state: 'profile' }, code: 'NOT_NOW' } as const
    const inAudit = () => ({ state: 'inAudit', version: '2.1.0', audit: 'reviewing' }) as const
    const otherAudit = { given: { state: 'code', version: '2.1.0' }, code: 'OTHER_AUDIT' } as const
    const coded = () => ({ state: 'code', version: '2.1.0', known: known() }) as const
    const tester = (more: object, refused: { more: object; code: string }) => {
      const one = change(() => ({ state: 'code', version: '2.1.0' }), more, notNow)
      return {
        async accepted() {
          await connectPlatform(desk.office)
          return one.accepted()
        },
        refused: {
          async input() {
            await connectPlatform(desk.office)
            return { id: (await standing({ state: 'code', version: '2.1.0' })).id, ...more, ...refused.more }
          },
          code: refused.code,
        },
      }
    }
    return {
      'programVersions.addTester': tester(
        { wechat: 'zhangsan' },
        { more: { wechat: '张三' }, code: 'WECHAT_WRONG' },
      ),
      'programVersions.removeTester': tester(
        { userString: TESTER },
        { more: { userString: 'nobody' }, code: 'TESTER_GONE' },
      ),
      'programVersions.setCode': change(() => ({ state: 'code' }), { templateId: 2 }, notNow),
      'programVersions.declarePrivacy': change(coded, {}, notNow),
      'programVersions.setDomains': change(coded, {}, notNow),
      'programVersions.submit': change(coded, { feedback: '' }, notNow),
      'programVersions.withdraw': change(inAudit, OF_AUDIT, otherAudit),
      'programVersions.speedUp': change(inAudit, OF_AUDIT, otherAudit),
      'programVersions.release': change(
        () => ({ state: 'inAudit', version: '2.1.0', audit: 'passed' }),
        OF_AUDIT,
        otherAudit,
      ),
      'programVersions.rollBack': change(
        () => ({
          ...{ state: 'released', version: '2.1.0' },
          known: { ...known(), live: known().trial, releases: [RELEASE] },
        }),
        { appVersion: RELEASE.appVersion },
        { given: { state: 'released' }, code: 'NOT_A_RELEASE' },
      ),
    }
  },
}
