import { drizzle } from 'drizzle-orm/node-postgres'
import { makeApplication } from '#features/acquiring/payment-applications/walk.ts'
import { makeDocument, type Uploader } from '#features/care/documents/walk.ts'
import { makePapers, makeVerification } from '#features/care/verification/walk.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import type { OnboardingDesk } from '#kit/ports/onboarding.ts'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type Desk, type FeatureWalk, MARK } from '#test/walk-types.ts'
import type { OnboardingStep } from './rules.ts'
import { onboardingPeople, onboardings } from './tables.ts'

type Of = { agentId: number; merchantId: number; shortName?: string }

/** What was completed of an application that is approved, standing so at the service; answers the application's id. */
export async function makeOnboarding(office: Office, of: Of, state: OnboardingStep): Promise<number> {
  const { agentId, merchantId, shortName = '老张面馆' } = of
  const applicationId = await makeApplication(office, { agentId, merchantId, state: 'approved' })
  const now = new Date().toISOString()
  await drizzle(office.owner)
    .insert(onboardings)
    .values({
      ...{ agentId, merchantId, applicationId, state, shortName, subjectKind: 'individual' },
      ...{ savedByName: '王小明', savedAt: now, changedAt: now },
      ...(state === 'asked' && { businessCode: `PO_${applicationId}_1`, nextAt: now }),
      ...(state === 'finished' && { businessCode: `PO_${applicationId}_1`, subMerchantId: '1600000001' }),
    })
  return applicationId
}

const silent = () => Promise.reject(new ProviderUnknown('a walk asks no service'))
const [name] = PAY_CHANNELS
export const SILENT: OnboardingDesk = {
  name,
  directory: { banks: silent, banksOfNumber: silent, provinces: silent, cities: silent, branches: silent },
  categories: {
    rows: [
      {
        ...{ id: '719', subjects: ['individual'], qualificationType: '餐饮', rateBasisPoints: 60 },
        ...{ settledAfterDays: 1, papers: '', arePapersRequired: false },
      },
    ],
    ...{ source: '示例', asOf: '2026-01-01' },
  },
  ...{ upload: silent, submit: silent, ask: silent, accountOf: silent, changeAccount: silent },
  ...{ askChange: silent, troubleOf: () => ({ turn: 'later', field: null, words: '' }) },
}

/** An office that a service is connected to, though it does not answer. */
export function connect({ office }: Desk): void {
  const { services } = office.app
  services.providers = { ...services.providers, onboarding: SILENT }
}

/** Nothing is wanting. */
async function makeWhole(desk: Desk, merchantId: number): Promise<number> {
  const { office, partner } = desk
  const of = { agentId: partner.id, merchantId }
  const papers = await makePapers(office, partner, merchantId)
  await makeVerification(office, { ...of, ...papers, company: '老张面馆' })
  await office.owner.query(`update documents set facts = '\\x00' where id = $1`, [papers.idFrontId])
  const id = await makeOnboarding(office, of, 'filling')
  await office.owner.query(
    `update payment_applications set bank_code = '1001', id_front_id = $2 where id = $1`,
    [...[id, papers.idFrontId]],
  )
  await office.owner.query(`update merchants set address = '科技路1号' where id = $1`, [merchantId])
  await office.owner.query(
    `update onboardings set licence_address = '科技路1号', licence_from = '2018-05-01', is_licence_long_term = true,
       id_from = '2020-01-01', is_id_long_term = true, service_phone = '0755-88886666', category = '719 餐饮',
       account_number = '\\x00', account_number_masked = '7****1' where application_id = $1`,
    [id],
  )
  return id
}

/** Somebody beside the legal person, whose paper is there. */
async function makePerson(
  office: Office,
  by: Uploader,
  applicationId: number,
): Promise<{ id: number; frontId: number }> {
  const { rows } = await office.owner.query(
    'select id::int, merchant_id::int from onboardings where application_id = $1',
    [applicationId],
  )
  const [{ id: onboardingId, merchant_id: merchantId }] = rows
  const frontId = await makeDocument(office, { by, merchantId, kind: 'personIdFront' })
  const now = new Date().toISOString()
  const [made] = await drizzle(office.owner)
    .insert(onboardingPeople)
    .values({
      ...{
        agentId: by.id,
        merchantId,
        onboardingId,
        role: 'deputy',
        idKind: 'overseaPassport',
        frontId,
      },
      ...{
        name: '李四',
        idNumber: office.app.services.secrets.encrypt('E12345678'),
        idNumberMasked: 'E*******8',
      },
      ...{ idFrom: '2020-01-01', isIdLongTerm: true, savedByName: '王小明', savedAt: now },
    })
    .returning({ id: onboardingPeople.id })
  return { id: made?.id as number, frontId }
}

const PASSPORT = {
  ...{ role: 'deputy', idKind: 'overseaPassport', name: '李四', idNumber: 'E12345678' },
  ...{ idFrom: '2020-01-01', isIdLongTerm: true },
} as const

const NONE = ['NOT_FOUND']
const theirOwn = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.onboarded, ...more }),
  expect: NONE,
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const merchantId = a.shops[2] as number
    const onboarded = await makeOnboarding(office, { agentId: a.id, merchantId, shortName: MARK }, 'filling')
    const { id: onboardedPerson, frontId: personPaper } = await makePerson(office, a, onboarded)
    return { onboarded, onboardedPerson, personPaper }
  },
  attempts: {
    'onboardings.ofApplication': [theirOwn()],
    'onboardings.complete': [theirOwn({ revision: 1, subjectKind: 'individual' })],
    'onboardings.savePerson': [
      {
        as: ({ extra }) => ({
          ...{ id: extra.onboarded, revision: 1, ...PASSPORT },
          ...{ personId: extra.onboardedPerson, frontId: extra.personPaper },
        }),
        expect: NONE,
      },
    ],
    'onboardings.removePerson': [
      {
        as: ({ extra }) => ({ id: extra.onboarded, revision: 1, personId: extra.onboardedPerson }),
        expect: NONE,
      },
    ],
    'onboardings.submit': [theirOwn({ revision: 1 })],
    'onboardings.ask': [theirOwn()],
    'onboardings.handOver': [theirOwn()],
    'onboardings.zip (file)': [theirOwn()],
  },
  scoped: [
    'onboardings.ofApplication',
    'onboardings.complete',
    'onboardings.savePerson',
    'onboardings.removePerson',
    'onboardings.submit',
    'onboardings.ask',
    'onboardings.handOver',
    'onboardings.zip (file)',
  ],
  reads: desk => ({
    'onboardings.ofApplication': async () => ({
      id: await makeOnboarding(
        desk.office,
        { agentId: desk.partner.id, merchantId: await makeMerchant(desk.office, desk.partner.id) },
        'filling',
      ),
    }),
    'onboardings.zip (file)': async () => {
      const of = {
        agentId: desk.partner.id,
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }
      const id = await makeOnboarding(desk.office, of, 'filling')
      await makePerson(desk.office, desk.partner, id)
      return { id }
    },
  }),
  changes: desk => {
    const standing = async (state: OnboardingStep) => {
      const { input, subject } = await desk.onShop()
      const of = { agentId: desk.partner.id, merchantId: Number(input.id) }
      return { id: await makeOnboarding(desk.office, of, state), subject }
    }
    return {
      'onboardings.complete': {
        async accepted() {
          const { id, subject } = await standing('filling')
          return desk.asPartner({ id, revision: 1, subjectKind: 'enterprise', shortName: '老张' }, subject)
        },
        refused: {
          input: async () => ({ id: (await standing('asked')).id, revision: 1, subjectKind: 'individual' }),
          code: 'UNDER_WAY',
        },
      },
      'onboardings.savePerson': {
        async accepted() {
          const { input, subject } = await desk.onShop()
          const of = { agentId: desk.partner.id, merchantId: Number(input.id) }
          const id = await makeOnboarding(desk.office, of, 'filling')
          const by = { by: desk.partner, merchantId: of.merchantId, kind: 'personIdFront' } as const
          const frontId = await makeDocument(desk.office, by)
          return desk.asPartner({ id, revision: 1, ...PASSPORT, frontId }, subject)
        },
        refused: {
          input: async () => ({ id: (await standing('asked')).id, revision: 1, ...PASSPORT, frontId: 1 }),
          code: 'UNDER_WAY',
        },
      },
      'onboardings.removePerson': {
        async accepted() {
          const { id, subject } = await standing('filling')
          return desk.asPartner(
            { id, revision: 1, personId: (await makePerson(desk.office, desk.partner, id)).id },
            subject,
          )
        },
        refused: {
          input: async () => ({ id: (await standing('asked')).id, revision: 1, personId: 1 }),
          code: 'UNDER_WAY',
        },
      },
      'onboardings.submit': {
        async accepted() {
          connect(desk)
          const { input, subject } = await desk.onShop()
          return desk.asOperator({ id: await makeWhole(desk, Number(input.id)), revision: 1 }, subject)
        },
        refused: {
          async input() {
            connect(desk)
            return { id: (await standing('asked')).id, revision: 1 }
          },
          code: 'ALREADY_UNDER_WAY',
        },
      },
      'onboardings.ask': {
        async accepted() {
          const { id, subject } = await standing('asked')
          return desk.asPartner({ id }, subject)
        },
        refused: { input: async () => ({ id: (await standing('filling')).id }), code: 'NOT_HANDED_IN' },
      },
      'onboardings.handOver': {
        async accepted() {
          const { id, subject } = await standing('finished')
          return desk.asOperator({ id }, subject)
        },
        refused: { input: async () => ({ id: (await standing('asked')).id }), code: 'NO_NUMBER' },
      },
      'onboardings.zip (file)': {
        async accepted() {
          const { id, subject } = await standing('filling')
          await makePerson(desk.office, desk.partner, id)
          return desk.asPartner({ id }, subject)
        },
        refused: { input: async () => ({ id: (await standing('filling')).id }), code: 'NO_PAPERS' },
      },
    }
  },
}
