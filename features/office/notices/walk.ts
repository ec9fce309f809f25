import { actAsSystem } from '#server/system.ts'
import type { Office } from '#test/app.ts'
import { type FeatureWalk, own } from '#test/walk-types.ts'
import { notify } from './server-notify.ts'

const THRESHOLDS = { tokenCents: 50_000, sms: 500, expiringDays: 7 }
const PREFERENCES = {
  topics: [{ topic: 'PaymentStatus_Notify' as const, enabled: true }],
  thresholds: THRESHOLDS,
}

/** Of the last change: what stands already is none. */
let sms = THRESHOLDS.sms

async function told(office: Office, agentId: number, accountId: number, title: string): Promise<string> {
  await actAsSystem(office.app.services, 'walk', ctx =>
    notify(ctx, { agentId, topic: 'PaymentStatus_Notify', title, body: title }),
  )
  const { rows } = await office.owner.query(
    'select trace_id from notices where account_id = $1 order by id desc limit 1',
    [accountId],
  )
  return rows[0].trace_id
}

export const walk: FeatureWalk = {
  sessionOnly: [
    'notices.list',
    'notices.unread',
    'notices.read',
    'notices.preferences',
    'notices.setPreferences',
  ],
  movesMoney: [],
  scene: async ({ office, a }) => ({ notice: await told(office, a.id, a.accountId, '甲方专有') }),
  attempts: {
    'notices.list': [{ as: () => ({}), expect: 'empty' }],
    'notices.unread': [own()],
    'notices.read': [{ as: ({ extra }) => ({ traceId: extra.notice }), expect: ['NOT_FOUND'] }],
    'notices.preferences': [own()],
    'notices.setPreferences': [own(PREFERENCES)],
  },
  scoped: [],
  changes: desk => ({
    'notices.setPreferences': {
      accepted: async () =>
        desk.asPartner({ ...PREFERENCES, thresholds: { ...THRESHOLDS, sms: ++sms } }, '消息设置'),
      refused: {
        input: () => ({ ...PREFERENCES, thresholds: { ...THRESHOLDS, sms: 0 } }),
        code: 'THRESHOLD_INVALID',
      },
    },
  }),
}
