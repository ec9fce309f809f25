import { drizzle } from 'drizzle-orm/node-postgres'
import {
  makeAcquirerOnboarding,
  makeKnown,
  SILENT_ONBOARDING,
} from '#features/acquiring/acquirer-onboardings/walk.ts'
import { connect, makeOnboarding } from '#features/acquiring/onboardings/walk.ts'
import type { Office } from '#test/app.ts'
import { makeMerchant } from '#test/make.ts'
import { type FeatureWalk, MARK } from '#test/walk-types.ts'
import { accountChanges } from './tables.ts'

type Of = { agentId: number; merchantId: number }

/** A change that has ended, of a shop that is open; answers the application's id. */
async function makeChange(office: Office, of: Of, bankName = '招商银行'): Promise<number> {
  const applicationId = await makeOnboarding(office, of, 'finished')
  const now = new Date().toISOString()
  await drizzle(office.owner)
    .insert(accountChanges)
    .values({
      ...{
        ...of,
        applicationId,
        channel: 'wechat',
        merchantCode: '1600000001',
        payType: 'private',
        holder: '张三',
        bankName,
      },
      ...{ bankRegion: '440305', bankCode: '1001', branchName: '科技园支行', branchNumber: '' },
      ...{ accountNumberMasked: '6214****0000', state: 'done', changeId: '1023000000000001' },
      ...{ requestedByName: '王小明', requestedAt: now, changedAt: now },
    })
  return applicationId
}

const ACCOUNT = {
  ...{ payType: 'private', bankRegion: '440305', bankName: '招商银行', bankCode: '1001' },
  ...{ branchName: '招商银行深圳科技园支行', accountNumber: '6214830100000000' },
}
/** A change at TianQue that has ended, of a shop that is open there; answers the onboarding's id. */
let opened = 0
async function makeAcquirerChange(office: Office, of: Of, bankName = '招商银行'): Promise<number> {
  const code = `3992${String(++opened).padStart(3, '0')}${String(of.merchantId).padStart(8, '0')}`
  const acquirerOnboardingId = await makeAcquirerOnboarding(office, {
    ...{ ...of, channel: 'tianque', approvalState: 'approved', state: 'opened', code },
  })
  const now = new Date().toISOString()
  await drizzle(office.owner)
    .insert(accountChanges)
    .values({
      ...{ ...of, acquirerOnboardingId, channel: 'tianque', merchantCode: code, payType: 'corporate' },
      ...{ holder: '老张面馆', bankName, bankRegion: '440305', bankCode: '', branchName: '科技园支行' },
      ...{ branchNumber: '308584000013', accountNumberMasked: '755********0018', state: 'done' },
      ...{
        changeId: '1',
        requestNo: `C${code}`,
        requestedByName: '王小明',
        requestedAt: now,
        changedAt: now,
      },
    })
  return acquirerOnboardingId
}

const AT_ACQUIRER = {
  ...{ payType: 'corporate', bankRegion: '440305', bankName: '招商银行', bankCode: '' },
  ...{ branchName: '科技园支行', branchNumber: '308584000013', accountNumber: '755900000020029' },
}
const theirOwnAcquirer = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.settledAcquirer, ...more }),
  expect: ['NOT_FOUND'],
})

const theirOwn = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.settled, ...more }),
  expect: ['NOT_FOUND'],
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const of = { agentId: a.id, merchantId: a.shops[3] as number }
    return {
      settled: await makeChange(office, of, MARK),
      settledAcquirer: await makeAcquirerChange(office, of, MARK),
    }
  },
  attempts: {
    'settlementAccounts.ofApplication': [theirOwn()],
    'settlementAccounts.standing': [theirOwn()],
    'settlementAccounts.change': [theirOwn(ACCOUNT)],
    'settlementAccounts.ofAcquirer': [theirOwnAcquirer()],
    'settlementAccounts.changeAtAcquirer': [theirOwnAcquirer({ ...AT_ACQUIRER, documentId: 1 })],
  },
  scoped: [
    ...['settlementAccounts.ofApplication', 'settlementAccounts.standing', 'settlementAccounts.change'],
    ...['settlementAccounts.ofAcquirer', 'settlementAccounts.changeAtAcquirer'],
  ],
  reads: desk => {
    const own = async () => ({
      id: await makeChange(desk.office, {
        agentId: desk.partner.id,
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    })
    const ownAcquirer = async () => ({
      id: await makeAcquirerChange(desk.office, {
        agentId: desk.partner.id,
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    })
    return {
      'settlementAccounts.ofApplication': own,
      'settlementAccounts.standing': own,
      'settlementAccounts.ofAcquirer': ownAcquirer,
    }
  },
  changes: desk => {
    const opened = async () => {
      const { input, subject } = await desk.onShop()
      const of = { agentId: desk.partner.id, merchantId: Number(input.id) }
      return { id: await makeChange(desk.office, of), subject }
    }
    return {
      'settlementAccounts.change': {
        async accepted() {
          connect(desk)
          const { id, subject } = await opened()
          return desk.asOperator({ id, ...ACCOUNT }, subject)
        },
        refused: {
          async input() {
            const { input } = await desk.onShop()
            const of = { agentId: desk.partner.id, merchantId: Number(input.id) }
            return { id: await makeOnboarding(desk.office, of, 'asked'), ...ACCOUNT }
          },
          code: 'NOT_FINISHED',
        },
      },
      'settlementAccounts.changeAtAcquirer': {
        async accepted() {
          const { services } = desk.office.app
          services.providers = {
            ...services.providers,
            acquirerOnboarding: { tianque: SILENT_ONBOARDING },
          }
          const { input, subject } = await desk.onShop()
          const merchantId = Number(input.id)
          const { papers } = await makeKnown(desk.office, desk.partner, merchantId)
          const id = await makeAcquirerChange(desk.office, { agentId: desk.partner.id, merchantId })
          return desk.asOperator({ id, ...AT_ACQUIRER, documentId: papers.permitId }, subject)
        },
        refused: {
          async input() {
            const { input } = await desk.onShop()
            const of = { agentId: desk.partner.id, merchantId: Number(input.id) }
            const id = await makeAcquirerOnboarding(desk.office, { ...of, channel: 'tianque' })
            return { id, ...AT_ACQUIRER, documentId: null }
          },
          code: 'NOT_OPENED',
        },
      },
    }
  },
}
