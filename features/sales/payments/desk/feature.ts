import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { paymentDesk as contract } from './contract.ts'
import { paymentDeskRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'

export const feature = {
  contract,
  router,
  inbox,
  permissions: permissionNodes([
    [64, 6, 70, 'paymentDesk.manage', '支付管理', '/admin/operations/payments', 'none'],
    [641, 64, 71, 'paymentDesk.refund', '支付退款', '/admin/operations/payments#refund', 'none'],
    [642, 64, 72, 'paymentDesk.reconcile', '支付对账', '/admin/operations/payments#reconcile', 'none'],
    [643, 64, 73, 'paymentDesk.settings', '支付渠道设置', '/admin/operations/payments#settings', 'none'],
  ]),
} satisfies Feature
