// Demo data of the catalogue: a version that is retired but renewed, one without a price for two partners alone, one that is gone;
// a service that is gone, one that is renewed alone, and one that has no price yet.
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import { services } from '#features/sales/services/tables.ts'
import { versionSellers, versions } from '#features/shops/versions/tables.ts'
import { endOfDay, formatDay } from '#kit/time.ts'
import type { Demo } from '#server/demo.ts'
import { insertRows } from '#server/insert-rows.ts'

const OLD = 4
const RETAIL = 79
const TRIAL = 80
const BOOKING = 33

export async function afterwards({ client, now }: Demo): Promise<void> {
  const until = endOfDay(`${Number(formatDay(now).slice(0, 4)) + 2}-12-31`).toISOString()
  await client.query('update versions set enabled = false, renew_until = $2 where id = $1', [OLD, until])
  const offered = {
    kind: 2,
    pricingRule: 'perShopYear',
    offeredOnAdd: true,
    buyCode: 4,
    renewCode: 1,
  } as const
  await insertRows(client, versions, [
    {
      ...offered,
      id: RETAIL,
      packageId: '00000000-0000-4000-8000-000000000079',
      code: 'PACK_RETAIL',
      name: '零售套餐版',
      isPack: true,
      enabled: true,
      renewable: true,
      sellers: 'only',
      functionIds: [1, 2, 3, 4, 5, 9],
      remark: '高级版加会员营销，试点代理商可售',
      position: 6,
    },
    {
      ...offered,
      id: TRIAL,
      packageId: '00000000-0000-4000-8000-000000000080',
      code: 'TRIAL',
      name: '体验版',
      isPack: false,
      enabled: false,
      renewable: false,
      sellers: 'all',
      functionIds: [1, 2],
      remark: '不再提供',
      position: 7,
    },
  ])
  await client.query('update services set enabled = false, renew_until = $2 where id = $1', [BOOKING, until])
  const service = { parentId: 2, unit: 'year', headOnly: false } as const
  await insertRows(client, services, [
    {
      ...service,
      id: 23,
      code: 'member-birthday',
      name: '生日短信',
      enabled: false,
      renewable: false,
      position: 103,
      remark: '',
    },
    { ...service, id: 24, code: 'member-cards', name: '会员卡券', position: 104, remark: '准备上线' },
  ])
  const partners = [DEMO_AGENTS.first, DEMO_AGENTS.other]
  await insertRows(
    client,
    versionSellers,
    partners.map(agentId => ({ versionId: RETAIL, agentId })),
  )
}
