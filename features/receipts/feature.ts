import { permissionNodes } from '#kit/permission.ts'
import type { Feature } from '#server/feature.ts'
import { receipts as contract } from './contract.ts'
import { receiptsRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [900, 6, 130, 'receipts.list', '小票模板', '/admin/template/ticketGroup', '888'],
    [901, 900, 1, 'receipts.edit', '编辑小票模板和分组', '/admin/template/ticketGroup#edit', '888'],
    [902, 900, 2, 'receipts.publish', '发布小票模板', '/admin/template/ticketGroup#publish', '888'],
  ]),
} satisfies Feature
