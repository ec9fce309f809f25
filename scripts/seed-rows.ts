// What npm run seed writes: agents of very different size and their shops, the same for the same numbers on the same day.

import { shop } from '#features/sales/selling/sample.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import type { Source, VerificationStatus } from '#features/shops/merchants/rules.ts'
import type { merchants } from '#features/shops/merchants/tables.ts'
import { type TermEnd, termFrom } from '#features/shops/versions/rules.ts'
import { makeRandom, type Random } from '#kit/random.ts'

const LARGEST_SHARE = 0.12
const DAY_MS = 86_400_000
const HISTORY_DAYS = 5 * 365
/** The golden section: its multiples fill 0 to 1 evenly, so every agent gets exactly its share at any time. */
const GOLDEN = 0.618_033_988_749_894_8
/** Shares no factor with 10^9, so that account numbers never repeat. */
const ACCOUNT_STEP = 387_420_489
const CHAIN = 3
const LIFETIME = 1

const REMARKS = [
  '续费请先电话联系',
  '老客户，优先处理',
  '需要上门培训',
  '微信联系即可',
  '已加企业微信',
  '春节后回访',
]
const VERIFICATIONS: VerificationStatus[] = [
  'verified',
  'verified',
  'unverified',
  'unverified',
  'reviewing',
  'failed',
]
const SOURCES: Source[] = ['backOffice', 'backOffice', 'backOffice', 'mobileWebsite', 'import']
const VERSION_IDS = [12, 12, 12, 12, CHAIN, LIFETIME, 4, 5]

/** Shares of the agents, adding up to 1: the first has 12 %, the others decay. `count` is at least 30. */
export function agentShares(count: number): number[] {
  const weights = Array.from({ length: count - 1 }, (_, rank) => 1 / (rank + 3))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return [LARGEST_SHARE, ...weights.map(weight => (weight / sum) * (1 - LARGEST_SHARE))]
}

export type SeedAgent = { id: number; managerIds: number[] }
type Chain = { id: number; registeredMs: number }

/** Makes rows one after another. `today` is the day that states are relative to. */
export function makeShopRows(options: {
  agents: readonly SeedAgent[]
  total: number
  firstId: number
  today: Date
}): (index: number) => typeof merchants.$inferInsert {
  const { agents, total, firstId, today } = options
  const random = makeRandom(1_000_003)
  const bounds = cumulative(agentShares(agents.length))
  const chains = new Map<number, Chain>()
  const startMs = today.getTime() - HISTORY_DAYS * DAY_MS
  return index => {
    const agent = agents[rankOf(bounds, (index * GOLDEN) % 1)] as SeedAgent
    const registeredMs = startMs + Math.floor(((index + random.next()) / total) * HISTORY_DAYS * DAY_MS)
    const id = firstId + index
    const chain = chains.get(agent.id)
    const isBranch = chain !== undefined && random.chance(0.055)
    const versionId = isBranch ? CHAIN : random.pick(VERSION_IDS)
    if (!isBranch && versionId === CHAIN) chains.set(agent.id, { id, registeredMs })
    const kind = { isBranch, headId: isBranch ? chain.id : null, versionId }
    return shopRow(random, { id, index, agent, registeredMs, todayMs: today.getTime(), ...kind })
  }
}

type Place = {
  id: number
  index: number
  agent: SeedAgent
  registeredMs: number
  todayMs: number
  isBranch: boolean
  headId: number | null
  versionId: number
}

function shopRow(random: Random, at: Place) {
  const sample = shop(random)
  const verification = random.pick(VERIFICATIONS)
  const pays = random.chance(0.4)
  return merchantRow({
    ...sample,
    id: at.id,
    agentId: at.agent.id,
    storeKind: at.isBranch ? 'branch' : 'head',
    headId: at.headId,
    shopName: at.isBranch
      ? `${sample.shopName}${random.pick(['东', '南', '西', '北'])}分店`
      : sample.shopName,
    account: accountOf(at.index),
    shopPhone: random.chance(0.5) ? `0${10 + random.whole(890)}-${2_000_000 + random.whole(7_000_000)}` : '',
    versionId: at.versionId,
    shopsBought: at.versionId === CHAIN && !at.isBranch ? 2 + random.whole(9) : 1,
    status: random.chance(0.06) ? 'disabled' : 'normal',
    registeredAt: new Date(at.registeredMs).toISOString(),
    ...termOf(random, at),
    lastLoginAt: lastLogin(random, at),
    managerId: random.chance(0.7) ? random.pick(at.agent.managerIds) : null,
    remark: random.chance(0.2) ? random.pick(REMARKS) : '',
    signature: random.chance(0.5) ? sample.shortName : '',
    verificationStatus: verification,
    verificationRefusal:
      verification === 'failed' ? random.pick(['营业执照不清晰', '法人信息不一致', '门头照片缺失']) : '',
    paymentMethodId: pays ? random.pick([0, 1, 2]) : null,
    payEnabled: pays,
    source: random.pick(SOURCES),
  })
}

/** Permanent for lifetime versions; otherwise whole years, of which most who ran out bought more. */
function termOf(random: Random, at: Place): TermEnd {
  if (at.versionId === LIFETIME || at.versionId === 5) return termFrom(new Date(at.registeredMs), null)
  let years = 1 + random.whole(3)
  const term = () => termFrom(new Date(at.registeredMs), 12 * years)
  while (Date.parse(term().expiresAt ?? '') < at.todayMs && random.chance(0.75)) years += 1
  return term()
}

/** Mostly within the last weeks, some long ago, one in ten never; not before the shop was registered. */
function lastLogin(random: Random, at: Place): string | null {
  if (random.chance(0.1)) return null
  const agoMs = random.next() ** 3 * 400 * DAY_MS
  return new Date(Math.max(at.registeredMs, at.todayMs - Math.floor(agoMs))).toISOString()
}

/** An 11-digit account: the second digit avoids the demo shops' numbers, which begin with 18. */
function accountOf(index: number): string {
  const digits = ((index + 1) * ACCOUNT_STEP) % 1_000_000_000
  return `1${'3579'[index % 4]}${String(digits).padStart(9, '0')}`
}

function cumulative(shares: readonly number[]): number[] {
  let sum = 0
  return shares.map(share => {
    sum += share
    return sum
  })
}

function rankOf(bounds: readonly number[], at: number): number {
  let low = 0
  let high = bounds.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as number) > at) high = middle
    else low = middle + 1
  }
  return low
}
