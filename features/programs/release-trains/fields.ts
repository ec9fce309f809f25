// What a release to many mini programs shows, its lists, and what its forms ask for.
import { APPLICATION_FIELDS } from '#features/programs/program-applications/fields.ts'
import { PROGRAM_TYPES } from '#features/programs/program-applications/rules.ts'
import { FLOW_STATES } from '#features/programs/program-flow/rules.ts'
import { FEEDBACK } from '#features/programs/program-versions/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { BY_AGENT, byWord, list } from '#kit/declare/list.ts'
import { LIMITS, TRAIN_SHOP_STATES, TRAIN_STATES } from './rules.ts'

const OF = APPLICATION_FIELDS

export const TRAIN_FIELDS = {
  name: { kind: 'text', label: '任务名称', max: LIMITS.name, in: ['row'] },
  version: { kind: 'text', label: '发布版本', in: ['row'] },
  tag: { kind: 'text', label: '模板', in: ['row'] },
  state: {
    kind: 'word',
    label: '状态',
    words: TRAIN_STATES,
    tones: {
      ...{ running: 'neutral', paused: 'attention', halted: 'problem' },
      ...{ finished: 'done', stopped: 'neutral' },
    },
    in: ['row'],
  },
  reason: { kind: 'text', label: '停止原因', none: '', in: ['row'] },
  wave: { kind: 'count', label: '当前批次', in: ['row'] },
  waves: { kind: 'count', label: '批次', unit: '批', in: ['row'] },
  shops: { kind: 'count', label: '小程序', unit: '家', in: ['row'] },
  released: { kind: 'count', label: '已发布', unit: '家', in: ['row'] },
  refused: { kind: 'count', label: '未通过', unit: '家', in: ['row'] },
  waveSize: { kind: 'count', label: '每批家数', unit: '家', in: ['row'] },
  haltPercent: { kind: 'count', label: '停止比例', unit: '%', in: ['row'] },
  haltFrom: { kind: 'count', label: '起算家数', unit: '家', in: ['row'] },
  createdByName: { kind: 'text', label: '发起人', in: ['row'] },
  createdAt: { kind: 'instant', label: '发起时间', in: ['row'] },
  changedAt: { kind: 'instant', label: '状态变更时间', in: ['row'] },
} as const satisfies Fields

export const TRAINS = list({
  key: 'releaseTrains.list',
  title: '小程序分批发布',
  fields: TRAIN_FIELDS,
  columns: {
    name: { width: 200, fixed: 'start', opens: true, card: 'title', below: ['tag'] },
    version: { width: 96, card: 'fact' },
    state: { title: '状态 / 停止原因', width: 200, card: 'fact', below: ['reason'] },
    wave: { title: '当前批次 / 批次', width: 112, below: ['waves'] },
    released: { title: '已发布 / 小程序', width: 120, card: 'fact', below: ['shops'] },
    refused: { width: 80, card: 'fact' },
    createdByName: { width: 96 },
    createdAt: { width: 112 },
    waveSize: { hidden: true },
    haltPercent: { hidden: true },
    haltFrom: { hidden: true },
    changedAt: { hidden: true },
  },
  search: '任务名称',
  filters: { state: byWord(TRAIN_FIELDS.state) },
  empty: '还没有分批发布过小程序，选择模板与小程序后即可开始',
})

export const TRAIN_SHOP_FIELDS = {
  merchantId: OF.merchantId,
  shopName: OF.shopName,
  account: OF.account,
  programName: OF.programName,
  wave: { kind: 'count', label: '批次', in: ['row'] },
  state: {
    kind: 'word',
    label: '进度',
    words: TRAIN_SHOP_STATES,
    tones: {
      ...{ waiting: 'neutral', committing: 'neutral', ready: 'neutral', submitting: 'neutral' },
      ...{ inAudit: 'neutral', passed: 'attention', releasing: 'neutral', released: 'done' },
      ...{ refused: 'problem', failed: 'problem', skipped: 'attention', left: 'neutral' },
      ...{ toRollBack: 'attention', rollingBack: 'attention', rolledBack: 'neutral' },
    },
    in: ['row'],
  },
  reason: { kind: 'text', label: '原因', none: '', in: ['row'] },
  version: { kind: 'text', label: '发布版本', in: ['row'] },
  corrections: { kind: 'count', label: '重新提交', unit: '次', in: ['row'] },
  changedAt: { kind: 'instant', label: '变更时间', in: ['row'] },
  agentId: OF.agentId,
  agentName: OF.agentName,
} as const satisfies Fields

/** The mini programs of one. */
export const TRAIN_SHOPS = list({
  key: 'releaseTrains.shops',
  title: '分批发布详情',
  fields: TRAIN_SHOP_FIELDS,
  columns: {
    account: {
      title: '软件账号 / 店铺',
      width: 176,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['shopName'],
    },
    programName: { title: '小程序名称 / 版本', width: 152, below: ['version'] },
    wave: { width: 64, card: 'fact' },
    state: { width: 104, card: 'fact' },
    reason: { width: 280, card: 'whole' },
    agentName: { width: 152 },
    changedAt: { width: 112 },
    corrections: { hidden: true },
    merchantId: { width: 96, hidden: true },
  },
  filters: { state: byWord(TRAIN_SHOP_FIELDS.state), agentId: BY_AGENT },
  empty: '没有符合条件的小程序',
})

/** In which states of the flow a mini program can be chosen. */
export const CHOSEN_STATES = { code: FLOW_STATES.code, released: FLOW_STATES.released } as const

/** The template and by what mini programs are chosen; what is left empty chooses all. */
export const RANGE = {
  template: {
    kind: 'text',
    label: '代码模板',
    control: { as: 'own', required: true, missing: '请选择代码模板' },
  },
  programType: {
    ...{ kind: 'word', label: OF.programType.label, words: PROGRAM_TYPES, nullable: true },
    control: { as: 'select', half: true, placeholder: '全部类别' },
  },
  state: {
    ...{ kind: 'word', label: '进度', words: CHOSEN_STATES, nullable: true },
    control: { as: 'select', half: true, placeholder: '全部进度' },
  },
  agentId: { kind: 'id', label: '代理商', nullable: true, control: { as: 'own', half: true } },
  liveVersion: {
    ...{ kind: 'text', label: '当前线上版本', max: 64 },
    control: { as: 'text', half: true, placeholder: '例如 2.0.0' },
  },
} as const satisfies Fields

const HOW = {
  name: { ...TRAIN_FIELDS.name, control: { as: 'text', required: true, counted: true } },
  waveSize: {
    ...{ ...TRAIN_FIELDS.waveSize, min: 1, max: LIMITS.waveSize },
    control: { as: 'number', required: true, half: true, first: 50, hint: '全部有结果后才开始下一批' },
  },
  haltPercent: {
    ...{ ...TRAIN_FIELDS.haltPercent, max: LIMITS.haltPercent },
    control: { as: 'number', required: true, half: true, first: 20, hint: '超过后自动停止' },
  },
  haltFrom: {
    ...{ ...TRAIN_FIELDS.haltFrom, min: 1, max: LIMITS.shops },
    control: { as: 'number', required: true, half: true, first: 10, hint: '不足时不计算比例' },
  },
  feedback: FEEDBACK.feedback,
} as const satisfies Fields

/** All that a release is asked for. */
export const TRAIN_FORM = { ...RANGE, ...HOW } as const satisfies Fields

/** With what refused ones are handed in again. */
export const CORRECTION = { template: RANGE.template, feedback: FEEDBACK.feedback } as const satisfies Fields
