// The permission tree that a fresh database starts with (D3 §2, §6): pages and the actions on them that exist.
import type { Marker, PermissionNode } from './rules.ts'

type Row = [
  id: number,
  parentId: number | null,
  key: string,
  name: string,
  path: string,
  marker: Marker,
  inMenu: boolean,
]

const ROWS: Row[] = [
  [27, null, 'home', '首页', '/admin/index', '1', true],
  [2, null, 'merchants', '商户管理', '', '1', true],
  [21, 2, 'merchants.add', '新增商户', '/admin/merchant/addUser', '1', true],
  [22, 2, 'merchants.list', '我的商户', '/admin/merchant/myMerchant', '1', true],
  [23, 2, 'merchants.overdue', '过期商户', '/admin/merchant/overdueMerchants', '1', true],
  [24, 2, 'merchants.details', '商户详情', '/admin/merchant/merchantDetails', '1', false],
  [221, 22, 'merchants.edit', '编辑商户', '/admin/merchant/merchantDetails#edit', '1', false],
  [222, 22, 'merchants.status', '启用禁用', '/admin/merchant/merchantDetails#status', '1', false],
  [223, 22, 'merchants.export', '导出商户', '/admin/merchant/myMerchant#export', '1', false],
  [4, null, 'settlement', '结算中心', '', '1', true],
  [41, 4, 'ledger.changes', '余额变动', '/admin/detail/personalDetails', '1', true],
  [411, 41, 'ledger.export', '导出余额变动', '/admin/detail/personalDetails#export', '1', false],
  [412, 41, 'ledger.wallet', '查看余额', '/admin/detail/personalDetails#wallet', '1', false],
  [6, null, 'operations', '运营管理', '', '666', true],
  [61, 6, 'agents.list', '代理商', '/admin/operations/agents', '666', true],
  [611, 61, 'ledger.credit', '代理商充值', '/admin/operations/agents#credit', 'none', false],
  [5, null, 'account', '账户管理', '', '1', true],
  [51, 5, 'account.profile', '个人资料', '/admin/account/personalData', '1', true],
]

export const PERMISSION_NODES: PermissionNode[] = ROWS.map(
  ([id, parentId, key, name, path, marker, inMenu], position) => ({
    id,
    parentId,
    key,
    name,
    path,
    marker,
    inMenu,
    position,
  }),
)
