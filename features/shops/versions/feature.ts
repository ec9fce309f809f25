import { firstPrices } from '#features/office/prices/server-first.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { versions as contract } from './contract.ts'
import { VERSION_FUNCTIONS, VERSIONS } from './reference.ts'
import { PRICING_RULES } from './rules.ts'
import { versionsRouter as router } from './server.ts'
import { versionFunctions, versions } from './tables.ts'

export const feature = {
  contract,
  router,
  reference: [
    rowsOf(versionFunctions, VERSION_FUNCTIONS),
    rowsOf(versions, VERSIONS),
    firstPrices(
      'version',
      VERSIONS.flatMap(({ id: item, priceYearCents, priceMonthCents, priceLifetimeCents }) => [
        { item, part: 'year', cents: priceYearCents },
        { item, part: 'month', cents: priceMonthCents },
        { item, part: 'lifetime', cents: priceLifetimeCents },
      ]),
    ),
  ],
  configured: [
    {
      key: 'versionFunctions',
      title: '版本功能',
      table: versionFunctions,
      id: versionFunctions.id,
      named: 'name',
      leaves: { revision: 1 },
    },
    {
      key: 'versions',
      title: '软件版本',
      table: versions,
      id: versions.id,
      named: 'name',
      // Who sells it is named by agents, which a file does not carry.
      leaves: { sellers: 'all', revision: 1 },
      left: '可售的代理商不随文件带出；导入时新增的版本全部代理商可售，已有的版本不变',
      labels: {
        packageId: '套餐标识',
        pricingRule: '计价方式',
        isPack: '套餐版',
        offeredOnAdd: '新增商户可选',
        buyCode: '购买代码',
        renewCode: '续费代码',
        offeredOnChange: '其他版本可购买',
        renewable: '停用后可续费',
        renewUntil: '可续费至',
        functionIds: '包含功能',
      },
      words: { pricingRule: PRICING_RULES },
    },
  ],
} satisfies Feature
