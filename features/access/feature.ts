import { permissionNodes } from '#kit/permission.ts'
import type { Feature } from '#server/feature.ts'
import { access as contract } from './contract.ts'
import { accessRouter as router } from './server.ts'
import { holdersOf, standingSessions } from './server-standing.ts'

export const feature = {
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
  clearing: ['delete from sessions where expires_at < now()'],
  realtime: services => ({
    holders: tokens => holdersOf(services, tokens),
    standing: sessionIds => standingSessions(services, sessionIds),
  }),
} satisfies Feature
