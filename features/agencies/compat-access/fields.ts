// What is told of the documents' calls and of who makes them, and how one's own door is opened.
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { PASSWORD_MAX } from '#kit/words/password.ts'
import { CALL_STATES, TERMS } from './rules.ts'

export const COMPAT_USE_FIELDS = {
  id: { kind: 'id', label: '记录编号', in: ['row'] },
  call: { kind: 'text', label: '接口', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: CALL_STATES,
    tones: { open: 'done', closed: 'neutral' },
    in: ['row'],
  },
  agentName: { kind: 'text', label: '代理商', in: ['row'] },
  accountName: { kind: 'text', label: '账号', in: ['row'] },
  calls: { kind: 'count', label: '调用次数', unit: '次', in: ['row'] },
  lastUsedAt: { kind: 'instant', label: '最近使用', in: ['row'] },
  lastIp: { kind: 'text', label: '来源地址', in: ['row'] },
  expiresOn: { kind: 'day', label: '开通至', nullable: true, none: '已关闭', in: ['row'] },
} as const satisfies Fields

export const COMPAT_USES = list({
  key: 'compatAccess.uses',
  title: '旧接口使用情况',
  fields: COMPAT_USE_FIELDS,
  columns: {
    call: { width: 248, fixed: 'start', card: 'title' },
    state: { width: 96, card: 'fact' },
    agentName: { title: '代理商 / 账号', width: 208, card: 'fact', below: ['accountName'] },
    calls: { width: 112, card: 'fact' },
    lastUsedAt: { width: 136, card: 'fact' },
    lastIp: { width: 144 },
    expiresOn: { width: 112, card: 'fact' },
    accountName: { hidden: true },
  },
  search: '接口 / 代理商 / 账号',
  filters: { state: byWord(COMPAT_USE_FIELDS.state) },
  empty: '还没有程序使用旧接口',
})

/** How a person opens it. */
export const OPENING = {
  password: {
    kind: 'text',
    label: '登录密码',
    max: PASSWORD_MAX,
    control: { as: 'text', required: true, secret: true },
  },
  days: {
    kind: 'word',
    label: '有效期',
    words: TERMS,
    control: { as: 'choice', look: 'buttons', first: 'd30', required: true },
  },
} as const satisfies Fields
