// Demo rows of what owners of shops hand in by phone: a link in each state, with papers that are drawn as those of other shops are.
import { randomBytes } from 'node:crypto'
import { maskAccount } from '#features/acquiring/onboardings/rules.ts'
import { PAPERS, type PaperName, papersFor } from '#features/acquiring/payment-applications/rules.ts'
import { demoPapers, drawnAs } from '#features/care/documents/demo.ts'
import { documentRow } from '#features/care/documents/rows.ts'
import { DOCUMENT_FILE, maskNumber } from '#features/care/documents/rules.ts'
import { documents, documentUses } from '#features/care/documents/tables.ts'
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { type DemoShop, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { ago, type Demo, drawUpload, later } from '#server/demo.ts'
import { sha256Of } from '#server/storage/file-bytes.ts'
import { LINK_DAYS, type OwnerPapersState, type Reasons, statementText } from './rules.ts'
import { SIGNATURE_FILE } from './server-guests.ts'
import { ownerPapers } from './tables.ts'

/** `days`: since it was handed in, or since the link was made where nothing was. `shop`: among those of the agent that have no papers yet. */
type Filled = {
  agentId: number
  shop: number
  state: OwnerPapersState
  days: number
  papers?: readonly PaperName[]
  reasons?: Reasons
  outcome?: string
}
const ALL = papersFor('corporate')
const LINKS: readonly Filled[] = [
  { agentId: DEMO_AGENTS.first, shop: 0, state: 'submitted', days: 0.4, papers: ALL },
  {
    ...{ agentId: DEMO_AGENTS.first, shop: 1, state: 'returned', days: 1.5, papers: ALL },
    reasons: { shopFrontId: '门头照片没有拍到完整店名，请退后几步再拍', accountNumber: '账号少一位，请核对' },
  },
  { agentId: DEMO_AGENTS.first, shop: 2, state: 'draft', days: 1, papers: ['licenceId', 'idFrontId'] },
  {
    ...{ agentId: DEMO_AGENTS.first, shop: 3, state: 'adopted', days: 6, papers: ALL },
    outcome: '已带入实名资料；已带入支付申请',
  },
  { agentId: DEMO_AGENTS.other, shop: 0, state: 'submitted', days: 1.3, papers: ALL },
]
const ID_NUMBER = '110101199003070012'
const ACCOUNT = '755912345678901'
const CREDIT_CODE = '91350100M000100Y43'
const DRAWN_STROKE = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="240"><path d="M60 150 C130 30 150 210 220 110 S300 200 350 90 S430 190 540 70" fill="none" stroke="#1d2530" stroke-width="9" stroke-linecap="round"/></svg>`

export async function demo(demo: Demo): Promise<void> {
  for (const [place, filled] of LINKS.entries()) {
    const { agentId, state, days, papers = [] } = filled
    const by = demoOwner(demo, agentId)
    const handedInAt = ago(demo, days)
    const drawn = { agentId, createdBy: 0, createdAt: handedInAt, sealed: true } as const
    const pictures = await Promise.all(
      papers.map(async (name, at) => {
        const svg = drawnAs(PAPERS[name], place + at)
        const file = await drawUpload(demo, svg, { ...drawn, purpose: DOCUMENT_FILE })
        return {
          name,
          fileId: file?.id ?? null,
          sha256: file?.sha256 ?? sha256Of(Buffer.from(`${svg}${place}${at}`)),
        }
      }),
    )
    const isSigned = state !== 'draft'
    const signature = isSigned
      ? await drawUpload(demo, DRAWN_STROKE, { ...drawn, purpose: SIGNATURE_FILE })
      : null
    demo.history.at(demo.now, () => {
      const shop = demoShops(demo).filter(
        one =>
          one.agentId === agentId &&
          one.registeredAt < ago(demo, days + 1) &&
          isInUse(one, demo.now.toISOString()) &&
          !demoPapers(demo).has(one),
      )[filled.shop]
      if (shop) add(demo, { shop, filled, pictures, signatureId: signature?.id ?? null, by })
    })
  }
}

type Added = {
  shop: DemoShop
  filled: Filled
  pictures: readonly { name: PaperName; fileId: string | null; sha256: string }[]
  signatureId: string | null
  by: ReturnType<typeof demoOwner>
}

function add(demo: Demo, { shop, filled, pictures, signatureId, by }: Added): void {
  const { agentId, state, days, reasons = {}, outcome = '' } = filled
  const merchantId = shop.id as number
  const handedInAt = ago(demo, days)
  const isSigned = state !== 'draft'
  const madeDays = isSigned ? days + 0.5 : days
  const createdAt = ago(demo, madeDays)
  const owner = shop.personName as string
  const kept = pictures.map(({ name, fileId, sha256 }) => {
    const row = demo.history.add(
      documents,
      documentRow({
        ...{ agentId, merchantId, kind: PAPERS[name], createdAt: handedInAt, fileId, sha256 },
        state: state === 'adopted' ? 'current' : 'offered',
        ...{ createdBy: 0, createdByName: `店主 ${owner}` },
        numberMasked: name === 'idFrontId' ? maskNumber(ID_NUMBER) : '',
      }),
    )
    return { name, id: row.id, sha256 }
  })
  const secrets = demo.filesAt?.secrets
  const given = {
    ...{
      payType: 'corporate' as const,
      company: `${shop.shopName.replace(/（.*/, '').slice(0, 12)}餐饮有限公司`,
    },
    ...{ creditCode: CREDIT_CODE, legalPerson: owner, personInCharge: owner, email: 'owner@example.com' },
    ...{ bankName: '招商银行', branchName: '招商银行深圳科技园支行' },
    ...{ idNumberMasked: maskNumber(ID_NUMBER), accountNumberMasked: maskAccount(ACCOUNT) },
  }
  const phone = shop.account
  const agentName = by.company
  const signedText = isSigned
    ? statementText({
        ...{ ...given, shopName: shop.shopName, agentName, phoneMasked: maskPhone(phone) },
        papers: kept,
      })
    : ''
  const isHandled = state === 'returned' || state === 'adopted'
  const row = demo.history.add(ownerPapers, {
    ...{ agentId, merchantId, state, phone, ...given, createdAt },
    tokenHash: randomBytes(32),
    ...{ createdBy: by.id, createdByName: by.name, expiresAt: ago(demo, madeDays - LINK_DAYS) },
    ...(secrets && { idNumber: secrets.encrypt(ID_NUMBER), accountNumber: secrets.encrypt(ACCOUNT) }),
    ...Object.fromEntries(kept.map(({ name, id }) => [name, id])),
    ...{ pictures: kept.length, revision: isHandled ? 3 : isSigned ? 2 : 1 },
    ...(isSigned && {
      ...{ signedText, signedHash: sha256Of(Buffer.from(signedText)), signatureId, submittedAt: handedInAt },
    }),
    ...(isHandled && {
      ...{ seenByName: by.name, seenAt: later(demo, handedInAt, 2), reasons, outcome },
      ...{ handledByName: by.name, handledAt: later(demo, handedInAt, 3) },
    }),
  })
  if (!isSigned) return
  // Taken over, the papers are the shop's own.
  if (state !== 'adopted')
    for (const { id: documentId } of kept)
      demo.history.add(documentUses, {
        ...{ documentId, feature: 'ownerPapers', objectId: String(row.id) },
        ...{ agentId, merchantId, createdAt: handedInAt },
      })
  tell(demo, by, handedInAt, {
    topic: 'OwnerPapers_Notify',
    title: '店主已提交资料',
    body: shop.shopName,
    link: `/admin/merchant/merchantDetails?user_id=${merchantId}`,
    args: { merchantId },
  })
}
