import { drizzle } from 'drizzle-orm/node-postgres'
import { onboardings } from '#features/acquiring/onboardings/tables.ts'
import { makeApplication } from '#features/acquiring/payment-applications/walk.ts'
import type { Office } from '#test/app.ts'
import { connectSms } from '#test/silent-sms.ts'
import { type FeatureWalk, own, search } from '#test/walk-types.ts'

/** An application whose shop is to sign at the payment service; answers the id of its row on the board. */
export async function makeToSign(
  office: Office,
  of: { agentId: number; merchantId: number; phone?: string; changedAt?: string },
): Promise<number> {
  const { changedAt = new Date().toISOString(), phone = '13800138000', ...shop } = of
  const applicationId = await makeApplication(office, {
    ...{ ...shop, phone, state: 'approved', reviewState: 'accepting', serviceState: 'toBeSigned' },
    ...{ savedAt: changedAt, submittedAt: changedAt, handledAt: changedAt },
  })
  await drizzle(office.owner)
    .insert(onboardings)
    .values({
      ...{ ...shop, applicationId, state: 'asked', subjectKind: 'individual', changedAt },
      ...{ savedByName: '王小明', savedAt: changedAt, signUrl: 'https://pay.example.com/sign/1' },
    })
  const { rows } = await office.owner.query(
    `select id from acquiring_progress where kind = 'application' and source_id = $1`,
    [applicationId],
  )
  return rows[0].id
}

export const walk: FeatureWalk = {
  sessionOnly: [],
  movesMoney: [],
  async scene({ office, a }) {
    const { rows } = await office.owner.query(
      'select id from acquiring_progress where merchant_id = $1 order by id limit 1',
      [a.shops[0]],
    )
    return { progressRow: rows[0]?.id }
  },
  attempts: {
    'acquiringProgress.list': [own(), search(({ a }) => a.shops[0])],
    'acquiringProgress.list (file)': [own(), search(({ a }) => String(a.shops[0]))],
    'acquiringProgress.counts': [own()],
    'acquiringProgress.times': [own()],
    'acquiringProgress.remind': [
      { as: ({ extra }) => ({ id: extra.progressRow, step: 'signing' }), expect: ['NOT_FOUND'] },
    ],
  },
  scoped: ['acquiringProgress.list', 'acquiringProgress.list (file)', 'acquiringProgress.remind'],
  changes: desk => {
    const toSign = async () => {
      const { input, subject } = await desk.onShop()
      const merchantId = Number(input.id)
      return { id: await makeToSign(desk.office, { agentId: desk.partner.id, merchantId }), subject }
    }
    return {
      'acquiringProgress.remind': {
        async accepted() {
          connectSms(desk.office)
          const { id, subject } = await toSign()
          return desk.asPartner({ id, step: 'signing' }, subject)
        },
        refused: { input: async () => ({ id: (await toSign()).id, step: 'confirming' }), code: 'STALE' },
      },
      'acquiringProgress.list (file)': {
        accepted: async () => desk.asPartner({ turn: 'shop' }, '开通进度'),
        refused: { input: () => ({ turn: 'nonsense' }), code: 'INPUT_INVALID' },
      },
    }
  },
}
