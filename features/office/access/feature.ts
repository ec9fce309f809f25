import { permissionNodes } from '#kit/declare/permission.ts'
import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { access as contract } from './contract.ts'
import { MANAGER_LABELS } from './reference.ts'
import { LABEL_MAX } from './rules.ts'
import { accessRouter as router } from './server.ts'
import { holdersOf, standingSessions } from './server-standing.ts'
import { accounts, managerLabels } from './tables.ts'

const LABEL_TABLE: EditedTable = {
  key: 'manager-labels',
  title: '客户经理称谓',
  about: '员工在商户资料里的称谓，如客户经理、客服；在员工管理里为每个人选择。',
  table: managerLabels,
  id: managerLabels.id,
  named: 'name',
  fields: { name: { kind: 'text', label: '称谓', max: LABEL_MAX, required: true } },
  adds: true,
  orders: true,
  retires: true,
  imports: true,
  uses: [{ what: '员工', counted: '人', column: accounts.labelId }],
}

export const feature = {
  reference: [rowsOf(managerLabels, MANAGER_LABELS)],
  edited: [LABEL_TABLE],
  contract,
  router,
  permissions: permissionNodes([
    [27, null, 0, 'home', '首页', '/admin/index', '1'],
    [2, null, 3, 'merchants', '商户管理', '', '1'],
    [3, null, 31, 'orderGroup', '订单管理', '', '1'],
    [4, null, 46, 'settlement', '结算中心', '', '1'],
    [7, null, 60, 'tools', '售后工具', '', '666'],
    [6, null, 66, 'operations', '运营管理', '', '666'],
    [5, null, 77, 'account', '账户管理', '', '1'],
    [51, 5, 78, 'account.profile', '个人资料', '/admin/account/personalData', '1'],
  ]),
  clearing: [{ table: 'sessions', at: 'expires_at' }],
  realtime: services => ({
    holders: tokens => holdersOf(services, tokens),
    standing: sessionIds => standingSessions(services, sessionIds),
  }),
} satisfies Feature
