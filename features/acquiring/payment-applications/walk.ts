import { drizzle } from 'drizzle-orm/node-postgres'
import { makeDocument, type Uploader } from '#features/care/documents/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { applicationRow } from './rows.ts'
import { PAPERS, type PaperName, type PayType, papersFor } from './rules.ts'
import { paymentApplications } from './tables.ts'

type Given = Omit<Parameters<typeof applicationRow>[0], 'savedAt'>

/** An application of a shop as its agent saved it; answers its id. */
export async function makeApplication(office: Office, given: Given): Promise<number> {
  const now = new Date().toISOString()
  const { state = 'draft' } = given
  const [made] = await drizzle(office.owner)
    .insert(paymentApplications)
    .values(
      applicationRow({
        savedAt: now,
        ...(state === 'draft' ? {} : { submittedAt: now, submittedByName: '王小明' }),
        ...(state === 'approved' || state === 'rejected' ? { handledAt: now, handledByName: '李四' } : {}),
        ...(state === 'approved' ? { reviewState: 'waiting' as const } : {}),
        ...given,
      }),
    )
    .returning({ id: paymentApplications.id })
  return made?.id as number
}

/** The seven papers that an account of this type asks for. */
export async function makePapers(
  office: Office,
  by: Uploader,
  merchantId: number,
  payType: PayType = 'corporate',
): Promise<Partial<Record<PaperName, number>>> {
  const papers: Partial<Record<PaperName, number>> = {}
  for (const name of papersFor(payType))
    papers[name] = await makeDocument(office, { by, merchantId, kind: PAPERS[name] })
  return papers
}

/** Everything that is needed, so that only the papers are wanting. */
export const WHOLE = {
  payType: 'corporate',
  phone: '13800138000',
  email: 'shop@example.com',
  bankRegion: '440305',
  bankName: '招商银行',
  bankCode: '1001',
  branchName: '招商银行深圳科技园支行',
  branchNumber: '308584000013',
} as const

const NONE = ['NOT_FOUND']
const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: NONE,
})
const theirOwn = (id: 'pendingApplication' | 'approvedApplication', more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra[id], ...more }),
  expect: NONE,
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const of = (shop: number) => ({ agentId: a.id, merchantId: a.shops[shop] as number, email: MARK })
    const papers = await makePapers(office, a, a.shops[0] as number)
    return {
      pendingApplication: await makeApplication(office, { ...of(0), ...papers, state: 'pending' }),
      approvedApplication: await makeApplication(office, { ...of(1), state: 'approved' }),
    }
  },
  attempts: {
    'paymentApplications.list': [own(), search(() => MARK), search(({ a }) => a.shops[0])],
    'paymentApplications.reviews': [own(), search(() => MARK), search(({ a }) => a.shops[1])],
    'paymentApplications.details': [theirOwn('pendingApplication')],
    'paymentApplications.find': [
      { as: ({ a }) => ({ account: a.shop.account }), expect: ['ACCOUNT_UNKNOWN'] },
    ],
    'paymentApplications.ofShop': [theirs()],
    'paymentApplications.save': [theirs({ revision: 0, payType: 'corporate' })],
    'paymentApplications.submit': [theirs({ revision: 0, ...WHOLE })],
    'paymentApplications.approve': [theirOwn('pendingApplication', { revision: 1 })],
    'paymentApplications.reject': [
      theirOwn('pendingApplication', { revision: 1, reasons: { phone: '打不通' } }),
    ],
    'paymentApplications.review': [
      theirOwn('approvedApplication', { revision: 1, reviewState: 'accepting' }),
    ],
    'paymentApplications.banks': [own({ payType: 'corporate' })],
    'paymentApplications.branches': [own({ bankCode: '1001', region: '440305' })],
  },
  scoped: [
    'paymentApplications.list',
    'paymentApplications.reviews',
    'paymentApplications.details',
    'paymentApplications.find',
    'paymentApplications.ofShop',
    'paymentApplications.save',
    'paymentApplications.approve',
    'paymentApplications.reject',
    'paymentApplications.review',
  ],
  reads: desk => ({
    'paymentApplications.details': async () => ({
      id: await makeApplication(desk.office, {
        ...{ agentId: desk.partner.id, state: 'pending' },
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    }),
    'paymentApplications.find': async () => {
      const merchantId = await makeMerchant(desk.office, desk.partner.id)
      const { rows } = await desk.office.owner.query('select account from merchants where id = $1', [
        merchantId,
      ])
      return { account: rows[0].account }
    },
    'paymentApplications.ofShop': async () => ({
      merchantId: await makeMerchant(desk.office, desk.partner.id),
    }),
    'paymentApplications.banks': async () => ({ payType: 'corporate' }),
    'paymentApplications.branches': async () => ({ bankCode: '1001', region: '440305' }),
  }),
  changes: desk => {
    const fresh = async () => {
      const { input, subject } = await desk.onShop()
      return { merchantId: Number(input.id), subject }
    }
    const inState = async (state: 'draft' | 'pending' | 'approved') => {
      const { merchantId, subject } = await fresh()
      const id = await makeApplication(desk.office, { agentId: desk.partner.id, merchantId, state })
      return { id, merchantId, subject }
    }
    return {
      'paymentApplications.save': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          return desk.asPartner(
            { merchantId, revision: 0, payType: 'private', phone: '13800138000' },
            subject,
          )
        },
        refused: {
          input: async () => ({
            ...{ merchantId: (await inState('pending')).merchantId, revision: 1, payType: 'private' },
          }),
          code: 'PENDING_ALREADY',
        },
      },
      'paymentApplications.submit': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          const papers = await makePapers(desk.office, desk.partner, merchantId)
          return desk.asPartner({ merchantId, revision: 0, ...WHOLE, ...papers }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await fresh()).merchantId, revision: 0, ...WHOLE, email: '' }),
          code: 'EMAIL_REQUIRED',
        },
      },
      'paymentApplications.approve': {
        async accepted() {
          const { id, subject } = await inState('pending')
          return desk.asOperator({ id, revision: 1 }, subject)
        },
        refused: {
          input: async () => ({ id: (await inState('approved')).id, revision: 1 }),
          code: 'HANDLED_ALREADY',
        },
      },
      'paymentApplications.reject': {
        async accepted() {
          const { id, subject } = await inState('pending')
          return desk.asOperator({ id, revision: 1, reasons: { email: '邮箱有误' } }, subject)
        },
        refused: { input: () => ({ id: 1, revision: 1, reasons: {} }), code: 'REASONS_REQUIRED' },
      },
      'paymentApplications.review': {
        async accepted() {
          const { id, subject } = await inState('approved')
          return desk.asOperator({ id, revision: 1, reviewState: 'accepting' }, subject)
        },
        refused: {
          input: async () => ({ id: (await inState('pending')).id, revision: 1, reviewState: 'accepting' }),
          code: 'NOT_APPROVED',
        },
      },
    }
  },
}
