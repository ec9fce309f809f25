// Files of shops for demo, tests and benches: lines as a partner's former system writes them. Must never read a clock.
import { csvLine } from '#kit/words/csv.ts'
import { COLUMNS } from './fields.ts'
import { CELL_KEYS, type Cells } from './rules.ts'

/** A line that becomes a shop: one of the advanced version for a year. */
export function sampleCells(account: string, changes: Cells = {}): Cells {
  return {
    shortName: '老张面馆',
    shopName: '深圳老张面馆',
    personName: '张三',
    account,
    version: '高级版',
    term: '1年',
    industry: '餐饮美食',
    province: '广东省',
    city: '深圳市',
    district: '南山区',
    address: '科技园1号',
    ...changes,
  }
}

/** The heads of the template and these lines, as a text with commas. */
export function sampleCsv(lines: readonly Cells[]): string {
  const heads = CELL_KEYS.map(key => COLUMNS[key].label)
  return [heads, ...lines.map(cells => CELL_KEYS.map(key => cells[key] ?? ''))].map(csvLine).join('\n')
}
