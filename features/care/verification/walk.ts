import { drizzle } from 'drizzle-orm/node-postgres'
import { makeDocument } from '#features/care/documents/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { verificationRow } from './rows.ts'
import { PAPER_NAMES, PAPERS, type PaperName } from './rules.ts'
import { paperReadings, verifications } from './tables.ts'

type Given = Omit<Parameters<typeof verificationRow>[0], 'savedAt'>
type Uploader = { id: number; accountId: number }

/** Data of a shop as its agent saved them; the shop's own status with them. Answers their id. */
export async function makeVerification(office: Office, given: Given): Promise<number> {
  const now = new Date().toISOString()
  const { state = 'unverified' } = given
  const [made] = await drizzle(office.owner)
    .insert(verifications)
    .values(
      verificationRow({
        savedAt: now,
        ...(state === 'unverified' ? {} : { submittedAt: now, submittedByName: '王小明' }),
        ...given,
      }),
    )
    .returning({ id: verifications.id })
  await office.owner.query('update merchants set verification_status = $2 where id = $1', [
    given.merchantId,
    state,
  ])
  return made?.id as number
}

/** The three papers of a shop. */
export async function makePapers(
  office: Office,
  by: Uploader,
  merchantId: number,
): Promise<Record<PaperName, number>> {
  const papers: Partial<Record<PaperName, number>> = {}
  for (const name of PAPER_NAMES)
    papers[name] = await makeDocument(office, { by, merchantId, kind: PAPERS[name] })
  return papers as Record<PaperName, number>
}

/** A paper that was read without success. */
async function makeReading(office: Office, by: Uploader, merchantId: number): Promise<number> {
  const documentId = await makeDocument(office, { by, merchantId, kind: 'businessLicence' })
  await drizzle(office.owner)
    .insert(paperReadings)
    .values({
      ...{ documentId, agentId: by.id, merchantId, reader: 'tencent', isWeak: false, tries: 1_000 },
      ...{ problem: 'blurred', readAt: new Date().toISOString() },
    })
  return documentId
}

/** Everything that is needed, so that only the papers are wanting. */
export const WHOLE = {
  company: '深圳市老张餐饮有限公司',
  creditCode: '9144030071526726XG',
  legalPerson: '张三',
  personInCharge: '张三',
  idNumber: '11010519491231002X',
  signature: '老张面馆',
  phone: '13800138000',
  explanations: { 'unproven:phone': '店主收不到短信' },
} as const
/** Of the one warning that stands where nothing was read. */
export const ANSWERS = { 'unproven:phone': '已电话核实' }

const NONE = ['NOT_FOUND']
const theirs = (more: Record<string, unknown> = {}) => ({
  as: ({ a }: { a: { shops: number[] } }) => ({ merchantId: a.shops[0], ...more }),
  expect: NONE,
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const merchantId = a.shops[0] as number
    await makeVerification(office, {
      ...{ agentId: a.id, merchantId, state: 'reviewing', company: MARK, personInCharge: MARK },
    })
    // One that stays in the list where there is no wall and the other is withdrawn.
    await makeVerification(office, {
      ...{ agentId: a.id, merchantId: a.shops[1] as number, state: 'reviewing', company: MARK },
    })
    return { verificationPaper: await makeReading(office, a, merchantId) }
  },
  attempts: {
    'verification.ofShop': [theirs()],
    'verification.save': [theirs({ revision: 0 })],
    'verification.submit': [theirs({ revision: 0, ...WHOLE })],
    'verification.withdraw': [theirs()],
    'verification.read': [{ as: ({ extra }) => ({ documentId: extra.verificationPaper }), expect: NONE }],
    'verification.reveal': [theirs()],
    'verification.reviews': [own(), search(() => MARK), search(({ a }) => a.shops[0])],
    'verification.reasons': [own()],
    'verification.verify': [theirs({ revision: 1 })],
    'verification.reject': [theirs({ revision: 1, reason: '不清晰' })],
  },
  scoped: [
    'verification.ofShop',
    'verification.save',
    'verification.submit',
    'verification.withdraw',
    'verification.reveal',
    'verification.reviews',
    'verification.verify',
    'verification.reject',
  ],
  pos: {
    'verification.verification': { as: ({ shop }) => ({ id: shop.id }), expect: NONE },
    'verification.keepPaper': {
      as: ({ shop }) => ({ id: shop.id, kind: 'businessLicence', picture: GREY_PNG }),
      expect: NONE,
    },
    'verification.submitVerification': {
      async as({ office, agentId, shop }) {
        await office.owner.query('delete from verifications where merchant_id = $1', [shop.id])
        await office.owner.query(`update merchants set verification_status = 'unverified' where id = $1`, [
          shop.id,
        ])
        return {
          id: shop.id,
          ...WHOLE,
          ...(await makePapers(office, { id: agentId, accountId: 0 }, shop.id)),
        }
      },
      expect: NONE,
    },
  },
  reads: desk => ({
    'verification.ofShop': async () => ({ merchantId: await makeMerchant(desk.office, desk.partner.id) }),
  }),
  changes: desk => {
    const fresh = async () => {
      const { input, subject } = await desk.onShop()
      return { merchantId: Number(input.id), subject }
    }
    const inState = async (state: 'reviewing' | 'verified' | 'unverified') => {
      const { merchantId, subject } = await fresh()
      await makeVerification(desk.office, { agentId: desk.partner.id, merchantId, state })
      return { merchantId, subject }
    }
    return {
      'verification.save': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          return desk.asPartner({ merchantId, revision: 0, company: '老张餐饮' }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await inState('verified')).merchantId, revision: 1 }),
          code: 'VERIFIED_ALREADY',
        },
      },
      'verification.submit': {
        async accepted() {
          const { merchantId, subject } = await fresh()
          const papers = await makePapers(desk.office, desk.partner, merchantId)
          return desk.asPartner({ merchantId, revision: 0, ...WHOLE, ...papers }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await fresh()).merchantId, revision: 0, ...WHOLE }),
          code: 'FIELD_REQUIRED',
        },
      },
      'verification.withdraw': {
        async accepted() {
          const { merchantId, subject } = await inState('reviewing')
          return desk.asPartner({ merchantId }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await inState('unverified')).merchantId }),
          code: 'NOT_IN_REVIEW',
        },
      },
      'verification.verify': {
        async accepted() {
          const { merchantId, subject } = await inState('reviewing')
          return desk.asOperator({ merchantId, revision: 1, answers: ANSWERS }, subject)
        },
        refused: {
          input: async () => ({ merchantId: (await inState('verified')).merchantId, revision: 1 }),
          code: 'HANDLED_ALREADY',
        },
      },
      'verification.reject': {
        async accepted() {
          const { merchantId, subject } = await inState('reviewing')
          return desk.asOperator({ merchantId, revision: 1, reason: '照片不清晰' }, subject)
        },
        refused: { input: () => ({ merchantId: 1, revision: 1, reason: ' ' }), code: 'REASON_REQUIRED' },
      },
    }
  },
}

/** A picture of 64 by 40. */
const GREY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAoCAIAAADBrGu+AAAAPklEQVR42u3PQQkAAAgEsOsfxQpWMJQZfAqDFViq57UICAgICAgICAgICAgICAgICAgICAgICAgICAgICFwsb4rrPLEygbIAAAAASUVORK5CYII='
