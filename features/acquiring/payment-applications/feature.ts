import { permissionNodes } from '#kit/declare/permission.ts'
import type { Feature } from '#server/feature.ts'
import { paymentApplications as contract } from './contract.ts'
import { APPLICATION_HOURS } from './rules.ts'
import { applicationsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'

const LIST = '/admin/schedule/payApplication'
const REVIEWS = '/admin/schedule/payInformation'

export const feature = {
  contract,
  router,
  inbox,
  permissions: permissionNodes([
    [1000, 2, 37, 'paymentApplications.list', '支付申请', LIST, '1'],
    [1001, 1000, 1, 'paymentApplications.edit', '提交支付申请', `${LIST}#edit`, '1'],
    [1002, 1000, 2, 'paymentApplications.decide', '审核支付申请', `${LIST}#decide`, '888'],
    [1003, 2, 38, 'paymentApplications.reviews', '支付受理', REVIEWS, '888'],
    [1004, 1003, 1, 'paymentApplications.review', '更新受理状态', `${REVIEWS}#review`, '888'],
  ]),
  settings: [APPLICATION_HOURS],
} satisfies Feature
