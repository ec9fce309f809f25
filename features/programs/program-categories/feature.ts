import { permissionNodes } from '#kit/declare/permission.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { programCategories as contract } from './contract.ts'
import { CATEGORY_LISTS } from './reference.ts'
import { categoriesRouter as router } from './server.ts'
import { programCategoryLists } from './tables.ts'

const PAGE = '/admin/schedule/appletCategories'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [1074, 2, 42, 'programCategories.list', '小程序类目', PAGE, '1'],
    [1075, 1074, 1, 'programCategories.refresh', '更新小程序类目', `${PAGE}#refresh`, '888'],
  ]),
  reference: [rowsOf(programCategoryLists, CATEGORY_LISTS)],
} satisfies Feature
