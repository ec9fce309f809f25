import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'

/** Pages and the desk's program speak to each other on the desk's own machine: the server has no part in it. */
export const feature = {
  permissions: permissionNodes([
    [930, 6, 96, 'printing.desk', '打印设置', '/admin/template/printers', '888'],
  ]),
} satisfies Feature
