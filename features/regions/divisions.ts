// Owns the look-ups in the divisions of GB/T 2260 as they stood on 2025-12-31 (divisions.json).
// Must never be imported statically by a page: load it with import(), because the table weighs about 80 KB.
import divisions from './divisions.json' with { type: 'json' }
import type { Division, DivisionPath, RegionRefusal } from './rules.ts'

type Row = readonly [code: string, name: string, children?: readonly Row[]]

/** Levels that exist only in the code table: nobody writes them in an address. */
const UNWRITTEN_NAMES: ReadonlySet<string> = new Set([
  '市辖区',
  '县',
  '省直辖县级行政区划',
  '自治区直辖县级行政区划',
])

let tree: Division[] | undefined
let byCode: Map<string, Division> | undefined

function toDivision([code, name, children]: Row): Division {
  return children ? { code, name, children: children.map(toDivision) } : { code, name }
}

/** The whole tree, sorted by code; built once and shared, so callers must not change it. */
export function provinces(): Division[] {
  tree ??= (divisions as unknown as readonly Row[]).map(toDivision)
  return tree
}

function index(): Map<string, Division> {
  if (byCode) return byCode
  const found = new Map<string, Division>()
  const add = (division: Division) => {
    found.set(division.code, division)
    division.children?.forEach(add)
  }
  provinces().forEach(add)
  byCode = found
  return found
}

/** The name of a province, city or district by its 2, 4 or 6 digits; null when there is none. */
export function divisionName(code: string): string | null {
  return index().get(code)?.name ?? null
}

/** The three codes of a district's place in the tree; null unless `code` is a known 6-digit code. */
export function divisionPath(code: string): DivisionPath | null {
  if (code.length !== 6 || !index().has(code)) return null
  return { provinceCode: code.slice(0, 2), cityCode: code.slice(0, 4), districtCode: code }
}

/** A place with those above it, of two, four or six digits: 广东省深圳市. A name equal to the one above it is written once. */
export function regionName(code: string): string {
  const names = [2, 4, 6]
    .filter(length => length <= code.length)
    .map(length => divisionName(code.slice(0, length)))
  return names.filter((name, level) => name !== null && name !== names[level - 1]).join('')
}

/**
 * The address as people write it: 广东省深圳市南山区科技园1号. A name equal to the one above it is written once.
 * With a code that is not (or no longer) in the table, the detail alone.
 */
export function formatAddress(districtCode: string, detail: string): string {
  const path = divisionPath(districtCode)
  if (!path) return detail
  const names = [path.provinceCode, path.cityCode, path.districtCode].map(divisionName)
  const written = names.filter(
    (name, level) => name !== null && !UNWRITTEN_NAMES.has(name) && name !== names[level - 1],
  )
  return written.join('') + detail
}

/** Refuses three codes that are not a province, its city and that city's district. */
export function refuseDivision(
  provinceCode: string,
  cityCode: string,
  districtCode: string,
): RegionRefusal | null {
  const path = divisionPath(districtCode)
  return path?.provinceCode === provinceCode && path.cityCode === cityCode ? null : 'DIVISION_UNKNOWN'
}
