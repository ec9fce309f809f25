// Demo rows of shops that are brought in to acquirers: of shops whose papers the demo has, one in each state.
import { demoPapers } from '#features/care/documents/demo.ts'
import { documentUses } from '#features/care/documents/tables.ts'
import { demoSeller, demoStaff } from '#features/office/access/demo.ts'
import { agentPaymentMethods } from '#features/shops/merchants/tables.ts'
import { ACQUIRER_PAPER_KEYS, type AcquirerName, acquirerOf } from '#kit/ports/acquirers.ts'
import { ago, type Demo, later } from '#server/demo.ts'
import { acquirerRow } from './rows.ts'
import type { ApprovalState, ChannelState, MerchantStanding, Reasons } from './rules.ts'
import { acquirerOnboardings } from './tables.ts'

type Filled = {
  channel: AcquirerName
  approvalState: ApprovalState
  state: ChannelState
  days: number
  code?: string
  reasons?: Reasons
  remark?: string
  merchantStatus?: MerchantStanding
  isActive?: boolean
}
/** Of the shops that have papers, in their order. */
const OF_SHOPS: readonly (Filled | null)[] = [
  { channel: 'xl', approvalState: 'approved', state: 'opened', days: 9, code: 'XL20260001' },
  { channel: 'tianque', approvalState: 'approved', state: 'sent', days: 3, remark: '渠道客户经理已收件' },
  {
    ...{ channel: 'lianfu', approvalState: 'rejected', state: 'refused', days: 5 },
    reasons: { category: '所选类目与门头照不符' },
  },
  { channel: 'xl', approvalState: 'pending', state: 'waiting', days: 0.4 },
  { channel: 'tianque', approvalState: 'draft', state: 'waiting', days: 1 },
  { channel: 'lianfu', approvalState: 'approved', state: 'waiting', days: 1.2 },
  {
    ...{ channel: 'xl', approvalState: 'approved', state: 'opened', days: 20, code: 'XL20260002' },
    ...{ merchantStatus: 'frozen', remark: '渠道要求补充经营场所照片' },
  },
  {
    ...{ channel: 'lianfu', approvalState: 'approved', state: 'opened', days: 40, code: '8800200300' },
    ...{ merchantStatus: 'closed', isActive: false, remark: '店铺已转到其他渠道' },
  },
]

export function demo(demo: Demo): void {
  demo.history.at(demo.now, () => {
    const offered = new Set<string>()
    for (const [place, [shop, papers]] of [...demoPapers(demo)].entries()) {
      const filled = OF_SHOPS[place]
      if (!filled) continue
      const { days, code = '', ...standing } = filled
      const { approvalState, state, channel } = standing
      const agentId = shop.agentId
      const merchantId = shop.id as number
      const by = demoSeller(demo, agentId)
      const staff = demoStaff(demo)
      const createdAt = ago(demo, days)
      const isIn = approvalState !== 'draft'
      const isDecided = isIn && approvalState !== 'pending'
      const isSent = state !== 'waiting'
      const used = ACQUIRER_PAPER_KEYS.flatMap(kind => {
        const paper = papers.find(one => one.kind === kind && one.state === 'current')
        return paper ? [[kind, paper.id as number] as const] : []
      })
      const row = demo.history.add(
        acquirerOnboardings,
        acquirerRow({
          ...(state === 'opened' && { merchantStatus: 'normal' as const }),
          ...{ ...standing, agentId, merchantId, code, createdAt },
          ...{ shortName: shop.shopName, contactPhone: shop.account },
          ...(isIn && {
            ...{ submittedBy: by.id, submittedByName: by.name, submittedAt: later(demo, createdAt, 1) },
            papers: Object.fromEntries(used),
          }),
          ...(isDecided && { handledByName: staff.name, handledAt: later(demo, createdAt, 5) }),
          ...(isSent && { sentByName: staff.name, sentAt: later(demo, createdAt, 6) }),
          ...(state === 'opened' && { openedAt: later(demo, createdAt, 30) }),
        }),
      )
      if (isIn)
        for (const [, documentId] of used)
          demo.history.add(documentUses, {
            ...{ documentId, feature: 'acquirerOnboardings', objectId: String(row.id) },
            ...{ agentId, merchantId, createdAt: later(demo, createdAt, 1) },
          })
      const { methodId } = acquirerOf(channel).pays
      if (offered.has(`${agentId} ${methodId}`)) continue
      offered.add(`${agentId} ${methodId}`)
      demo.history.add(agentPaymentMethods, { agentId, paymentMethodId: methodId })
    }
  })
}
