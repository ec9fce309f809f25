import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { feedback as contract } from './contract.ts'
import { FEEDBACK_PER_DAY } from './rules.ts'
import { feedbackRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'

export const feature = {
  contract,
  router,
  inbox,
  permissions: permissionNodes([
    [271, 27, 1, 'feedback.recent', '最近反馈', '/admin/index#feedback', 'none'],
    [67, 6, 77, 'feedback.list', '代理商反馈', '/admin/operations/feedback', 'none'],
  ]),
  settings: [FEEDBACK_PER_DAY],
  files: {
    feedback: {
      permission: 'session',
      log: '上传反馈图片',
      shared: false,
      usedBy: [{ table: 'feedback_messages', column: 'picture_id' }],
    },
  },
} satisfies Feature
