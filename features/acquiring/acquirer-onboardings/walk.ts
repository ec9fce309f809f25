import { drizzle } from 'drizzle-orm/node-postgres'
import { onboardings } from '#features/acquiring/onboardings/tables.ts'
import { makeApplication, makePapers, WHOLE } from '#features/acquiring/payment-applications/walk.ts'
import { sealedFacts } from '#features/care/documents/server-look.ts'
import { makeVerification } from '#features/care/verification/walk.ts'
import type { AcquirerOnboardingDesk } from '#kit/ports/acquirer-onboarding.ts'
import type { AcquirerDesk } from '#kit/ports/acquirer-pay.ts'
import { acquirerOf } from '#kit/ports/acquirers.ts'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK, own, search } from '#test/walk-types.ts'
import { acquirerRow } from './rows.ts'
import { acquirerOnboardings } from './tables.ts'

type Given = Omit<Parameters<typeof acquirerRow>[0], 'createdAt'>

/** A shop at an acquirer; answers its id. */
export async function makeAcquirerOnboarding(office: Office, given: Given): Promise<number> {
  const now = new Date().toISOString()
  const isIn = given.approvalState !== undefined && given.approvalState !== 'draft'
  const [made] = await drizzle(office.owner)
    .insert(acquirerOnboardings)
    .values(
      acquirerRow({
        createdAt: now,
        ...(isIn && { submittedAt: now, submittedByName: '王小明' }),
        ...(isIn && given.approvalState !== 'pending' && { handledAt: now, handledByName: '李四' }),
        ...(given.state === 'opened' && { openedAt: now, merchantStatus: 'normal' as const }),
        ...given,
      }),
    )
    .returning({ id: acquirerOnboardings.id })
  return made?.id as number
}

type Of = { id: number; accountId: number }

/** Everything that stands elsewhere of a shop, so that only what is typed here is wanting. */
export async function makeKnown(office: Office, by: Of, merchantId: number) {
  const of = { agentId: by.id, merchantId }
  const papers = await makePapers(office, by, merchantId)
  await makeVerification(office, {
    ...{ ...of, company: '老张面馆', creditCode: '92440300MA5EXAMPLE', legalPerson: '张三' },
    ...{ personInCharge: '张三', idNumberMasked: '110105********002X', idFrontId: papers.idFrontId },
  })
  await sealIdNumber(office, papers.idFrontId as number)
  await office.owner.query(
    `update merchants set address = '科技路1号', district_code = '440305' where id = $1`,
    [merchantId],
  )
  const applicationId = await makeApplication(office, { ...of, ...WHOLE, ...papers, state: 'approved' })
  const now = new Date().toISOString()
  await drizzle(office.owner)
    .insert(onboardings)
    .values({
      ...{ ...of, applicationId, state: 'filling', subjectKind: 'individual' },
      ...{ savedByName: '王小明', savedAt: now, changedAt: now, accountNumberMasked: '755********0018' },
      accountNumber: office.app.services.secrets.encrypt('755900000010018'),
    })
  return { papers, applicationId }
}

async function sealIdNumber(office: Office, documentId: number): Promise<void> {
  const { rows } = await office.owner.query(
    'select sealed_key from files where id = (select file_id from documents where id = $1)',
    [documentId],
  )
  const facts = { idNumber: '11010519491231002X' }
  const sealed = sealedFacts(office.app.services.secrets, rows[0].sealed_key, documentId, facts)
  await office.owner.query('update documents set facts = $2 where id = $1', [documentId, sealed])
}

/** Staff have opened the method to the agent by which this acquirer's shops are paid. */
export async function offerMethod(office: Office, agentId: number, channel: 'tianque' | 'xl' | 'lianfu') {
  await office.owner.query(
    'insert into agent_payment_methods (agent_id, payment_method_id) values ($1, $2) on conflict do nothing',
    [agentId, acquirerOf(channel).pays.methodId],
  )
}

/** A payment of one fen of it that does not come back. */
async function stuck(office: Office, id: number): Promise<{ testPaymentId: number }> {
  const { rows } = await office.owner.query(
    `insert into acquirer_test_payments (agent_id, merchant_id, onboarding_id, state, code, order_no, started_by_name, created_at,
       expires_at, paid_at, stuck_at)
     select agent_id, merchant_id, id, 'paid', '399200000000001', 'T' || id || 'x' || extract(epoch from clock_timestamp()), '王小明',
       now(), now(), now(), now() from acquirer_onboardings where id = $1 returning id::int`,
    [id],
  )
  return { testPaymentId: rows[0].id }
}

const NONE = ['NOT_FOUND']
const theirOwn = (id: 'pendingAcquirer' | 'openedAcquirer', more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra[id], ...more }),
  expect: NONE,
})

const KEYS = [
  ...[
    'complete',
    'submit',
    'approve',
    'reject',
    'handIn',
    'ask',
    'send',
    'refuse',
    'setCode',
    'setMerchantStatus',
  ],
  ...['setActive', 'setRemark', 'handOver', 'testPay'],
] as const
const MORE: Record<string, Record<string, unknown>> = {
  reject: { reasons: { company: '看不清楚' } },
  refuse: { reasons: { company: '看不清楚' } },
  setCode: { code: 'XL12345678' },
  setMerchantStatus: { merchantStatus: 'frozen' },
  setActive: { isActive: false },
  setRemark: { remark: '加急' },
}
/** Of what is said of a payment of one fen beside which one it is. */
const TEST_KEYS = { settleTest: { settleReason: '渠道后台已退款' }, checkTest: { isRight: true } } as const

/** An acquirer that answers nothing: of a payment that is tried, only what is written down is looked at. */
const nothing = async () => {
  throw new ProviderUnknown('no answer')
}
const SILENT: AcquirerDesk = {
  ...{ create: nothing, query: nothing, close: nothing, refund: nothing, queryRefund: nothing },
  troubleOf: () => '',
}

export const SILENT_ONBOARDING: AcquirerOnboardingDesk = {
  ...{ pictureBytesMax: 1, upload: nothing, submit: nothing, ask: nothing },
  ...{ changeAccount: nothing, askChange: nothing },
  troubleOf: () => ({ turn: 'later', words: '', reasons: {} }),
}

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const of = (shop: number) => ({ agentId: a.id, merchantId: a.shops[shop] as number, remark: MARK })
    const pendingAcquirer = await makeAcquirerOnboarding(office, { ...of(0), approvalState: 'pending' })
    return {
      ...{ pendingAcquirer, stuckTest: (await stuck(office, pendingAcquirer)).testPaymentId },
      openedAcquirer: await makeAcquirerOnboarding(office, {
        ...{ ...of(1), approvalState: 'approved', state: 'opened', code: 'XL88888888' },
      }),
    }
  },
  attempts: {
    'acquirerOnboardings.list': [own(), search(() => 'XL88888888'), search(({ a }) => a.shops[0])],
    'acquirerOnboardings.list (file)': [own(), search(() => 'XL88888888')],
    'acquirerOnboardings.details': [theirOwn('pendingAcquirer')],
    'acquirerOnboardings.begin': [
      { as: ({ a }) => ({ account: a.shop.account, channel: 'lianfu' }), expect: ['ACCOUNT_UNKNOWN'] },
    ],
    'acquirerOnboardings.preview': [theirOwn('openedAcquirer')],
    'acquirerOnboardings.package (file)': [theirOwn('openedAcquirer')],
    ...Object.fromEntries(
      KEYS.map(key => [
        `acquirerOnboardings.${key}`,
        [theirOwn('pendingAcquirer', { revision: 1, ...MORE[key] })],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(TEST_KEYS).map(([key, said]) => [
        `acquirerOnboardings.${key}`,
        [
          {
            as: ({ extra }: { extra: Record<string, unknown> }) => ({
              ...{ id: extra.pendingAcquirer, testPaymentId: extra.stuckTest, ...said },
            }),
            expect: NONE,
          },
        ],
      ]),
    ),
  },
  scoped: [
    ...['list', 'list (file)', 'details', 'begin', 'preview', 'package (file)'],
    ...KEYS,
    ...Object.keys(TEST_KEYS),
  ].map(key => `acquirerOnboardings.${key}`),
  reads: desk => {
    const made = async (more: Partial<Given> = {}) => ({
      id: await makeAcquirerOnboarding(desk.office, {
        ...{ agentId: desk.partner.id, approvalState: 'approved', ...more },
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    })
    return {
      'acquirerOnboardings.details': () => made(),
      'acquirerOnboardings.preview': () => made(),
      'acquirerOnboardings.package (file)': () => made(),
    }
  },
  changes: desk => {
    const { office, partner } = desk
    const standing = async (more: Partial<Given> = {}) => {
      const { input, subject } = await desk.onShop()
      const merchantId = Number(input.id)
      const id = await makeAcquirerOnboarding(office, { agentId: partner.id, merchantId, ...more })
      return { id, merchantId, subject }
    }
    const of = async (more: Partial<Given> = {}) => ({ id: (await standing(more)).id, revision: 1 })
    const byStaff =
      (given: Partial<Given>, more: Record<string, unknown> = {}) =>
      async () => {
        const { id, subject } = await standing(given)
        return desk.asOperator({ id, revision: 1, ...more }, subject)
      }
    const APPROVED = { approvalState: 'approved' } as const
    let last = 10_000_000
    const opened = () => ({ ...APPROVED, state: 'opened' as const, code: `XL${++last}` })
    return {
      'acquirerOnboardings.begin': {
        async accepted() {
          const { input, subject } = await desk.onShop()
          const { rows } = await office.owner.query('select account from merchants where id = $1', [input.id])
          return desk.asPartner({ account: rows[0].account, channel: 'xl' }, subject)
        },
        refused: { input: () => ({ account: '1', channel: 'xl' }), code: 'ACCOUNT_UNKNOWN' },
      },
      'acquirerOnboardings.complete': {
        async accepted() {
          const { id, subject } = await standing()
          return desk.asPartner({ id, revision: 1, shortName: '老张', rate: '0.38' }, subject)
        },
        refused: { input: () => of({ approvalState: 'pending' }), code: 'PENDING_ALREADY' },
      },
      'acquirerOnboardings.submit': {
        async accepted() {
          const { id, merchantId, subject } = await standing()
          await makeKnown(office, partner, merchantId)
          return desk.asPartner({ id, revision: 1 }, subject)
        },
        refused: { input: () => of(), code: 'LACKING' },
      },
      'acquirerOnboardings.approve': {
        accepted: byStaff({ approvalState: 'pending' }),
        refused: { input: () => of(APPROVED), code: 'HANDLED_ALREADY' },
      },
      'acquirerOnboardings.reject': {
        accepted: byStaff({ approvalState: 'pending' }, { reasons: { company: '与执照不一致' } }),
        refused: { input: () => ({ id: 1, revision: 1, reasons: {} }), code: 'REASONS_REQUIRED' },
      },
      'acquirerOnboardings.handIn': {
        async accepted() {
          const { id, merchantId, subject } = await standing({
            ...{ ...APPROVED, channel: 'tianque', category: '餐馆', accountName: '老张面馆' },
          })
          await makeKnown(office, partner, merchantId)
          await office.owner.query(
            `update acquirer_onboardings set papers =
               (select jsonb_object_agg(kind, id) from documents where merchant_id = $2 and state = 'current') where id = $1`,
            [id, merchantId],
          )
          const { services } = office.app
          services.providers = {
            ...services.providers,
            acquirerOnboarding: { tianque: SILENT_ONBOARDING },
          }
          return desk.asOperator({ id, revision: 1 }, subject)
        },
        refused: { input: () => of(APPROVED), code: 'NOT_CONNECTED' },
      },
      'acquirerOnboardings.ask': {
        async accepted() {
          const { services } = office.app
          services.providers = {
            ...services.providers,
            acquirerOnboarding: { tianque: SILENT_ONBOARDING },
          }
          return byStaff({
            ...{
              ...APPROVED,
              channel: 'tianque',
              state: 'sent',
              requestNo: `A${++last}`,
              applicationId: '1',
            },
          })()
        },
        refused: { input: () => of({ ...APPROVED, state: 'sent' }), code: 'NOT_HANDED_IN' },
      },
      'acquirerOnboardings.send': {
        accepted: byStaff(APPROVED),
        refused: { input: () => of({ approvalState: 'pending' }), code: 'NOT_APPROVED' },
      },
      'acquirerOnboardings.refuse': {
        accepted: byStaff({ ...APPROVED, state: 'sent' }, { reasons: { other: '行业不符' } }),
        refused: {
          input: async () => ({ ...(await of(APPROVED)), reasons: { other: '行业不符' } }),
          code: 'NOT_SENT',
        },
      },
      'acquirerOnboardings.setCode': {
        accepted: byStaff({ ...APPROVED, state: 'sent' }, { code: 'XL10000000' }),
        refused: { input: async () => ({ ...(await of(APPROVED)), code: '1' }), code: 'CODE_WRONG' },
      },
      'acquirerOnboardings.setMerchantStatus': {
        accepted: async () => byStaff(opened(), { merchantStatus: 'frozen' })(),
        refused: {
          input: async () => ({ ...(await of(APPROVED)), merchantStatus: 'frozen' }),
          code: 'NO_CODE',
        },
      },
      'acquirerOnboardings.setActive': {
        accepted: byStaff({}, { isActive: false }),
        refused: { input: () => ({ id: 987_654_321, revision: 1, isActive: false }), code: 'NOT_FOUND' },
      },
      'acquirerOnboardings.setRemark': {
        async accepted() {
          const { id, subject } = await standing()
          return desk.asPartner({ id, revision: 1, remark: '加急' }, subject)
        },
        refused: { input: () => ({ id: 987_654_321, revision: 1, remark: '加急' }), code: 'NOT_FOUND' },
      },
      'acquirerOnboardings.handOver': {
        async accepted() {
          await offerMethod(office, partner.id, 'xl')
          const { id, subject } = await standing(opened())
          return desk.asOperator({ id, revision: 1, secret: 'k'.repeat(32) }, subject)
        },
        refused: { input: () => of(APPROVED), code: 'NO_CODE' },
      },
      'acquirerOnboardings.testPay': {
        async accepted() {
          const code = '399200000000001'
          const { id, subject, merchantId } = await standing({
            ...opened(),
            ...{ channel: 'tianque', code, handedOverCode: code },
          })
          await office.owner.query(
            'update merchants set payment_method_id = 13, payment_config = $2 where id = $1',
            [merchantId, office.app.services.secrets.encrypt(JSON.stringify({ mno: code }))],
          )
          const { services } = office.app
          services.providers = { ...services.providers, acquirers: { tianque: SILENT } }
          return desk.asOperator({ id }, subject)
        },
        refused: { input: async () => ({ id: (await standing()).id }), code: 'TEST_NOT_HANDED_OVER' },
      },
      'acquirerOnboardings.settleTest': {
        async accepted() {
          const { id, subject } = await standing(opened())
          return desk.asOperator(
            { id, ...(await stuck(office, id)), settleReason: '渠道后台已退款' },
            subject,
          )
        },
        refused: {
          async input() {
            const { id } = await standing(opened())
            const { testPaymentId } = await stuck(office, id)
            await office.owner.query('update acquirer_test_payments set stuck_at = null where id = $1', [
              testPaymentId,
            ])
            return { id, testPaymentId, settleReason: '渠道后台已退款' }
          },
          code: 'TEST_NOT_STUCK',
        },
      },
      'acquirerOnboardings.checkTest': {
        async accepted() {
          const { id, subject } = await standing(opened())
          const of = await stuck(office, id)
          await office.owner.query(
            `update acquirer_test_payments set settle_reason = '已退', settled_by = 0, settled_by_name = '王芳', settled_at = now()
               where id = $1`,
            [of.testPaymentId],
          )
          return desk.asOperator({ id, ...of, isRight: true }, subject)
        },
        refused: {
          async input() {
            const { id } = await standing(opened())
            return { id, ...(await stuck(office, id)), isRight: true }
          },
          code: 'TEST_NOT_SETTLING',
        },
      },
      'acquirerOnboardings.list (file)': {
        accepted: async () => desk.asPartner({ state: 'opened' }, '收单进件'),
        refused: { input: () => ({ state: 'nonsense' }), code: 'INPUT_INVALID' },
      },
      'acquirerOnboardings.package (file)': {
        async accepted() {
          const { id, merchantId, subject } = await standing(APPROVED)
          await makeVerification(office, { agentId: partner.id, merchantId })
          return desk.asOperator({ id }, subject)
        },
        refused: { input: async () => ({ id: (await standing()).id }), code: 'NOT_APPROVED' },
      },
    }
  },
}
