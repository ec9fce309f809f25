// Demo rows of onboardings at the payment service: of the applications that the demo has, one in each state. None is due: no service is
// asked about what it never had.
import { demoApplications } from '#features/acquiring/payment-applications/demo.ts'
import { demoPapers } from '#features/care/documents/demo.ts'
import { type DocumentKind, maskNumber } from '#features/care/documents/rules.ts'
import { demoSeller, demoStaff } from '#features/office/access/demo.ts'
import type { FieldRefusal } from '#kit/ports/onboarding.ts'
import { ago, type Demo, later } from '#server/demo.ts'
import { onboardingRow } from './rows.ts'
import { maskAccount, type OnboardingStep, withPeople } from './rules.ts'
import { onboardingPeople, onboardings } from './tables.ts'

type Filled = {
  state: OnboardingStep
  /** Since when it stands so. */
  days: number
  message?: string
  signUrl?: string
  subMerchantId?: string
  refusals?: readonly FieldRefusal[]
}
/** Of the shops that have papers, in their order; none is told of an application that is with staff. */
const OF_SHOPS: readonly (Filled | null)[] = [
  { state: 'finished', days: 8, subMerchantId: '1900013511' },
  ...[null, null],
  { state: 'asked', days: 2, message: '资料校验中' },
  {
    ...{ state: 'mending', days: 5 },
    refusals: [{ field: 'legalPerson', name: '', reason: '法人姓名与营业执照不一致' }],
  },
  null,
  { state: 'filling', days: 1 },
  null,
  {
    ...{ state: 'asked', days: 1, message: '请店主扫码签约' },
    signUrl: 'https://pay.weixin.qq.com/public/apply4ec_sign/s?applymentId=2000002131508108&sign=demo',
  },
  {
    ...{ state: 'mending', days: 3 },
    refusals: [
      { field: 'licencePicture', name: '', reason: '执照图片有反光，信息看不清' },
      { field: 'shortName', name: '', reason: '简称须与经营内容相关' },
      { field: 'ownerIdBack', place: 0, name: '', reason: '证件反面有遮挡' },
    ],
  },
]
const ACCOUNT = '755912345678901'

export function demo(demo: Demo): void {
  demo.history.at(demo.now, () => {
    for (const [place, [shop, papers]] of [...demoPapers(demo)].entries()) {
      const filled = OF_SHOPS[place]
      const application = demoApplications(demo).get(shop.id as number)
      if (!filled || !application) continue
      const { state, days, ...told } = filled
      const staff = demoStaff(demo)
      const { agentId, merchantId, id: applicationId } = application
      const savedAt = later(demo, application.savedAt as string, 5)
      const isHandedIn = state !== 'filling'
      const submittedAt = later(demo, savedAt, 2)
      const row = demo.history.add(
        onboardings,
        onboardingRow({
          ...{ agentId, merchantId, applicationId, state, savedAt, ...told },
          ...{ shortName: shop.shortName, savedByName: demoSeller(demo, agentId).name },
          ...(demo.filesAt && { accountNumber: demo.filesAt.secrets.encrypt(ACCOUNT) }),
          accountNumberMasked: maskAccount(ACCOUNT),
          changedAt: isHandedIn ? ago(demo, days) : savedAt,
          ...(isHandedIn && {
            businessCode: `PO_${applicationId}_demo${place}`,
            ...{ serviceId: `20000021315081${10 + place}`, revision: 2, askedAt: ago(demo, days) },
            ...{ submittedByName: staff.name, submittedAt },
          }),
        }),
      )
      const people = addPeople(demo, row as Onboarding, papers)
      row.refusals = withPeople(told.refusals ?? [], people)
    }
  })
}

type Onboarding = typeof onboardings.$inferInsert & { id: number }
type Papers = ReturnType<ReturnType<typeof demoPapers>['get']>

/** Of the shop that has their papers: a deputy with the shop's letter, and who owns it beside the legal person. */
function addPeople(
  demo: Demo,
  { id, agentId, merchantId, savedByName, savedAt }: Onboarding,
  papers: Papers,
) {
  const of = (kind: DocumentKind) => (papers ?? []).filter(paper => paper.kind === kind)
  const [fronts, backs] = [of('personIdFront'), of('personIdBack')]
  const who = [
    { role: 'deputy', name: '李娜', number: '440305199203150023', address: '' },
    { role: 'owner', name: '陈国强', number: '440305197808120031', address: '深圳市福田区莲花路 12 号' },
  ] as const
  return who.flatMap(({ number, ...person }, place) => {
    const [front, back] = [fronts[place], backs[place]]
    if (!front || !back || !demo.filesAt) return []
    const row = demo.history.add(onboardingPeople, {
      ...{ ...person, onboardingId: id, agentId, merchantId, idKind: 'idCard', savedByName, savedAt },
      ...{ idNumber: demo.filesAt.secrets.encrypt(number), idNumberMasked: maskNumber(number) },
      ...{ idFrom: '2019-04-02', idTo: back.expiresOn ?? '', frontId: front.id, backId: back.id },
      authorizationId: person.role === 'deputy' ? (of('authorizationLetter')[0]?.id ?? null) : null,
    })
    return [{ id: row.id as number, role: person.role }]
  })
}
