import { permissionNodes } from '#kit/permission.ts'
import type { Feature } from '#server/feature.ts'
import { feedback as contract } from './contract.ts'
import { feedbackRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [271, 27, 1, 'feedback.recent', '最近反馈', '/admin/index#feedback', 'none'],
  ]),
} satisfies Feature
