import { drizzle } from 'drizzle-orm/node-postgres'
import { makeDocument, type Uploader } from '#features/care/documents/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { applicationRow } from './rows.ts'
import { FLOW_NUMBERS, PAPER_NAMES, PAPERS, type PaperName } from './rules.ts'
import { programApplications } from './tables.ts'

type Given = Omit<Parameters<typeof applicationRow>[0], 'createdAt'>

/** An application of a shop as its agent saved it; answers its id. */
export async function makeApplication(office: Office, given: Given): Promise<number> {
  const now = new Date().toISOString()
  const { state = 'draft' } = given
  const [made] = await drizzle(office.owner)
    .insert(programApplications)
    .values(
      applicationRow({
        createdAt: now,
        ...(state === 'draft' ? {} : { submittedAt: now, submittedByName: '王小明' }),
        ...(state === 'approved' || state === 'rejected' ? { handledAt: now, handledByName: '李四' } : {}),
        ...given,
      }),
    )
    .returning({ id: programApplications.id })
  return made?.id as number
}

/** The four pictures that a registration asks for, its avatar square. */
export async function makePapers(
  office: Office,
  by: Uploader,
  merchantId: number,
): Promise<Record<PaperName, number>> {
  const papers: Partial<Record<PaperName, number>> = {}
  for (const name of PAPER_NAMES)
    papers[name] = await makeDocument(office, { by, merchantId, kind: PAPERS[name] })
  await office.owner.query(
    `update files set width = 300, height = 300 where id = (select file_id from documents where id = $1)`,
    [papers.headImageId],
  )
  return papers as Record<PaperName, number>
}

/** Everything that is typed; its category wants no papers. */
export const WHOLE = {
  companyName: '深圳市老张餐饮有限公司',
  companyCode: '9144030071526726XG',
  legalPersonWechat: 'zhangsan_88',
  legalPersonName: '张三',
  servicePhone: '0755-88886666',
  programName: '老张面馆点餐',
  programType: 'scanOrder',
  intro: '老张面馆的点餐小程序',
  categoryId: 223,
} as const
const EMPTY = {
  ...{ companyName: '', companyCode: '', legalPersonWechat: '', legalPersonName: '', servicePhone: '' },
  ...{ programName: '', programType: null, intro: '' },
}

const NONE = ['NOT_FOUND']
const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: NONE,
})
const theirOwn = (id: 'pendingProgram' | 'existingProgram', more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra[id], revision: 1, ...more }),
  expect: NONE,
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  ofAgency: ['programApplications.categories'],
  async scene({ office, a }) {
    const of = (shop: number) => ({ agentId: a.id, merchantId: a.shops[shop] as number, companyName: MARK })
    const papers = await makePapers(office, a, a.shops[0] as number)
    return {
      pendingProgram: await makeApplication(office, { ...of(0), ...papers, state: 'pending' }),
      existingProgram: await makeApplication(office, {
        ...{ ...of(1), ...FLOW_NUMBERS.existing, kind: 'existing', state: 'approved' },
      }),
    }
  },
  attempts: {
    'programApplications.list': [own(), search(() => MARK), search(({ a }) => a.shops[0])],
    'programApplications.details': [theirOwn('pendingProgram')],
    'programApplications.find': [
      { as: ({ a }) => ({ account: a.shop.account }), expect: ['ACCOUNT_UNKNOWN'] },
    ],
    'programApplications.ofShop': [theirs()],
    'programApplications.categories': [own()],
    'programApplications.checkName': [own({ name: '老张面馆' })],
    'programApplications.save': [theirs({ revision: 0, ...EMPTY })],
    'programApplications.submit': [theirs({ revision: 0, ...WHOLE })],
    'programApplications.addExisting': [theirs({ programType: 'shop' })],
    'programApplications.setType': [theirOwn('existingProgram', { programType: 'shop' })],
    'programApplications.approve': [theirOwn('pendingProgram')],
    'programApplications.reject': [theirOwn('pendingProgram', { reason: '看不清楚' })],
    'programApplications.remove': [theirOwn('pendingProgram')],
    'programApplications.restore': [theirOwn('pendingProgram')],
    'programApplications.zip (file)': [theirOwn('pendingProgram')],
  },
  scoped: [
    'programApplications.list',
    'programApplications.details',
    'programApplications.find',
    'programApplications.ofShop',
    'programApplications.save',
    'programApplications.addExisting',
    'programApplications.setType',
    'programApplications.remove',
    'programApplications.restore',
    'programApplications.zip (file)',
  ],
  reads: desk => ({
    'programApplications.details': async () => ({
      id: await makeApplication(desk.office, {
        ...{ agentId: desk.partner.id, state: 'pending' },
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    }),
    'programApplications.find': async () => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      const { rows } = await desk.office.owner.query('select account from merchants where id = $1', [
        merchantId,
      ])
      return { account: rows[0].account }
    },
    'programApplications.ofShop': async () => ({
      merchantId: await makeMerchant(desk.office, desk.partner.id),
    }),
    'programApplications.checkName': async () => ({ name: '老张面馆' }),
    'programApplications.zip (file)': async () => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      const papers = await makePapers(desk.office, desk.partner, merchantId)
      return {
        id: await makeApplication(desk.office, { agentId: desk.partner.id, merchantId, ...papers }),
      }
    },
  }),
  changes: desk => {
    const fresh = async () => {
      const { input, subject } = await desk.onShop()
      return { merchantId: Number(input.id), subject }
    }
    const standing = async (given: Partial<Given> = {}) => {
      const { merchantId, subject } = await fresh()
      const id = await makeApplication(desk.office, { agentId: desk.partner.id, merchantId, ...given })
      return { id, merchantId, subject }
    }
    const existing = () =>
      standing({ ...FLOW_NUMBERS.existing, kind: 'existing', state: 'approved', programType: 'points' })
    const seen = (id: number, more: Record<string, unknown> = {}) => ({ id, revision: 1, ...more })
    return {
      'programApplications.save': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          return desk.asPartner({ merchantId, revision: 0, ...EMPTY, companyName: '老张餐饮' }, subject)
        },
        refused: {
          input: async () => ({
            ...{ merchantId: (await standing({ state: 'pending' })).merchantId, revision: 1, ...EMPTY },
          }),
          code: 'PENDING_ALREADY',
        },
      },
      'programApplications.submit': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          const papers = await makePapers(desk.office, desk.partner, merchantId)
          return desk.asPartner({ merchantId, revision: 0, ...WHOLE, ...papers }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await fresh()).merchantId, revision: 0, ...WHOLE, intro: '' }),
          code: 'INTRO_REQUIRED',
        },
      },
      'programApplications.addExisting': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          return desk.asPartner({ merchantId, programType: 'shop' }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await standing()).merchantId, programType: 'shop' }),
          code: 'ANOTHER_STANDS',
        },
      },
      'programApplications.setType': {
        async accepted() {
          const { id, subject } = await existing()
          return desk.asPartner(seen(id, { programType: 'shop' }), subject)
        },
        refused: {
          input: async () => seen((await standing()).id, { programType: 'shop' }),
          code: 'NOT_EXISTING',
        },
      },
      'programApplications.approve': {
        async accepted() {
          const { id, subject } = await standing({ state: 'pending' })
          return desk.asOperator(seen(id), subject)
        },
        refused: {
          input: async () => seen((await standing({ state: 'approved' })).id),
          code: 'HANDLED_ALREADY',
        },
      },
      'programApplications.reject': {
        async accepted() {
          const { id, subject } = await standing({ state: 'pending' })
          return desk.asOperator(seen(id, { reason: '执照看不清楚' }), subject)
        },
        refused: { input: () => seen(1, { reason: '' }), code: 'REASON_REQUIRED' },
      },
      'programApplications.remove': {
        async accepted() {
          const { id, subject } = await standing()
          return desk.asPartner(seen(id), subject)
        },
        refused: {
          input: async () => ({ id: (await standing()).id, revision: 7 }),
          code: 'STALE',
        },
      },
      'programApplications.restore': {
        async accepted() {
          const { id, subject } = await standing({ deletedAt: new Date().toISOString() })
          return desk.asPartner(seen(id), subject)
        },
        refused: {
          input: async () => {
            const { id, merchantId } = await standing({ deletedAt: new Date().toISOString() })
            await makeApplication(desk.office, { agentId: desk.partner.id, merchantId })
            return seen(id)
          },
          code: 'ANOTHER_STANDS',
        },
      },
      'programApplications.zip (file)': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          const papers = await makePapers(desk.office, desk.partner, merchantId)
          const id = await makeApplication(desk.office, {
            ...{ agentId: desk.partner.id, merchantId, state: 'pending' },
            ...papers,
          })
          return desk.asPartner({ id }, subject)
        },
        refused: { input: async () => ({ id: (await standing()).id }), code: 'NO_PAPERS' },
      },
    }
  },
}
