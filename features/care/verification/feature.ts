import { permissionNodes } from '#kit/declare/permission.ts'
import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { verification as contract } from './contract.ts'
import { verificationAtPos } from './contract-pos.ts'
import { VERIFICATION_REASONS } from './reference.ts'
import { READS_PER_PAPER, VERIFICATION_HOURS, VERIFICATION_LIMITS } from './rules.ts'
import { verificationRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { verificationPosRouter } from './server-pos.ts'
import { verificationReasons } from './tables.ts'

const REASON_TABLE: EditedTable = {
  key: 'verification-reasons',
  title: '实名驳回原因',
  about: '驳回实名资料时可以直接选择的原因，建议会告诉商户；也可以另行填写。',
  table: verificationReasons,
  id: verificationReasons.id,
  named: 'name',
  fields: {
    name: { kind: 'text', label: '原因', max: VERIFICATION_LIMITS.reason, required: true },
    advice: { kind: 'text', label: '给商户的建议', max: VERIFICATION_LIMITS.advice },
  },
  adds: true,
  orders: true,
  retires: true,
  imports: true,
  uses: [],
}

const REVIEWS = '/admin/merchant/verification'
const SHOPS = '/admin/merchant/myMerchant'

export const feature = {
  contract,
  router,
  pos: { contract: verificationAtPos, router: verificationPosRouter },
  permissions: permissionNodes([
    [700, 2, 35, 'verification.reviews', '实名审核', REVIEWS, '888'],
    [701, 2, 36, 'verification.decide', '审核实名资料', `${REVIEWS}#decide`, '888'],
    [702, 22, 18, 'verification.view', '查看实名资料', `${SHOPS}#verification`, '1'],
    [703, 22, 19, 'verification.edit', '填写实名资料', `${SHOPS}#editVerification`, '1'],
    [704, 22, 20, 'verification.reveal', '查看完整身份证号', `${SHOPS}#idNumber`, '1'],
  ]),
  reference: [rowsOf(verificationReasons, VERIFICATION_REASONS)],
  edited: [REASON_TABLE],
  inbox,
  settings: [READS_PER_PAPER, VERIFICATION_HOURS],
} satisfies Feature
