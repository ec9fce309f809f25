// Owns what a division is, the refusal of a wrong one (D1 §2, Add merchant form: province, city, district), and what a new edition of
// the table may be. Must never import the table of divisions: pages load this file in their first chunk; divisions.ts holds the look-ups.
import { csvLine, csvLines } from '#kit/words/csv.ts'

/** Province (2 digits), prefecture (4) or county (6) by GB/T 2260; a county has no children. */
export type Division = { code: string; name: string; children?: Division[] }
export type NamedDivision = { code: string; name: string }

export type DivisionPath = { provinceCode: string; cityCode: string; districtCode: string }

export const REGION_REFUSALS = { DIVISION_UNKNOWN: '请选择省市区' } as const
export type RegionRefusal = keyof typeof REGION_REFUSALS

/** What differs from the table that comes with the program. Who has a place that is gone keeps it and its name. */
export type RegionChange = { code: string; name: string; retiredAt: string | null }

/** The day for which the program's own table holds. */
export const FIRST_EDITION = '2025-12-31'

export const EDITION_LIMITS = { source: 40, lines: 10_000, name: 20 } as const
/** Of an edition with fewer districts than this part of those that are offered, something is missing. */
const LEAST_SHARE = 0.8

export const EDITION_HEADS = ['代码', '名称'] as const

/** The table as a text, as an import takes it. */
export function editionText(rows: readonly NamedDivision[]): string {
  return [EDITION_HEADS, ...rows.map(({ code, name }) => [code, name])]
    .map(cells => `${csvLine(cells)}\n`)
    .join('')
}

export type LineError = { line: number; message: string }

/** The places that a text names, and what is wrong with it, each at its line. `offered`: how many districts are offered now. */
export function readEdition(text: string, offered: number): { rows: NamedDivision[]; errors: LineError[] } {
  const rows = new Map<string, { name: string; line: number }>()
  const errors: LineError[] = []
  let heads: string[] | null = null
  for (const { line, cells } of csvLines(text)) {
    if (heads === null) {
      heads = cells
      const missing = EDITION_HEADS.find(head => !cells.includes(head))
      if (missing) return { rows: [], errors: [{ line, message: `第一行须有「${missing}」列` }] }
      continue
    }
    const at = heads
    const [code = '', name = ''] = EDITION_HEADS.map(head => cells[at.indexOf(head)] ?? '')
    const message = flawOf(code, name, rows)
    if (message !== null) errors.push({ line, message })
    else rows.set(code, { name, line })
    if (rows.size > EDITION_LIMITS.lines) {
      errors.push({ line, message: `最多 ${EDITION_LIMITS.lines} 行` })
      break
    }
  }
  const read = [...rows].map(([code, { name }]) => ({ code, name }))
  errors.push(...flawsOfTree(rows))
  const districts = read.filter(({ code }) => code.length === 6).length
  if (errors.length === 0 && districts < offered * LEAST_SHARE)
    errors.push({ line: 1, message: `只有 ${districts} 个区县，现行版本有 ${offered} 个，请确认文件完整` })
  return { rows: read, errors: errors.toSorted((a, b) => a.line - b.line) }
}

/** What a place is called. */
export function isDivisionName(name: string): boolean {
  return new RegExp(`^\\p{Script=Han}{2,${EDITION_LIMITS.name}}$|^县$`, 'u').test(name)
}

function flawOf(code: string, name: string, rows: ReadonlyMap<string, unknown>): string | null {
  if (!/^(\d{2}){1,3}$/.test(code)) return `代码「${code}」须为 2、4 或 6 位数字`
  if (!isDivisionName(name)) return `名称「${name}」须为 2 到 ${EDITION_LIMITS.name} 个汉字`
  return rows.has(code) ? `代码 ${code} 重复` : null
}

/** Every place but a province stands below another, every one but a district above another. */
function flawsOfTree(rows: ReadonlyMap<string, { name: string; line: number }>): LineError[] {
  const above = new Set([...rows.keys()].filter(code => code.length > 2).map(code => code.slice(0, -2)))
  return [...rows].flatMap(([code, { name, line }]) => {
    if (code.length > 2 && !rows.has(code.slice(0, -2)))
      return [{ line, message: `${code} ${name} 的上级 ${code.slice(0, -2)} 不在文件里` }]
    if (code.length < 6 && !above.has(code)) return [{ line, message: `${code} ${name} 没有下级` }]
    return []
  })
}

export type EditionChange = {
  added: NamedDivision[]
  /** Offered again. */
  restored: NamedDivision[]
  renamed: (NamedDivision & { before: string })[]
  retired: NamedDivision[]
  same: number
}

type Known = {
  nameOf(code: string): string | null
  isOffered(code: string): boolean
  offered(): readonly NamedDivision[]
}

/** What a new edition changes. */
export function editionChange(known: Known, rows: readonly NamedDivision[]): EditionChange {
  const change: EditionChange = { added: [], restored: [], renamed: [], retired: [], same: 0 }
  const kept = new Set(rows.map(({ code }) => code))
  for (const row of rows) {
    const before = known.nameOf(row.code)
    if (before === null) change.added.push(row)
    else if (!known.isOffered(row.code)) change.restored.push(row)
    else if (before !== row.name) change.renamed.push({ ...row, before })
    else change.same++
  }
  change.retired = known.offered().filter(({ code }) => !kept.has(code))
  return change
}
