// Demo rows of applications for mini programs: of shops whose papers the demo has, one in each state, and of some that had one already.
import { demoPapers, drawnAs } from '#features/care/documents/demo.ts'
import { documentRow } from '#features/care/documents/rows.ts'
import { DOCUMENT_FILE } from '#features/care/documents/rules.ts'
import { documents, documentUses } from '#features/care/documents/tables.ts'
import { DEMO_AGENTS, demoOwner, demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { ago, type Demo, drawUpload, later } from '#server/demo.ts'
import { sha256Of } from '#server/storage/file-bytes.ts'
import { applicationRow } from './rows.ts'
import {
  type ApplicationState,
  FLOW_NUMBERS,
  maskWechat,
  PAPER_NAMES,
  PAPERS,
  type ProgramType,
} from './rules.ts'
import { programApplications } from './tables.ts'

type Filled = {
  state: ApplicationState
  days: number
  name: string
  programType: ProgramType
  reason?: string
}
/** Of the first agent's shops that have papers, in their order. */
const REGISTRATIONS: readonly Filled[] = [
  { state: 'approved', days: 9, name: '南山小馆点餐', programType: 'scanOrder' },
  { state: 'draft', days: 1, name: '会员积分小店', programType: 'points' },
  {
    ...{ state: 'rejected', days: 5, name: '好味道商城', programType: 'shop' },
    reason: '小程序简介与经营内容不符，请按营业执照的经营范围填写',
  },
  { state: 'pending', days: 0.4, name: '鲜果到家', programType: 'shopPoints' },
  { state: 'pending', days: 1.3, name: '一品茶饮点单', programType: 'shopPointsBooking' },
]
/** Of shops that had a mini program before; the last was recorded by mistake. */
const EXISTING: readonly ProgramType[] = [
  'shopBooking',
  'scanBuy',
  'booking',
  'artTraining',
  'boardGames',
  'shop',
]
const FROM_SHOP = 30
const WECHAT = 'laozhang_2018'
const HEAD = (tint: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360"><rect width="360" height="360" fill="${tint}"/><circle cx="180" cy="180" r="96" fill="#fff"/></svg>`
const TINTS = ['#2f7d5b', '#b4632c', '#3c6fb0', '#8a4fa3', '#c0392b']

export async function demo(demo: Demo): Promise<void> {
  const by = demoOwner(demo, DEMO_AGENTS.first)
  const heads: Awaited<ReturnType<typeof drawUpload>>[] = []
  for (const [place, { days }] of REGISTRATIONS.entries())
    heads.push(
      await drawUpload(demo, HEAD(TINTS[place] ?? ''), {
        ...{ agentId: DEMO_AGENTS.first, purpose: DOCUMENT_FILE, createdBy: by.id },
        ...{ createdAt: ago(demo, days + 0.1), sealed: true },
      }),
    )
  demo.history.at(demo.now, () => {
    const papered = [...demoPapers(demo)].filter(([shop]) => shop.agentId === DEMO_AGENTS.first)
    for (const [place, filled] of REGISTRATIONS.entries()) {
      const [shop, papers] = papered[place] ?? []
      if (!shop || !papers) continue
      const { agentId, shopName } = shop
      const merchantId = shop.id as number
      const createdAt = ago(demo, filled.days)
      const head = demo.history.add(
        documents,
        documentRow({
          ...{ agentId, merchantId, kind: 'headImage', createdAt: ago(demo, filled.days + 0.1) },
          fileId: heads[place]?.id ?? null,
          sha256: heads[place]?.sha256 ?? sha256Of(Buffer.from(drawnAs('shopFront', place))),
          ...{ createdBy: by.id, createdByName: by.name },
        }),
      )
      const used = PAPER_NAMES.flatMap(name => {
        const paper = [head, ...papers].find(
          one => one.kind === PAPERS[name] && (one.state ?? 'current') === 'current',
        )
        return paper ? [[name, paper.id as number] as const] : []
      })
      const isDecided = filled.state === 'approved' || filled.state === 'rejected'
      const staff = demoStaff(demo)
      const row = demo.history.add(
        programApplications,
        applicationRow({
          ...{ agentId, merchantId, state: filled.state, createdAt, revision: isDecided ? 3 : 2 },
          ...{ programName: filled.name, programType: filled.programType, reason: filled.reason ?? '' },
          intro: `${filled.name}，在线下单，到店自取`,
          ...(filled.state === 'approved' ? FLOW_NUMBERS.reviewed : {}),
          ...{ categoryId: 223, categoryName: '餐饮 / 餐厅排队' },
          categoryLevels: [
            { id: 220, name: '餐饮' },
            { id: 223, name: '餐厅排队' },
          ],
          ...(demo.filesAt && {
            legalPersonWechat: demo.filesAt.secrets.encrypt(WECHAT),
            legalPersonWechatMasked: maskWechat(WECHAT),
          }),
          ...{ savedBy: by.id, savedByName: by.name, ...Object.fromEntries(used) },
          ...(filled.state !== 'draft' && {
            ...{ submittedBy: by.id, submittedByName: by.name, submittedAt: createdAt },
          }),
          ...(isDecided && {
            ...{ handledBy: staff.id, handledByName: staff.name, handledAt: later(demo, createdAt, 5) },
          }),
        }),
      )
      for (const [, documentId] of used)
        demo.history.add(documentUses, {
          ...{ documentId, feature: 'programApplications', objectId: String(row.id) },
          ...{ agentId, merchantId, createdAt },
        })
      if (isDecided)
        tell(demo, by, later(demo, createdAt, 5), {
          topic: 'Approval_Notify',
          title: filled.state === 'approved' ? '小程序申请已通过审核' : '小程序申请未通过审核',
          body: filled.reason ? `${shopName}：${filled.reason}` : shopName,
          link: `/admin/schedule/appApplication?id=${row.id}`,
          args: { merchantId },
        })
    }
    addExisting(demo)
  })
}

function addExisting(demo: Demo): void {
  const by = demoOwner(demo, DEMO_AGENTS.first)
  const shops = demoShops(demo)
    .filter(shop => shop.agentId === DEMO_AGENTS.first && isInUse(shop, demo.now.toISOString()))
    .filter(shop => !demoPapers(demo).has(shop))
    .slice(FROM_SHOP)
  for (const [place, programType] of EXISTING.entries()) {
    const shop = shops[place]
    if (!shop) continue
    const at = ago(demo, 12 - place)
    demo.history.add(programApplications, {
      ...{ agentId: shop.agentId, merchantId: shop.id as number, kind: 'existing', state: 'approved' },
      ...{ ...FLOW_NUMBERS.existing, programType, createdAt: at, submittedAt: at, handledAt: at },
      ...{ savedBy: by.id, savedByName: by.name, submittedBy: by.id, submittedByName: by.name },
      ...(place === EXISTING.length - 1 && {
        ...{ deletedAt: later(demo, at, 2), deletedByName: by.name, revision: 2 },
      }),
    })
  }
}
