// Demo rows of an agent's own prices: what it charges for each version, and less from one old customer.
import { DEMO_AGENTS, demoOwner } from '#features/office/access/demo.ts'
import { demoShops } from '#features/sales/selling/demo.ts'
import { VERSIONS } from '#features/shops/versions/reference.ts'
import { addDays, formatDay, startOfDay } from '#kit/time.ts'
import type { Demo } from '#server/demo.ts'
import { sellingPrices } from './tables.ts'

const FIRST_DAYS = 720
const OLD_CUSTOMER_DAYS = 200
const OPENS_MS = 9.5 * 3_600_000

export function demo(demo: Demo): void {
  const by = demoOwner(demo, DEMO_AGENTS.first)
  const set = (
    prices: Pick<typeof sellingPrices.$inferInsert, 'versionId' | 'merchantId'>,
    at: string,
    off = 0,
  ) => {
    const version = VERSIONS.find(({ id }) => id === prices.versionId)
    const fen = (cents: number | null | undefined) => (cents == null ? null : cents - off)
    demo.history.add(sellingPrices, {
      ...prices,
      agentId: by.agentId,
      yearFen: fen(version?.priceYearCents),
      monthFen: fen(version?.priceMonthCents),
      lifetimeFen: fen(version?.priceLifetimeCents),
      createdBy: by.id,
      createdByName: by.name,
      createdAt: at,
    })
  }
  demo.history.at(morning(demo, FIRST_DAYS), at => {
    for (const { id } of VERSIONS) set({ versionId: id }, at)
  })
  demo.history.at(morning(demo, OLD_CUSTOMER_DAYS), at => {
    const shop = demoShops(demo).find(({ agentId }) => agentId === DEMO_AGENTS.first)
    if (shop) set({ versionId: shop.versionId, merchantId: shop.id ?? null }, at, 1_000)
  })
}

function morning({ now }: Demo, daysAgo: number): Date {
  return new Date(startOfDay(addDays(formatDay(now), -daysAgo)).getTime() + OPENS_MS)
}
