// The one maker of an application's row beside its operations, for demo and tests: what is not given is made up.
// Must never read a clock.
import { FLOW_NUMBERS } from './rules.ts'
import type { programApplications } from './tables.ts'

type Row = typeof programApplications.$inferInsert
type Given = Partial<Row> & Pick<Row, 'agentId' | 'merchantId' | 'createdAt'>

/** A draft of a registration without papers. */
export function applicationRow(given: Given): Row {
  return {
    ...{ kind: 'registration', state: 'draft', ...FLOW_NUMBERS.review },
    companyName: '深圳市老张餐饮有限公司',
    companyCode: '9144030071526726XG',
    legalPersonName: '张三',
    servicePhone: '0755-88886666',
    programName: '老张面馆点餐',
    programType: 'scanOrder',
    intro: '老张面馆的点餐小程序',
    savedBy: 0,
    savedByName: '王小明',
    ...given,
  }
}
