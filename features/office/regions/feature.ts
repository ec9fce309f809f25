import { sql } from 'drizzle-orm'
import { type Feature, rowsOf } from '#server/feature.ts'
import { regions as contract } from './contract.ts'
import { EDITION } from './reference.ts'
import { isDivisionName } from './rules.ts'
import { renew, regionsRouter as router } from './server.ts'
import { regionChanges, regionEdition } from './tables.ts'

export const feature = {
  contract,
  router,
  reference: [rowsOf(regionEdition, [EDITION])],
  configured: [
    {
      key: 'regions',
      title: '行政区划版本',
      table: regionEdition,
      id: regionEdition.id,
      named: () => '现行版本',
      labels: { source: '版本' },
      leaves: { revision: 0, changedAt: sql`now()`, changedByName: '导入' },
      afterwards: renew,
    },
    {
      key: 'region-changes',
      title: '行政区划变更',
      table: regionChanges,
      id: regionChanges.code,
      named: 'name',
      leaves: {},
      flawOf: ({ code, name }) =>
        /^(\d{2}){1,3}$/.test(String(code)) && isDivisionName(String(name)) ? null : '代码或名称不对',
      uses: [],
      afterwards: renew,
    },
  ],
} satisfies Feature
