import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { notices as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { NOTICE_TEXTS } from './reference.ts'
import { EXPIRING_DAYS, KEPT_DAYS, LOW_SMS, LOW_TOKENS, WARN_FROM, WARN_UNTIL } from './rules.ts'
import { noticesRouter as router } from './server.ts'
import { redeliverNotices, startDelivery } from './server-delivery.ts'
import { setup } from './server-setup.ts'
import { noticeTexts } from './tables.ts'

const TEXT_TABLE: EditedTable = {
  key: 'notice-texts',
  title: '消息文案',
  about: '系统自动发出的站内消息。正文里的占位符发送时换成实际内容，一个也不能少。',
  table: noticeTexts,
  id: noticeTexts.key,
  named: 'name',
  fields: {
    name: { kind: 'text', label: '消息', shown: true },
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
    title: { kind: 'text', label: '标题', max: 20, required: true },
    body: { kind: 'text', label: '正文', max: 200, required: true, rows: 3, placeholders: 'variables' },
  },
  adds: false,
  orders: false,
  retires: false,
  uses: [],
}

export const feature = {
  setup,
  reference: [rowsOf(noticeTexts, NOTICE_TEXTS)],
  edited: [TEXT_TABLE],
  settings: [LOW_TOKENS, LOW_SMS, EXPIRING_DAYS, WARN_FROM, WARN_UNTIL, KEPT_DAYS],
  contract,
  router,
  jobs,
  clearing: [{ table: 'notices', at: 'created_at', after: KEPT_DAYS, oldestBy: 'id' }],
  loops: { notices: { everyMs: 10_000, afterMs: 0, ofEach: true, work: redeliverNotices } },
  realtime: startDelivery,
} satisfies Feature
