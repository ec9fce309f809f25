import { type Feature, rowsOf } from '#server/feature.ts'
import { messages as contract } from './contract.ts'
import { SMS_TEMPLATES } from './reference.ts'
import { messagesRouter as router } from './server.ts'
import { askAboutSent } from './server-details.ts'
import { receiptCallback } from './server-receipts.ts'
import { sendQueued } from './server-sending.ts'
import { smsTemplates } from './tables.ts'

export const feature = {
  contract,
  router,
  callbacks: [receiptCallback],
  reference: [rowsOf(smsTemplates, SMS_TEMPLATES)],
  clearing: [`delete from verification_codes where expires_at < now() - interval '2 days'`],
  loops: {
    sending: { everyMs: 2_000, afterMs: 20, work: sendQueued, heard: 'outbox_queued' },
    asking: { everyMs: 5_000, afterMs: 0, work: askAboutSent },
  },
} satisfies Feature
