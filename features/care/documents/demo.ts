// Demo rows of papers: a few shops' licences, cards and doors, drawn here without a word, so that none can be taken for one.
import { DEMO_AGENTS, demoOwner, demoSeller } from '#features/office/access/demo.ts'
import { type DemoShop, demoShops, isInUse } from '#features/sales/selling/demo.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { ago, type Demo, drawUpload, kept } from '#server/demo.ts'
import { sha256Of } from '#server/storage/file-bytes.ts'
import { documentRow } from './rows.ts'
import { DOCUMENT_FILE, type DocumentKind, maskNumber, REPLACED_KEPT_DAYS } from './rules.ts'
import { sealedFacts } from './server-look.ts'
import { documents } from './tables.ts'

const lines = (x: number, ys: readonly number[], width: number) =>
  ys
    .map((y, at) => `<rect x="${x}" y="${y}" width="${width - at * 36}" height="12" fill="#c8cdd6"/>`)
    .join('')
const drawing = (width: number, height: number, ground: string, inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="18" fill="${ground}"/>${inside}</svg>`

/** `tint` tells one shop's drawing from another's. */
const DRAWN: Partial<Record<DocumentKind, (tint: string) => string>> = {
  idCardFront: tint =>
    drawing(
      640,
      404,
      '#eef2f6',
      `${lines(60, [70, 110, 150, 190], 280)}<rect x="430" y="70" width="150" height="190" rx="8" fill="${tint}"/><circle cx="505" cy="140" r="38" fill="#f3d9c4"/><rect x="60" y="320" width="420" height="20" fill="#9aa3b2"/>`,
    ),
  idCardBack: tint =>
    drawing(
      640,
      404,
      '#f3efe9',
      `<circle cx="120" cy="120" r="60" fill="${tint}"/>${lines(230, [90, 130], 320)}${lines(180, [280, 320], 380)}`,
    ),
  businessLicence: tint =>
    drawing(
      720,
      510,
      '#fbf8ee',
      `<rect x="18" y="18" width="684" height="474" fill="none" stroke="#b8945a" stroke-width="6"/><rect x="240" y="64" width="240" height="36" fill="${tint}"/>${lines(84, [140, 184, 228, 272, 316], 500)}<circle cx="560" cy="398" r="54" fill="none" stroke="#c0392b" stroke-width="7"/>`,
    ),
  shopFront: tint =>
    drawing(
      640,
      420,
      '#dfe5ee',
      `<rect x="40" y="60" width="560" height="90" rx="6" fill="${tint}"/><rect x="60" y="150" width="520" height="230" fill="#8d9bb0"/><rect x="250" y="190" width="140" height="190" fill="#46546b"/>`,
    ),
}
const TINTS = ['#8fa8c8', '#b4382c', '#3f7d58', '#8a6d3b', '#6a5acd'] as const
/** Others look like one of these. */
const LOOKS_LIKE: Partial<Record<DocumentKind, DocumentKind>> = {
  shopInside: 'shopFront',
  checkstand: 'shopFront',
  personIdFront: 'idCardFront',
  personIdBack: 'idCardBack',
}

/** `ends`: in how many days; long: 长期有效. `number` is nobody's. `gone`: what became of it that many days ago. */
type Paper = {
  kind: DocumentKind
  ends?: number | 'long'
  number?: string
  gone?: { to: 'replaced' | 'erased'; days: number }
}
const OF_EACH: readonly Paper[] = [
  { kind: 'idCardFront', number: '110101199003070012' },
  { kind: 'idCardBack', ends: 2_400 },
  { kind: 'businessLicence', ends: 'long' },
  { kind: 'shopFront' },
]
/** What an account of the shop's own asks for. */
const OF_ACCOUNT: readonly Paper[] = [
  ...OF_EACH,
  ...([{ kind: 'accountPermit' }, { kind: 'checkstand' }, { kind: 'shopInside' }] as const),
]
/** Of a deputy with the shop's letter, and of somebody who owns it beside the legal person. */
const OF_PEOPLE: readonly Paper[] = [
  ...([{ kind: 'personIdFront' }, { kind: 'personIdBack', ends: 1_900 }] as const),
  { kind: 'authorizationLetter', ends: 340 },
  ...([{ kind: 'personIdFront' }, { kind: 'personIdBack', ends: 3_100 }] as const),
]
/** By whom: one of those who sell, or the agency's owner, for whom no lot is drawn, so that all that follows stays as it was. */
const SHOPS: readonly [agentId: number, shop: number, papers: readonly Paper[], by?: 'owner'][] = [
  [DEMO_AGENTS.first, 0, [...OF_EACH, { kind: 'shopInside' }, { kind: 'permit', ends: 76 }]],
  [
    DEMO_AGENTS.first,
    1,
    [
      { kind: 'businessLicence', ends: 41 },
      { kind: 'idCardBack', ends: 12 },
      { kind: 'permit' },
      { kind: 'other', gone: { to: 'erased', days: 2 } },
    ],
  ],
  [
    DEMO_AGENTS.first,
    2,
    [
      { kind: 'businessLicence', ends: -20 },
      { kind: 'permit', ends: 27 },
      { kind: 'qualification', ends: 58 },
      { kind: 'authorizationLetter', ends: 14 },
      { kind: 'permit', ends: -90, gone: { to: 'replaced', days: 9 } },
      { kind: 'other' },
    ],
  ],
  [DEMO_AGENTS.other, 0, [...OF_EACH, { kind: 'permit', ends: 6 }]],
  [DEMO_AGENTS.below, 0, [{ kind: 'businessLicence', ends: 300 }]],
  [DEMO_AGENTS.first, 3, OF_EACH],
  [DEMO_AGENTS.first, 4, OF_ACCOUNT],
  [DEMO_AGENTS.other, 1, [...OF_EACH, { kind: 'bankCard' }, { kind: 'checkstand' }]],
  [DEMO_AGENTS.first, 5, OF_ACCOUNT, 'owner'],
  [DEMO_AGENTS.first, 6, [...OF_ACCOUNT, ...OF_PEOPLE], 'owner'],
]
const DAYS_AGO = 24

type DemoPaper = typeof documents.$inferInsert & { id: number }
/** The shops that have papers, each with them, in the order in which these are told. */
export const demoPapers = kept(() => new Map<DemoShop, DemoPaper[]>())

export async function demo(demo: Demo): Promise<void> {
  for (const [place, [agentId, number, papers, who]] of SHOPS.entries()) {
    const by = who === 'owner' ? demoOwner(demo, agentId) : demoSeller(demo, agentId)
    const createdAt = ago(demo, DAYS_AGO - place)
    const uploaded = { agentId, purpose: DOCUMENT_FILE, createdBy: by.id, createdAt, sealed: true } as const
    for (const [at, paper] of papers.entries()) {
      const svg = drawnAs(paper.kind, at % 2 === 0 ? place : place + at)
      const file = paper.gone?.to === 'erased' ? null : await drawUpload(demo, svg, uploaded)
      demo.history.at(demo.now, () => {
        const shop = demoShops(demo).filter(
          one =>
            one.agentId === agentId && one.registeredAt < createdAt && isInUse(one, demo.now.toISOString()),
        )[number]
        if (!shop) return
        const row = demo.history.add(
          documents,
          documentRow({
            ...{ agentId, merchantId: shop.id, kind: paper.kind, createdAt },
            // An office without files has none of theirs.
            ...{ fileId: file?.id ?? null, sha256: file?.sha256 ?? sha256Of(Buffer.from(`${svg}${at}`)) },
            ...{ createdBy: by.id, createdByName: by.name },
            ...saidOf(demo, paper),
            ...goneOf(demo, paper, by),
          }),
        )
        if (paper.number && file?.sealedKey && demo.filesAt)
          row.facts = sealedFacts(demo.filesAt.secrets, file.sealedKey, row.id, { idNumber: paper.number })
        demoPapers(demo).set(shop, [...(demoPapers(demo).get(shop) ?? []), row])
      })
    }
  }
}

export function drawnAs(kind: DocumentKind, tint: number): string {
  const draw = DRAWN[kind] ?? DRAWN[LOOKS_LIKE[kind] ?? 'businessLicence']
  return draw?.(TINTS[tint % TINTS.length] ?? TINTS[0]) ?? ''
}

function saidOf(demo: Demo, { ends, number }: Paper) {
  return {
    isLongTerm: ends === 'long',
    expiresOn: typeof ends === 'number' ? addDays(formatDay(demo.now), ends) : null,
    numberMasked: number ? maskNumber(number) : '',
  }
}

function goneOf(demo: Demo, { gone }: Paper, by: { id: number; name: string }) {
  if (!gone) return {}
  const at = ago(demo, gone.days)
  if (gone.to === 'replaced') {
    const keepUntil = ago(demo, gone.days - REPLACED_KEPT_DAYS.initial)
    return { state: gone.to, replacedAt: at, keepUntil }
  }
  const eraseReason = '商户重复上传，按商户要求删除'
  return { state: gone.to, erasedAt: at, erasedBy: by.id, erasedByName: by.name, eraseReason }
}
