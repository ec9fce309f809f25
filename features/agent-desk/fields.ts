// What the lists of agents and of the shops below them are.
import { AGENT_FIELDS } from '#features/agents/fields.ts'
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
    id: { width: 88, fixed: 'start' },
    companyName: { width: 208, card: 'title' },
    levelName: { width: 96, card: 'fact' },
    discountBasisPoints: { width: 80 },
    tokenBalanceCents: { width: 128, card: 'fact' },
    smsBalance: { width: 120, card: 'fact' },
    merchantCount: { width: 96, card: 'fact' },
    contactName: { width: 96 },
    mobile: { width: 120 },
    parentName: { width: 120 },
    enabled: { width: 72 },
    createdAt: { width: 168 },
  },
  search: '代理商ID / 名称',
  empty: '还没有代理商',
})

/** Those of the agents below (decisions.md, "Stubs and defects"). */
export const SECONDARY_MERCHANTS = list({
  key: 'agentDesk.secondary',
  title: '下级商户',
  fields: MERCHANT_FIELDS,
  columns: {
    id: SHOP_COLUMNS.id,
    shopName: { width: 152, card: 'title' },
    agentName: { title: '下级代理商', width: 200, card: 'fact' },
    shortName: SHOP_COLUMNS.shortName,
    personName: SHOP_COLUMNS.personName,
    account: SHOP_COLUMNS.account,
    versionName: SHOP_COLUMNS.versionName,
    industryName: SHOP_COLUMNS.industryName,
    registeredAt: SHOP_COLUMNS.registeredAt,
    expiresAt: SHOP_COLUMNS.expiresAt,
    lastLoginAt: SHOP_COLUMNS.lastLoginAt,
    referrer: SHOP_COLUMNS.referrer,
    managerName: SHOP_COLUMNS.managerName,
    remark: SHOP_COLUMNS.remark,
    signature: { width: 128 },
    verificationStatus: SHOP_COLUMNS.verificationStatus,
    status: SHOP_COLUMNS.status,
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
