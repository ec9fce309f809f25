// The one maker of a shop's row beside its operations, for demo, seed, benches and tests: what is not given is made up.
// Must never read a clock.
import type { merchants } from './tables.ts'

type Row = typeof merchants.$inferInsert
type Given = Partial<Row> & Pick<Row, 'id' | 'agentId' | 'account' | 'registeredAt'>

/** A shop of the advanced version, permanent where no end is given. */
export function merchantRow(given: Given): Row {
  return {
    storeKind: 'head',
    shortName: '店铺',
    shopName: '测试店铺',
    personName: '王小明',
    passwordHash: 'none',
    provinceCode: '44',
    cityCode: '4403',
    districtCode: '440305',
    industryId: 2,
    versionId: 12,
    shopsBought: 1,
    status: 'normal',
    verificationStatus: 'unverified',
    source: 'backOffice',
    ...given,
  }
}
