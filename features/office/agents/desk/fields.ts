// What the list of the shops of agents below is.
import {
  FOUND_BY,
  MERCHANT_FIELDS,
  SHOP_COLUMNS,
  SHOP_FILTERS,
  SHOP_SORTS,
} from '#features/shops/merchants/fields.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { list } from '#kit/declare/list.ts'
import { CHECKED_MAX } from './rules.ts'

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

/** An owner who has lost a phone, and how it was made sure who asks. */
export const OWNER = {
  accountId: { kind: 'id', label: '主账号', control: { as: 'own' } },
  checked: {
    kind: 'text',
    label: '如何核实本人',
    max: CHECKED_MAX,
    control: { as: 'text', counted: true, placeholder: '如：回拨登记的手机号，核对公司和姓名' },
  },
} as const satisfies Fields
