import { drizzle } from 'drizzle-orm/node-postgres'
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
const theirOwn = (more: Record<string, unknown> = {}) => ({
  as: ({ extra }: { extra: Record<string, unknown> }) => ({ id: extra.settled, ...more }),
  expect: ['NOT_FOUND'],
})

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    return { settled: await makeChange(office, { agentId: a.id, merchantId: a.shops[3] as number }, MARK) }
  },
  attempts: {
    'settlementAccounts.ofApplication': [theirOwn()],
    'settlementAccounts.standing': [theirOwn()],
    'settlementAccounts.change': [theirOwn(ACCOUNT)],
  },
  scoped: ['settlementAccounts.ofApplication', 'settlementAccounts.standing', 'settlementAccounts.change'],
  reads: desk => {
    const own = async () => ({
      id: await makeChange(desk.office, {
        agentId: desk.partner.id,
        merchantId: await makeMerchant(desk.office, desk.partner.id),
      }),
    })
    return { 'settlementAccounts.ofApplication': own, 'settlementAccounts.standing': own }
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
    }
  },
}
