import { type Feature, rowsOf } from '#server/feature.ts'
import type { EditedTable } from '#server/office/reference-tables.ts'
import { messages as contract } from './contract.ts'
import { SMS_TEMPLATES } from './reference.ts'
import { CODE_RESEND, CODES_PER_DAY, CODES_PER_HOUR } from './rules.ts'
import { messagesRouter as router } from './server.ts'
import { askAboutSent } from './server-details.ts'
import { receiptCallback } from './server-receipts.ts'
import { sendQueued } from './server-sending.ts'
import { refuseTurnedOff } from './server-templates.ts'
import { smsTemplates } from './tables.ts'

const TEMPLATE_TABLE: EditedTable = {
  key: 'sms-templates',
  title: '短信模板',
  about: '短信正文须与服务商审核通过的一致，这里填写审核后得到的模板编号。',
  table: smsTemplates,
  id: smsTemplates.key,
  named: 'name',
  fields: {
    name: { kind: 'text', label: '模板', shown: true },
    text: { kind: 'text', label: '正文', shown: true, rows: 3 },
    aliyunCode: { kind: 'text', label: '阿里云模板编号', max: 40, required: true },
    tencentId: { kind: 'text', label: '腾讯云模板编号', max: 40, required: true },
    enabled: { kind: 'flag', label: '启用' },
  },
  adds: false,
  orders: false,
  retires: false,
  uses: [],
  refuse: refuseTurnedOff,
}

export const feature = {
  contract,
  router,
  callbacks: [receiptCallback],
  reference: [rowsOf(smsTemplates, SMS_TEMPLATES)],
  edited: [TEMPLATE_TABLE],
  settings: [CODE_RESEND, CODES_PER_HOUR, CODES_PER_DAY],
  clearing: [`delete from verification_codes where expires_at < now() - interval '2 days'`],
  loops: {
    sending: { everyMs: 2_000, afterMs: 20, work: sendQueued, heard: 'outbox_queued' },
    asking: { everyMs: 5_000, afterMs: 0, work: askAboutSent },
  },
} satisfies Feature
