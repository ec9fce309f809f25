import { drizzle } from 'drizzle-orm/node-postgres'
import { connectPlatform } from '#features/programs/program-categories/walk.ts'
import { knownOf, makeVersion } from '#features/programs/program-versions/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import type { FeatureWalk } from '#test/walk-types.ts'
import type { TrainShopState, TrainState } from './rules.ts'
import { releaseTrainShops, releaseTrains } from './tables.ts'

type Of = { agentId: number; merchantId: number; applicationId: number }
type Standing = { state: TrainState; shop: TrainShopState; reasonKey?: string; nextAt?: string }

const NAME = '扫码点餐新版本'

/** A train of one mini program, which nothing takes further. */
export async function makeTrain(office: Office, of: Of, standing: Standing): Promise<number> {
  const now = new Date().toISOString()
  const db = drizzle(office.owner)
  const { state, shop, reasonKey = '', nextAt } = standing
  const [train] = await db
    .insert(releaseTrains)
    .values({
      ...{ name: NAME, templateId: 2, version: '2.1.0', tag: 'order', filter: {}, state, wave: 1, waves: 1 },
      ...{ waveSize: 10, haltPercent: 20, haltFrom: 10, shops: 1, createdBy: 1, createdByName: '王小明' },
      ...{ createdAt: now, changedAt: now, ...(nextAt ? { nextAt } : {}) },
    })
    .returning({ id: releaseTrains.id })
  const trainId = train?.id ?? 0
  await db.insert(releaseTrainShops).values({
    ...{ ...of, trainId, wave: 1, state: shop, reason: reasonKey, reasonKey },
    ...{ templateId: 2, version: '2.1.0', changedAt: now },
  })
  return trainId
}

/** A mini program of a shop of its own. */
async function program(office: Office, agentId: number, version = '2.0.0'): Promise<Of> {
  const merchantId = await makeMerchant(office, agentId)
  const applicationId = await makeVersion(
    office,
    { agentId, merchantId, programType: 'scanOrder' },
    { state: 'code', version, known: knownOf(version, office.app.services.baseUrl()) },
  )
  return { agentId, merchantId, applicationId }
}

const NOT_FOUND = ['NOT_FOUND']
const TEMPLATE = { templateId: 2, version: '2.1.0', tag: 'order' } as const
const FORM = { name: NAME, waveSize: 10, haltPercent: 20, haltFrom: 10, feedback: '' }
const AGAIN = { templateId: 2, version: '2.1.0', feedback: '' }
const byId = (more: object = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.train, ...more }),
  expect: NOT_FOUND,
})

/** Staff see all of them; nobody else holds the permissions. An agent sees what becomes of its own mini programs. */
export const walk: FeatureWalk = {
  ofAgency: [
    'releaseTrains.list',
    'releaseTrains.details',
    'releaseTrains.templates',
    'releaseTrains.rehearse',
    'releaseTrains.shops',
  ],
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    // Of the mini program that the flow's scene has.
    const merchantId = a.shops[2] as number
    const { rows } = await office.owner.query<{ application_id: string }>(
      'select application_id from program_flows where merchant_id = $1',
      [merchantId],
    )
    const applicationId = Number(rows[0]?.application_id)
    const of = { agentId: a.id, merchantId, applicationId }
    return {
      train: await makeTrain(office, of, { state: 'paused', shop: 'refused' }),
      trained: applicationId,
    }
  },
  attempts: {
    'releaseTrains.list': [{ as: () => ({}), expect: 'empty' }],
    'releaseTrains.details': [byId()],
    'releaseTrains.shops': [{ as: ({ extra }) => ({ id: extra.train }), expect: 'empty' }],
    'releaseTrains.templates': [{ as: () => ({}), expect: ['NOT_CONNECTED'] }],
    'releaseTrains.rehearse': [{ as: () => ({ ...TEMPLATE }), expect: NOT_FOUND }],
    'releaseTrains.start': [{ as: () => ({ ...TEMPLATE, ...FORM, able: 1 }), expect: NOT_FOUND }],
    'releaseTrains.pause': [byId()],
    'releaseTrains.resume': [byId()],
    'releaseTrains.stop': [byId()],
    'releaseTrains.rollBackWave': [byId({ wave: 1 })],
    'releaseTrains.correct': [byId({ reasonKey: '', ...AGAIN })],
    'releaseTrains.ofProgram': [{ as: ({ extra }) => ({ id: extra.trained }), expect: 'own' }],
  },
  scoped: ['releaseTrains.details', 'releaseTrains.shops'],
  reads: desk => {
    const made = async () => {
      const of = await program(desk.office, desk.partner.id)
      return { of, id: await makeTrain(desk.office, of, { state: 'paused', shop: 'refused' }) }
    }
    return {
      'releaseTrains.details': async () => ({ id: (await made()).id }),
      'releaseTrains.shops': async () => ({ id: (await made()).id }),
      'releaseTrains.ofProgram': async () => ({ id: (await made()).of.applicationId }),
      'releaseTrains.rehearse': async () => ({ ...TEMPLATE }),
      'releaseTrains.templates': async () => {
        await connectPlatform(desk.office)
        return {}
      },
    }
  },
  changes: desk => {
    const made = async (standing: Standing) =>
      makeTrain(desk.office, await program(desk.office, desk.partner.id), standing)
    const step = (good: Standing, wrong: { given: Standing; code: string }, more: object = {}) => ({
      async accepted() {
        const id = await made(good)
        return desk.asOperator({ id, ...more }, `${NAME} (${id})`)
      },
      refused: { input: async () => ({ id: await made(wrong.given), ...more }), code: wrong.code },
    })
    const notNow = { given: { state: 'stopped', shop: 'left' }, code: 'STEP_NOT_NOW' } as const
    return {
      'releaseTrains.start': {
        async accepted() {
          const agentId = (await program(desk.office, desk.partner.id)).agentId
          const { able } = await desk.office
            .as(desk.operatorCookie)
            .releaseTrains.rehearse({ ...TEMPLATE, agentId })
          return desk.asOperator({ ...TEMPLATE, ...FORM, agentId, able }, NAME)
        },
        refused: { input: () => ({ ...TEMPLATE, ...FORM, name: '', able: 1 }), code: 'NAME_REQUIRED' },
      },
      'releaseTrains.pause': step({ state: 'running', shop: 'inAudit' }, notNow),
      'releaseTrains.resume': step({ state: 'halted', shop: 'left' }, notNow),
      'releaseTrains.stop': step({ state: 'paused', shop: 'waiting' }, notNow),
      'releaseTrains.rollBackWave': step(
        { state: 'paused', shop: 'released' },
        { given: { state: 'paused', shop: 'refused' }, code: 'WAVE_NOT_THERE' },
        { wave: 1 },
      ),
      'releaseTrains.correct': step(
        { state: 'paused', shop: 'refused', reasonKey: '缺少资料' },
        { given: { state: 'paused', shop: 'refused' }, code: 'GROUP_EMPTY' },
        { reasonKey: '缺少资料', ...AGAIN },
      ),
    }
  },
}
