import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { messages as contract } from './contract.ts'
import { SMS_TEMPLATES } from './reference.ts'
import { CODE_RESEND, CODES_PER_DAY, CODES_PER_HOUR, MESSAGES_KEPT, REMINDER_HOURS } from './rules.ts'
import { messagesRouter as router } from './server.ts'
import { askAboutSent } from './server-details.ts'
import { receiptCallback } from './server-receipts.ts'
import { sendQueued } from './server-sending.ts'
import { setup } from './server-setup.ts'
import { refuseTurnedOff } from './server-templates.ts'
import { smsTemplates } from './tables.ts'

const TEMPLATE_TABLE: EditedTable = {
  key: 'sms-templates',
  title: '短信模板',
  about:
    '短信正文须与服务商审核通过的一致：修改正文后先提交服务商审核，再填写审核后得到的模板编号。正文里的占位符发送时换成实际内容，一个也不能少。',
  table: smsTemplates,
  id: smsTemplates.key,
  named: 'name',
  fields: {
    name: { kind: 'text', label: '模板', shown: true },
    variables: {
      kind: 'text',
      label: '占位符',
      shown: true,
      lines: {
        by: 'name',
        most: 20,
        fields: { name: { label: '名称', kind: 'text' }, label: { label: '含义', kind: 'text' } },
      },
    },
    text: { kind: 'text', label: '正文', max: 300, required: true, rows: 4, placeholders: 'variables' },
    aliyunCode: { kind: 'text', label: '阿里云模板编号', max: 40, required: true },
    tencentId: { kind: 'text', label: '腾讯云模板编号', max: 40, required: true },
    enabled: { kind: 'flag', label: '启用' },
  },
  adds: false,
  orders: false,
  retires: false,
  uses: [],
  labels: { forCampaigns: '可群发' },
  refuse: refuseTurnedOff,
}

export const feature = {
  setup,
  contract,
  router,
  callbacks: [receiptCallback],
  reference: [rowsOf(smsTemplates, SMS_TEMPLATES)],
  edited: [TEMPLATE_TABLE],
  settings: [CODE_RESEND, CODES_PER_HOUR, CODES_PER_DAY, REMINDER_HOURS, MESSAGES_KEPT],
  clearing: [
    { table: 'verification_codes', at: 'expires_at', after: { days: 2 } },
    {
      ...{ table: 'outbox_messages', at: 'created_at', after: MESSAGES_KEPT },
      only: `payer = 'vendor' and charged = 0`,
    },
  ],
  loops: {
    sending: { everyMs: 2_000, afterMs: 20, work: sendQueued, heard: 'outbox_queued' },
    asking: { everyMs: 5_000, afterMs: 0, work: askAboutSent },
  },
} satisfies Feature
