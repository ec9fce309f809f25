// What the lists of agents and of the shops below them are.
import { AGENT_FIELDS } from '#features/agents/fields.ts'
import { AGENT_STATUSES } from '#features/agents/rules.ts'
import {
  FOUND_BY,
  MERCHANT_FIELDS,
  SHOP_COLUMNS,
  SHOP_FILTERS,
  SHOP_SORTS,
} from '#features/merchants/fields.ts'
import { list } from '#kit/list.ts'

export const AGENTS = list({
  key: 'agentDesk.list',
  title: '代理商',
  fields: AGENT_FIELDS,
  columns: {
    companyName: { width: 200, fixed: 'start', card: 'title', below: ['id'] },
    levelName: { title: '等级 / 折扣', width: 104, card: 'fact', below: ['discountBasisPoints'] },
    tokenBalanceCents: { width: 128, card: 'fact' },
    smsBalance: { width: 112, card: 'fact' },
    merchantCount: { width: 96, card: 'fact' },
    contactName: { title: '联系人 / 手机', width: 120, below: ['mobile'] },
    parentName: { width: 136 },
    status: { title: '状态 / 收款', width: 96, below: ['payEnabled'] },
    createdAt: {},
    contractTo: { width: 112, hidden: true },
  },
  search: '代理商ID / 名称',
  filters: {
    status: { kind: 'word', label: '状态', words: AGENT_STATUSES },
    parentId: { kind: 'id', label: '上级' },
    contract: {
      kind: 'days',
      label: '合同结束',
      params: ['contractFrom', 'contractTo'],
    },
  },
  empty: '还没有代理商',
})

/** Those of the agents below (decisions.md, "Stubs and defects"). */
export const SECONDARY_MERCHANTS = list({
  key: 'agentDesk.secondary',
  title: '下级商户',
  fields: MERCHANT_FIELDS,
  columns: {
    shopName: SHOP_COLUMNS.shopName,
    agentName: { title: '下级代理商', width: 144, card: 'fact' },
    shortName: SHOP_COLUMNS.shortName,
    personName: SHOP_COLUMNS.personName,
    versionName: SHOP_COLUMNS.versionName,
    expiresAt: SHOP_COLUMNS.expiresAt,
    registeredAt: SHOP_COLUMNS.registeredAt,
    lastLoginAt: SHOP_COLUMNS.lastLoginAt,
    status: SHOP_COLUMNS.status,
    managerName: SHOP_COLUMNS.managerName,
    remark: SHOP_COLUMNS.remark,
    signature: SHOP_COLUMNS.signature,
  },
  search: FOUND_BY,
  filters: { ...SHOP_FILTERS, agentId: { kind: 'id', label: '下级代理商', chip: '代理商' } },
  sorts: SHOP_SORTS,
  file: {
    path: '/merchants/secondary/export.xlsx',
    permission: 'agentDesk.secondary',
    log: '导出下级商户',
    name: '下级商户',
    scope: 'below',
  },
  empty: '下级代理商还没有商户',
})
