// The one maker of an onboarding's row beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import type { onboardings } from './tables.ts'

type Row = typeof onboardings.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'applicationId' | 'savedAt'>

/** Completed, of a company, and not handed in. */
export function onboardingRow(given: Given): Row {
  return {
    subjectKind: 'enterprise',
    licenceAddress: '深圳市南山区科技园南区高新南四道 18 号',
    licenceFrom: '2019-05-20',
    isLicenceLongTerm: true,
    idFrom: '2018-03-01',
    idTo: '2038-03-01',
    idAddress: '深圳市南山区学府路 2 号',
    shortName: '老张面馆',
    servicePhone: '0755-26001234',
    category: '716 餐饮',
    savedByName: '王小明',
    state: 'filling',
    changedAt: given.savedAt,
    ...given,
  }
}
