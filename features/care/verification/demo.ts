// Demo rows of verification data: shops whose papers the demo has, in each state.
import { demoPapers } from '#features/care/documents/demo.ts'
import { demoOwner, demoSeller, demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import type { DemoShop } from '#features/sales/selling/demo.ts'
import type { VerificationStatus } from '#features/shops/merchants/rules.ts'
import { ago, type Demo, later } from '#server/demo.ts'
import { VERIFICATION_REASONS } from './reference.ts'
import { verificationRow } from './rows.ts'
import { PAPERS, type PaperName } from './rules.ts'
import { paperReadings, verifications } from './tables.ts'

/** Of the shops that have papers, in their order. `reason`: of the catalogue. */
type Filled = { state: VerificationStatus; days: number; reason?: number }
const OF_SHOPS: readonly Filled[] = [
  { state: 'verified', days: 14 },
  { state: 'unverified', days: 2 },
  { state: 'failed', days: 6, reason: 3 },
  { state: 'verified', days: 12 },
  { state: 'unverified', days: 9 },
  { state: 'reviewing', days: 0.4 },
  { state: 'verified', days: 5 },
  { state: 'reviewing', days: 1.2 },
  { state: 'verified', days: 13 },
  { state: 'verified', days: 13.5 },
]
const READ = 0.97

export function demo(demo: Demo): void {
  demo.history.at(demo.now, () => {
    for (const [place, [shop, papers]] of [...demoPapers(demo)].entries()) {
      const filled = OF_SHOPS[place]
      if (filled) fill(demo, shop, filled, { place, papers })
    }
  })
}

type Papers = { place: number; papers: { id: number; kind: string; numberMasked?: string | undefined }[] }

function fill(demo: Demo, shop: DemoShop, { state, days, reason }: Filled, { place, papers }: Papers): void {
  const agentId = shop.agentId
  const merchantId = shop.id as number
  const by = demoSeller(demo, agentId)
  const savedAt = ago(demo, days)
  const paper = (name: PaperName) => papers.find(({ kind }) => kind === PAPERS[name])
  const company = `${shop.shopName.replace(/（.*/, '').slice(0, 12)}商贸有限公司`
  const creditCode = CREDIT_CODES[place % CREDIT_CODES.length] as string
  const isSubmitted = state !== 'unverified'
  const licence = paper('licenceId')
  const refused = VERIFICATION_REASONS.find(({ id }) => id === reason)
  const staff = demoStaff(demo)
  const isUnproven = place % 2 === 1 && isSubmitted
  const isDecided = state === 'verified' || state === 'failed'
  demo.history.add(
    verifications,
    verificationRow({
      ...{ agentId, merchantId, state, company, creditCode, savedAt },
      ...{ legalPerson: shop.personName, personInCharge: isSubmitted ? shop.personName : '' },
      ...{ signature: shop.shortName, phone: shop.account },
      phoneVerifiedAt: place % 2 === 0 && isSubmitted ? savedAt : null,
      ...{ licenceId: licence?.id, idFrontId: paper('idFrontId')?.id, idBackId: paper('idBackId')?.id },
      idNumberMasked: paper('idFrontId')?.numberMasked ?? '',
      explanations: isUnproven ? { 'unproven:phone': '店主号码刚换，验证码暂时收不到' } : {},
      answers: isUnproven && state === 'verified' ? { 'unproven:phone': '已电话核实' } : {},
      origins: {
        company: { by: 'read', sure: 97 },
        creditCode: { by: 'read', sure: 97 },
        legalPerson: { by: 'typed', sure: null },
        ...(isSubmitted && { personInCharge: { by: 'typed', sure: null } }),
      },
      ...{ savedBy: by.id, savedByName: by.name, revision: isDecided ? 3 : isSubmitted ? 2 : 1 },
      ...(isSubmitted && { submittedAt: savedAt, submittedByName: by.name }),
      ...(isDecided && {
        ...{ handledBy: staff.id, handledByName: staff.name, handledAt: later(demo, savedAt, 3) },
        ...{ reason: refused?.name ?? '', advice: refused?.advice ?? '' },
      }),
    }),
  )
  Object.assign(shop, { verificationStatus: state, verificationRefusal: refused?.name ?? '' })
  if (licence)
    demo.history.add(paperReadings, {
      ...{ documentId: licence.id, agentId, merchantId, reader: 'tencent', isWeak: false, readAt: savedAt },
      fields: {
        company: { value: company, confidence: READ },
        creditCode: { value: creditCode, confidence: READ },
      },
    })
  if (isDecided)
    tell(demo, demoOwner(demo, agentId), later(demo, savedAt, 3), {
      topic: 'Approval_Notify',
      title: state === 'verified' ? '实名资料已通过认证' : '实名资料未通过认证',
      body: `${shop.shopName}：${company}${state === 'verified' ? '已认证' : `未通过，${refused?.name}`}`,
      link: `/admin/merchant/merchantDetails?user_id=${merchantId}`,
      args: { merchantId, state },
    })
}

/** Numbers whose checks hold. */
const CREDIT_CODES = ['9144030071526726XG', '91330100799655058B', '91350100M000100Y43', '91110000802100433B']
