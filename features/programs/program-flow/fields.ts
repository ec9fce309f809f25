// What the flow of a mini program shows, its list, and what its forms ask for (D2 §2 21, 23; D3 §2).
import { DOCUMENT_COLUMNS } from '#features/money/ledger/fields.ts'
import { APPLICATION_FIELDS } from '#features/programs/program-applications/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { FLOW_STATES, LIMITS, PROGRESS, REAL_NAMES, TURNS } from './rules.ts'

const OF = APPLICATION_FIELDS

export const FLOW_FIELDS = {
  id: OF.id,
  merchantId: OF.merchantId,
  shopName: OF.shopName,
  account: OF.account,
  kind: OF.kind,
  programName: OF.programName,
  programType: OF.programType,
  state: {
    kind: 'word',
    label: '进度',
    words: FLOW_STATES,
    tones: {
      ...{ review: 'attention', toCreate: 'attention', creating: 'neutral', faceCheck: 'attention' },
      ...{ creationRefused: 'problem', toAuthorize: 'attention', toTakeOver: 'attention' },
      ...{ authorized: 'attention', profile: 'attention', code: 'neutral', inAudit: 'neutral' },
      released: 'done',
    },
    in: ['row'],
  },
  progress: { kind: 'word', label: '完成情况', words: PROGRESS },
  waits: { kind: 'text', label: '等待事项', in: ['row'] },
  turn: { kind: 'word', label: '当前处理方', words: TURNS, nullable: true, none: '', in: ['row'] },
  message: { kind: 'text', label: '微信答复', none: '', in: ['row'] },
  appid: { kind: 'text', label: 'AppID', nullable: true, none: '', in: ['row'] },
  liveVersion: { kind: 'text', label: '线上版本', none: '', in: ['row'] },
  newVersion: { kind: 'text', label: '新版本', none: '', in: ['row'] },
  remark: {
    kind: 'text',
    label: '备注',
    max: LIMITS.remark,
    none: '',
    in: ['row'],
    control: { as: 'lines', rows: 4, counted: true },
  },
  realName: { kind: 'word', label: '实名状态', words: REAL_NAMES },
  createdAt: OF.createdAt,
  deletedAt: OF.deletedAt,
  agentId: OF.agentId,
  agentName: OF.agentName,
} as const satisfies Fields
const FIELDS = FLOW_FIELDS

/** D2 §2 21. */
export const FLOWS = list({
  key: 'programFlow.list',
  title: '小程序进度',
  fields: FIELDS,
  columns: {
    account: {
      title: '软件账号 / 店铺',
      width: 160,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['shopName'],
    },
    programName: { title: '小程序名称 / AppID', width: 152, card: 'fact', below: ['appid'] },
    programType: { title: '类别 / 类型', width: 120, below: ['kind'] },
    state: { title: '进度 / 处理方', width: 112, card: 'fact', below: ['turn'] },
    waits: { title: '等待事项 / 微信答复、备注', width: 192, card: 'fact', below: ['message', 'remark'] },
    liveVersion: { title: '线上版本 / 新版本', width: 120, below: ['newVersion'] },
    createdAt: { title: '创建', width: 104, card: 'fact', hidden: true },
    agentName: DOCUMENT_COLUMNS.agentName,
    merchantId: { width: 96, hidden: true },
    deletedAt: { width: 104, hidden: true },
  },
  search: '商户ID / 店铺名称 / 软件账号',
  filters: {
    progress: byWord(FIELDS.progress),
    programType: byWord(FIELDS.programType),
    agentId: BY_AGENT,
    deleted: { kind: 'flag', label: '回收站', words: { true: '已删除' } },
  },
  sorts: ['createdAt'],
  empty: '没有符合条件的小程序，申请审核通过后会出现在这里',
})

/** What the platform is asked to register (D3 §2). */
export const REGISTRANT = {
  companyName: OF.companyName,
  companyCode: OF.companyCode,
  legalPersonName: OF.legalPersonName,
  legalPersonWechat: OF.legalPersonWechat,
  servicePhone: OF.servicePhone,
} as const satisfies Fields

export const REMARK = { remark: FIELDS.remark } as const satisfies Fields
