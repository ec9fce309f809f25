import { drizzle } from 'drizzle-orm/node-postgres'
import { makeDocument } from '#features/care/documents/walk.ts'
import { makePapers } from '#features/programs/program-applications/walk.ts'
import { connectPlatform } from '#features/programs/program-categories/walk.ts'
import type { FlowState } from '#features/programs/program-flow/rules.ts'
import { makeFlow } from '#features/programs/program-flow/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK, own } from '#test/walk-types.ts'
import { type KnownProfile, programProfileChanges, programProfiles } from './tables.ts'

type Made = { agentId: number; merchantId: number; companyName?: string }
let number = 0

/** A mini program that is authorised and whose data are to be handed in; answers the application's id. */
async function makeProfile(office: Office, of: Made, state: FlowState = 'profile'): Promise<number> {
  const appid = `wxp${Date.now().toString(16)}${++number}`
  return makeFlow(office, of, { state, appid, isAuthorized: true })
}

const theirOwn = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.profiled, ...more }),
  expect: ['NOT_FOUND'],
})
const INTRO = { intro: '在线点餐，到店自取' }
const NAME = { programName: '老张面馆', papers: [] }
const COUNTED = { used: 0, quota: 5 }
const passed = (second: number, secondName: string) =>
  ({ first: 220, second, firstName: '餐饮', secondName, state: 'passed', reason: null }) as const
const KNOWN: KnownProfile = {
  info: {
    ...{ appid: '', principalName: '', isPersonal: false, realName: 'confirmed', isVerified: false },
    ...{ nickName: { value: '', ...COUNTED }, headImage: { url: '', ...COUNTED } },
    signature: { value: '', ...COUNTED },
  },
  categories: {
    categories: [passed(223, '餐厅排队'), passed(224, '点评与推荐')],
    ...{ monthlyLimit: 20, monthlyLeft: 20, mostCategories: 20 },
  },
}

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  ofAgency: ['programProfile.categories'],
  async scene({ office, a }) {
    // Of the mini program that the flow's scene has: a shop has one.
    const merchantId = a.shops[2] as number
    const { rows } = await office.owner.query<{ application_id: string }>(
      'select application_id from program_flows where merchant_id = $1',
      [merchantId],
    )
    const profiled = Number(rows[0]?.application_id)
    const shop = { agentId: a.id, merchantId, applicationId: profiled, appid: 'wxscene' }
    const now = new Date().toISOString()
    const db = drizzle(office.owner)
    await db.insert(programProfiles).values({ ...shop, message: MARK })
    await db.insert(programProfileChanges).values({
      ...{ ...shop, part: 'intro', value: MARK, state: 'refused', isCurrent: true, reason: MARK },
      ...{ submittedByName: '张三', submittedAt: now, endedAt: now },
    })
    return { profiled }
  },
  attempts: {
    'programProfile.categories': [own()],
    'programProfile.details': [theirOwn()],
    'programProfile.checkName': [theirOwn({ name: '老张面馆' })],
    'programProfile.look': [theirOwn()],
    'programProfile.setName': [theirOwn(NAME)],
    'programProfile.setHeadImage': [theirOwn({ documentId: 1 })],
    'programProfile.setIntro': [theirOwn(INTRO)],
    'programProfile.setCategory': [theirOwn({ categoryId: 223 })],
    'programProfile.removeCategory': [theirOwn({ second: 223 })],
  },
  scoped: ['programProfile.details', 'programProfile.look', 'programProfile.setIntro'],
  reads: desk => {
    const standing = async () => ({
      id: await makeProfile(desk.office, {
        agentId: desk.partner.id,
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    })
    return {
      'programProfile.details': standing,
      'programProfile.checkName': async () => {
        await connectPlatform(desk.office)
        return { ...(await standing()), name: '老张面馆' }
      },
    }
  },
  changes: desk => {
    const standing = async (state?: FlowState) => {
      const { input, subject } = await desk.onShop()
      const merchantId = Number(input.id)
      return {
        ...{ id: await makeProfile(desk.office, { agentId: desk.partner.id, merchantId }, state) },
        ...{ merchantId, subject },
      }
    }
    const change = (
      more: object,
      refused: { more?: object; state?: FlowState; code: string },
    ): ReturnType<NonNullable<FeatureWalk['changes']>>[string] => ({
      async accepted() {
        const { id, subject } = await standing()
        return desk.asPartner({ id, ...more }, subject)
      },
      refused: {
        input: async () => ({ id: (await standing(refused.state)).id, ...more, ...refused.more }),
        code: refused.code,
      },
    })
    return {
      'programProfile.setName': {
        async accepted() {
          const { id, merchantId, subject } = await standing()
          const { licenceId } = await makePapers(desk.office, desk.partner, merchantId)
          await desk.office.owner.query('update program_applications set licence_id = $2 where id = $1', [
            ...[id, licenceId],
          ])
          return desk.asPartner({ id, ...NAME }, subject)
        },
        refused: {
          input: async () => ({ id: (await standing()).id, ...NAME }),
          code: 'LICENCE_REQUIRED',
        },
      },
      'programProfile.setHeadImage': {
        async accepted() {
          const { id, merchantId, subject } = await standing()
          const { headImageId } = await makePapers(desk.office, desk.partner, merchantId)
          return desk.asPartner({ id, documentId: headImageId }, subject)
        },
        refused: {
          async input() {
            const { id, merchantId } = await standing()
            const by = desk.partner
            return { id, documentId: await makeDocument(desk.office, { by, merchantId, kind: 'headImage' }) }
          },
          code: 'HEAD_IMAGE_NOT_SQUARE',
        },
      },
      'programProfile.setIntro': change(INTRO, { more: { intro: '面馆' }, code: 'INTRO_TOO_SHORT' }),
      'programProfile.setCategory': change({ categoryId: 223 }, { state: 'authorized', code: 'NOT_NOW' }),
      'programProfile.removeCategory': {
        async accepted() {
          const { id, subject } = await standing()
          await desk.office.owner.query(
            `insert into program_profiles (agent_id, merchant_id, application_id, appid, known)
             select agent_id, merchant_id, application_id, appid, $2 from program_flows where application_id = $1`,
            [id, JSON.stringify(KNOWN)],
          )
          return desk.asPartner({ id, second: 223 }, subject)
        },
        refused: {
          input: async () => ({ id: (await standing()).id, second: 223 }),
          code: 'NO_SUCH_CATEGORY',
        },
      },
    }
  },
}
