import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { labels as contract } from './contract.ts'
import { LABEL_PICTURE, LABEL_PICTURE_KB, LIST_PATH } from './rules.ts'
import { labelsRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [880, 6, 91, 'labels.list', '标签模板', LIST_PATH, '888'],
    [881, 880, 1, 'labels.edit', '新增、编辑和删除标签模板', `${LIST_PATH}#edit`, '888'],
    [882, 880, 2, 'labels.publish', '发布和撤回标签模板', `${LIST_PATH}#publish`, '888'],
  ]),
  settings: [LABEL_PICTURE_KB],
  files: {
    [LABEL_PICTURE]: {
      permission: 'labels.edit',
      log: '上传标签背景图',
      shared: true,
      most: LABEL_PICTURE_KB,
      usedBy: [{ table: 'print_template_pictures', column: 'file_id' }],
    },
  },
} satisfies Feature
