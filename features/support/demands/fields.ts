// What the fields of a demand and its list are (D3 §2, §3, §9 Demand).
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import type { DayPreset } from '#kit/day-presets.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import {
  CLIENTS,
  DEMAND_LIMITS,
  DEMAND_REFUSALS,
  EXPIRED_SINCE,
  LINK_REFUSALS,
  PRIORITIES,
  RANGE_DAYS,
  RELATIONS,
  STATUSES,
  TYPES,
} from './rules.ts'

export const DEMAND_FIELDS = {
  id: { kind: 'id', label: '需求编号', in: ['row'] },
  title: { kind: 'text', label: '任务标题', max: DEMAND_LIMITS.title, fileWidth: 36, in: ['row'] },
  path: { kind: 'text', label: '路径', max: DEMAND_LIMITS.path, fileWidth: 30, in: ['row'] },
  merchantId: { kind: 'id', label: '店铺ID', in: ['row'] },
  shopName: { ...MERCHANT_FIELDS.shopName, in: ['row'] },
  ownerId: { kind: 'id', label: '负责人编号', in: ['row'] },
  ownerName: { kind: 'text', label: '负责人', fileWidth: 12, in: ['row'] },
  priority: {
    kind: 'word',
    label: '优先级',
    words: PRIORITIES,
    tones: { normal: 'neutral', minor: 'neutral', major: 'attention', critical: 'problem' },
    in: ['row'],
  },
  type: { kind: 'word', label: '任务类型', words: TYPES, in: ['row'] },
  client: { kind: 'word', label: '客户端', words: CLIENTS, fileWidth: 18, in: ['row'] },
  industryName: { ...MERCHANT_FIELDS.industryName, in: ['row'] },
  deadline: { kind: 'instant', toMinute: true, label: '截止时间', nullable: true, none: '—', in: ['row'] },
  status: {
    kind: 'word',
    label: '进度',
    words: STATUSES,
    tones: {
      feedbacked: 'attention',
      toSchedule: 'attention',
      developing: 'neutral',
      testing: 'neutral',
      online: 'done',
      postponed: 'neutral',
      rejected: 'problem',
    },
    in: ['row'],
  },
  weight: { kind: 'count', label: '权重', in: ['row'] },
  shops: { kind: 'count', label: '提出店铺', unit: '家', in: ['row'] },
  renewalCents: { kind: 'money', label: '12个月内续费', unit: '代币', in: ['row'] },
  oldestAskedAt: { kind: 'instant', toMinute: true, label: '最早提出', in: ['row'] },
  createdByName: { kind: 'text', label: '提交人', fileWidth: 12, in: ['row'] },
  createdAt: { kind: 'instant', toMinute: true, label: '反馈时间', in: ['row'] },
  deletedAt: { kind: 'instant', toMinute: true, label: '删除时间', nullable: true, none: '', in: ['row'] },
  description: { kind: 'text', label: '备注' },
  descriptionText: { kind: 'text', label: '备注', fileWidth: 60 },
} as const satisfies Fields

/** What the log calls them. */
export const LOGGED_FIELDS = {
  title: DEMAND_FIELDS.title,
  path: DEMAND_FIELDS.path,
  merchantId: DEMAND_FIELDS.merchantId,
  ownerName: DEMAND_FIELDS.ownerName,
  priority: DEMAND_FIELDS.priority,
  type: DEMAND_FIELDS.type,
  client: DEMAND_FIELDS.client,
  industryName: DEMAND_FIELDS.industryName,
  deadline: DEMAND_FIELDS.deadline,
  status: DEMAND_FIELDS.status,
  descriptionText: DEMAND_FIELDS.descriptionText,
} as const satisfies Fields

export const DEMANDS = list({
  key: 'demands.list',
  title: '需求管理',
  fields: DEMAND_FIELDS,
  columns: {
    title: {
      title: '任务标题 / 路径',
      width: 208,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['id', 'path'],
    },
    status: { width: 88, card: 'fact' },
    priority: { title: '优先级 / 类型', width: 96, card: 'fact', below: ['type'] },
    weight: { title: '权重 / 店铺', width: 80, below: ['shops'] },
    renewalCents: { hidden: true },
    shopName: { title: '店铺', width: 136, card: 'fact', below: ['merchantId', 'industryName'] },
    client: { width: 112 },
    ownerName: { title: '负责人', width: 80, card: 'fact' },
    deadline: { width: 96 },
    createdAt: { width: 96 },
    createdByName: { width: 80, hidden: true },
    oldestAskedAt: { hidden: true },
    deletedAt: { hidden: true, screenOnly: true },
    descriptionText: { fileOnly: true },
  },
  search: '店铺ID / 任务标题 / 路径 / 备注',
  filters: {
    ownerId: { kind: 'id', label: '负责人' },
    priority: byWord(DEMAND_FIELDS.priority),
    type: byWord(DEMAND_FIELDS.type),
    client: byWord(DEMAND_FIELDS.client),
    status: byWord(DEMAND_FIELDS.status),
    created: {
      kind: 'days',
      label: '反馈时间',
      presets: RANGE_DAYS.map((days): DayPreset => [days, 'day']),
    },
    deadline: {
      kind: 'days',
      label: '截止时间',
      presets: [
        { label: '已过期', since: EXPIRED_SINCE },
        ...RANGE_DAYS.map((days): DayPreset => [-days, 'day']),
      ],
    },
    deleted: { kind: 'flag', label: '回收站', words: { true: '已删除（30 天内可恢复）' } },
  },
  sorts: ['createdAt', 'weight', 'deadline'],
  file: { path: '/demands/export.xlsx', permission: 'demands.export', log: '导出需求', name: '需求' },
  empty: '还没有需求，新增后会显示在这里',
})

/** The same for many demands; what is not chosen stays as it is. */
export const BULK = {
  status: { ...DEMAND_FIELDS.status, nullable: true, control: { as: 'own' } },
  ownerId: { kind: 'id', label: DEMAND_FIELDS.ownerName.label, nullable: true, control: { as: 'own' } },
  priority: { ...DEMAND_FIELDS.priority, nullable: true, control: { as: 'own' } },
  type: { ...DEMAND_FIELDS.type, nullable: true, control: { as: 'own' } },
  client: { ...DEMAND_FIELDS.client, nullable: true, control: { as: 'own' } },
} as const satisfies Fields

/** What becomes of one, as it is said over the inbox. */
export const ASSESSMENT = {
  status: { ...DEMAND_FIELDS.status, control: { as: 'choice', required: true } },
  ownerId: {
    kind: 'id',
    label: DEMAND_FIELDS.ownerName.label,
    control: { as: 'own', required: true, half: true, missing: DEMAND_REFUSALS.OWNER_REQUIRED },
  },
  priority: { ...DEMAND_FIELDS.priority, control: { as: 'own', required: true, half: true } },
  deadline: { ...DEMAND_FIELDS.deadline, control: { as: 'own' } },
} as const satisfies Fields

/** A shop that asks for it, too. */
export const SOURCE = {
  merchantId: {
    kind: 'digits',
    label: DEMAND_FIELDS.merchantId.label,
    control: { as: 'own', required: true, missing: LINK_REFUSALS.SHOP_INVALID },
  },
} as const satisfies Fields

const other = { kind: 'id', label: '需求', control: { as: 'own', required: true } } as const

/** How it stands to another. */
export const RELATION = {
  kind: { kind: 'word', label: '本需求', words: RELATIONS, control: { as: 'own', first: 'blocks' } },
  otherId: other,
} as const satisfies Fields

export const MERGE = {
  otherId: { kind: 'id', label: '合并到', control: { as: 'own', required: true, missing: '请选择需求' } },
} as const satisfies Fields

/** The demand that a conversation has led to. */
export const THREAD_LINK = { demandId: other } as const satisfies Fields

export const ATTACHMENT = {
  fileId: {
    kind: 'text',
    label: '文件',
    nullable: true,
    control: { as: 'own', required: true, missing: '请选择文件' },
  },
  name: {
    kind: 'text',
    label: '附件名称',
    max: DEMAND_LIMITS.fileName,
    control: { as: 'text', required: true, counted: true },
  },
} as const satisfies Fields

/** What is said of a demand; after an @ stands who is told. */
export const COMMENT = {
  text: {
    kind: 'text',
    label: '评论',
    max: DEMAND_LIMITS.comment,
    control: {
      as: 'lines',
      required: true,
      missing: '请输入评论内容',
      counted: true,
      placeholder: '输入 @ 可以提醒同事',
    },
  },
} as const satisfies Fields
