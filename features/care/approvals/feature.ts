import { permissionNodes } from '#kit/declare/permission.ts'
import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { approvals as contract } from './contract.ts'
import { approvalsAtPos } from './contract-pos.ts'
import { APPROVAL_REASONS } from './reference.ts'
import { APPROVAL_HOURS, APPROVAL_KINDS, APPROVAL_LIMITS, REQUESTS_PER_DAY } from './rules.ts'
import { approvalsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { approvalsPosRouter } from './server-pos.ts'
import { APPROVAL_FILES } from './server-request.ts'
import { followServices } from './server-settle.ts'
import { approvalReasons } from './tables.ts'

const REASON_TABLE: EditedTable = {
  key: 'approval-reasons',
  title: '驳回原因',
  about: '驳回签名、店铺名称和会员称谓时可以直接选择的原因，建议会告诉商户；也可以另行填写。',
  table: approvalReasons,
  id: approvalReasons.id,
  named: 'name',
  within: 'kind',
  fields: {
    kind: { kind: 'word', label: '用于', words: APPROVAL_KINDS, required: true, fixed: true },
    name: { kind: 'text', label: '原因', max: APPROVAL_LIMITS.reason, required: true },
    advice: { kind: 'text', label: '给商户的建议', max: APPROVAL_LIMITS.advice },
  },
  adds: true,
  orders: true,
  retires: true,
  imports: true,
  uses: [],
}

export const feature = {
  contract,
  router,
  inbox,
  pos: { contract: approvalsAtPos, router: approvalsPosRouter },
  permissions: permissionNodes([
    [215, 2, 31, 'approvals.signatures', '短信签名', '/admin/merchant/smsManage', '888'],
    [216, 2, 32, 'approvals.shopNames', '店铺名称', '/admin/merchant/storeName', '888'],
    [217, 2, 33, 'approvals.memberTitles', '会员称谓', '/admin/merchant/appellationManage', '888'],
    [218, 2, 34, 'approvals.decide', '审批商户申请', '/admin/merchant/smsManage#decide', '888'],
    [2281, 22, 14, 'approvals.request', '提交审批申请', '/admin/merchant/myMerchant#request', '1'],
  ]),
  reference: [rowsOf(approvalReasons, APPROVAL_REASONS)],
  edited: [REASON_TABLE],
  loops: { signatures: { everyMs: 2_000, afterMs: 20, work: followServices } },
  settings: [APPROVAL_HOURS, REQUESTS_PER_DAY],
  files: APPROVAL_FILES,
} satisfies Feature
