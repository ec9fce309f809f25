// Demo rows of applications for payments: of shops whose papers the demo has, one in each state.
import { causeOf, type Refused } from '#features/acquiring/refusals/rules.ts'
import { applicationRefusals, refusalCauses } from '#features/acquiring/refusals/tables.ts'
import { demoPapers } from '#features/care/documents/demo.ts'
import { documentUses } from '#features/care/documents/tables.ts'
import { demoOwner, demoSeller, demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import type { OnboardingState } from '#kit/ports/onboarding.ts'
import { ago, type Demo, kept, later } from '#server/demo.ts'
import { applicationRow } from './rows.ts'
import {
  type ApplicationState,
  PAPER_NAMES,
  PAPERS,
  type Reasons,
  type ReviewState,
  reasonsText,
  refusedIn,
} from './rules.ts'
import { paymentApplications } from './tables.ts'

type Filled = {
  state: ApplicationState
  reviewState?: ReviewState
  reviewNote?: string
  days: number
  reasons?: Reasons
  /** As the payment service named them; those of `reasons` when absent. */
  refused?: readonly Refused[]
  serviceState?: OnboardingState
}
/** Of the shops that have papers, in their order. */
const OF_SHOPS: readonly (Filled | null)[] = [
  {
    state: 'approved',
    reviewState: 'accepted',
    reviewNote: '商户号 1900013511',
    days: 11,
    serviceState: 'finished',
  },
  null,
  {
    state: 'rejected',
    days: 4,
    reasons: { permitId: '开户许可证上的名称看不清楚，请重新拍摄', email: '邮箱收不到邮件，请核对' },
  },
  { state: 'approved', reviewState: 'accepting', days: 3, serviceState: 'auditing' },
  {
    ...{ state: 'rejected', reviewState: 'rejected', days: 6 },
    ...{
      reviewNote: '法人姓名与营业执照不一致',
      reasons: { other: '经营者/法人姓名：法人姓名与营业执照不一致' },
    },
    refused: [{ field: 'legalPerson', label: '经营者/法人姓名', reason: '法人姓名与营业执照不一致' }],
    serviceState: 'rejected',
  },
  { state: 'pending', days: 0.3 },
  { state: 'approved', reviewState: 'waiting', days: 2 },
  { state: 'pending', days: 1.1 },
  {
    state: 'approved',
    reviewState: 'accepting',
    reviewNote: '请店主扫码签约',
    days: 4,
    serviceState: 'toBeSigned',
  },
  {
    ...{ state: 'rejected', reviewState: 'rejected', days: 5, serviceState: 'rejected' },
    reviewNote: '营业执照：执照图片有反光，信息看不清；其他：商户简称：简称须与经营内容相关',
    reasons: { licenceId: '执照图片有反光，信息看不清', other: '商户简称：简称须与经营内容相关' },
    refused: [
      { field: 'licenceId', label: '营业执照照片', reason: '执照图片有反光，信息看不清' },
      { field: 'shortName', label: '商户简称', reason: '简称须与经营内容相关' },
    ],
  },
]

const ADVICE: Readonly<Record<string, string>> = {
  permitId: '请将许可证平放，在光线充足处拍摄，四角与公章都要清楚',
  shortName: '简称用门头上的店名加主营品类，例如「老张面馆」，不要只写品牌的字母缩写',
}

/** The application of each shop that has one, by the shop. */
export const demoApplications = kept(
  () => new Map<number, typeof paymentApplications.$inferInsert & { id: number }>(),
)

export function demo(demo: Demo): void {
  demo.history.at(demo.now, () => {
    for (const [place, [shop, papers]] of [...demoPapers(demo)].entries()) {
      const filled = OF_SHOPS[place]
      if (!filled) continue
      const { state, reviewState, reviewNote, days, reasons = {}, serviceState = null } = filled
      const agentId = shop.agentId
      const merchantId = shop.id as number
      const by = demoSeller(demo, agentId)
      const staff = demoStaff(demo)
      const savedAt = ago(demo, days)
      const isDecided = state !== 'pending'
      const used = PAPER_NAMES.flatMap(name => {
        const paper = papers.find(one => one.kind === PAPERS[name] && one.state === 'current')
        return paper ? [[name, paper.id] as const] : []
      })
      const row = demo.history.add(
        paymentApplications,
        applicationRow({
          ...{ agentId, merchantId, state, savedAt, phone: shop.account, reasons, serviceState },
          ...Object.fromEntries(used),
          payType: papers.some(({ kind }) => kind === PAPERS.bankCardId) ? 'private' : 'corporate',
          bankCode: '1001',
          ...{ savedBy: by.id, savedByName: by.name, revision: isDecided ? 3 : 2 },
          ...{ submittedBy: by.id, submittedByName: by.name, submittedAt: savedAt },
          ...(isDecided && {
            ...{ handledBy: staff.id, handledByName: staff.name, handledAt: later(demo, savedAt, 4) },
          }),
          ...(reviewState && { reviewState, reviewNote: reviewNote ?? '' }),
          ...(reviewState &&
            reviewState !== 'waiting' && {
              ...{ reviewedByName: staff.name, reviewedAt: later(demo, savedAt, 20) },
            }),
        }),
      )
      demoApplications(demo).set(merchantId, row)
      for (const [, documentId] of used)
        demo.history.add(documentUses, {
          ...{ documentId, feature: 'paymentApplications', objectId: String(row.id) },
          ...{ agentId, merchantId, createdAt: savedAt },
        })
      if (state === 'rejected')
        for (const { field, label, reason } of filled.refused ?? refusedIn(reasons)) {
          const refusedAt = later(demo, savedAt, reviewState ? 20 : 4)
          const cause = demo.history.add(refusalCauses, {
            ...{ field, label, reason, cause: causeOf(reason), refusedBy: reviewState ? 'service' : 'staff' },
            ...{ firstAt: refusedAt, lastAt: refusedAt, advice: ADVICE[field] ?? '' },
            ...(ADVICE[field] && { advisedByName: staff.name, advisedAt: refusedAt, revision: 1 }),
          })
          demo.history.add(applicationRefusals, {
            ...{ agentId, merchantId, applicationId: row.id as number, causeId: cause.id as number },
            ...{ field, refusedAt },
          })
        }
      if (isDecided)
        tell(demo, demoOwner(demo, agentId), later(demo, savedAt, 4), {
          topic: 'Approval_Notify',
          title: state === 'approved' ? '支付申请已通过审核' : '支付申请未通过审核',
          body: `${shop.shopName}：${state === 'approved' ? '等待支付服务受理' : reasonsText(reasons)}`,
          link: `/admin/schedule/payApplication?id=${row.id}`,
          args: { merchantId },
        })
    }
  })
}
