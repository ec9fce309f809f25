import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { programCategories as contract } from './contract.ts'
import { categoriesRouter as router } from './server.ts'

const PAGE = '/admin/schedule/appletCategories'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [1074, 2, 42, 'programCategories.list', '小程序类目', PAGE, '1'],
    [1075, 1074, 1, 'programCategories.refresh', '更新小程序类目', `${PAGE}#refresh`, '888'],
  ]),
} satisfies Feature
