// Owns the look-ups in the divisions of GB/T 2260: the table that comes with the program (divisions.json), and what was imported since.
// Must never be imported statically by a page: load it with import(), because the table weighs about 80 KB.
import { cleanLine } from '#kit/words/cleaned.ts'
import other from './also-called.json' with { type: 'json' }
import divisions from './divisions.json' with { type: 'json' }
import type { Division, DivisionPath, NamedDivision, RegionChange, RegionRefusal } from './rules.ts'

type Row = readonly [code: string, name: string, children?: readonly Row[]]

/** Levels that exist only in the code table: nobody writes them in an address. */
const UNWRITTEN_NAMES: ReadonlySet<string> = new Set([
  '市辖区',
  '县',
  '省直辖县级行政区划',
  '自治区直辖县级行政区划',
])

export type Divisions = {
  /** What can be chosen, as a tree sorted by code; shared, so callers must not change it. */
  provinces(): readonly Division[]
  /** The same with a place that is chosen already, though it is offered no more. */
  provincesWith(code: string): readonly Division[]
  /** What can be chosen, level by level in the order of the codes. */
  offered(): readonly NamedDivision[]
  /** Whether a code of any length can be chosen. */
  isOffered(code: string): boolean
  /** The name of a province, city or district by its 2, 4 or 6 digits, of one that is gone too; null when there is none. */
  nameOf(code: string): string | null
  /** The three codes of a district's place in the tree, of one that is gone too; null unless `code` is a known 6-digit code. */
  pathOf(code: string): DivisionPath | null
  /**
   * What a city or a district, by its four or six digits, is called beside its name: short names; districts that have become part of it;
   * development zones that have their seat there, but for those whose areas lie apart in several districts, of which nobody can say which is meant.
   */
  alsoCalled(code: string): readonly string[]
  /** Whether a place, told with those above it, is meant by what is typed: 东莞, 内蒙古 呼市, 苏州工业园区. */
  isCalled(typed: string, path: readonly NamedDivision[]): boolean
  /** A place with those above it, of two, four or six digits: 广东省深圳市. A name equal to the one above it is written once. */
  regionName(code: string): string
  /**
   * The address as people write it: 广东省深圳市南山区科技园1号. A name equal to the one above it is written once. With a code that was
   * never in the table, the detail alone.
   */
  formatAddress(districtCode: string, detail: string): string
}

const RETIRED = '（已撤销）'

const OTHER_NAMES: readonly Readonly<Record<string, readonly string[]>>[] = Object.values(other)
const alsoCalled = (code: string): readonly string[] => OTHER_NAMES.flatMap(names => names[code] ?? [])

/** Whether a place, told with those above it, is meant by what is typed: 东莞, 内蒙古 呼市, 苏州工业园区. */
function isCalled(typed: string, path: readonly NamedDivision[]): boolean {
  const names = path.map(({ code, name }) => [name, ...alsoCalled(code)])
  const written = names.flat().join('')
  return cleanLine(typed)
    .split(/[\s/\u3000]+/)
    .filter(part => part !== '')
    .every(part => written.includes(part) || isRun(part, names))
}

/** A few letters of each name, one name after another: 内蒙古呼市. */
function isRun(text: string, [names, ...below]: readonly (readonly string[])[]): boolean {
  if (text === '') return true
  if (!names) return false
  const follows = (name: string) => {
    let length = 0
    while (length < name.length && text[length] === name[length]) length++
    for (let taken = length; taken >= 2; taken--) if (isRun(text.slice(taken), below)) return true
    return false
  }
  return names.some(follows) || isRun(text, below)
}

/** Codes, names and order of the table that comes with the program. */
const BUILT_IN: readonly NamedDivision[] = flat(divisions as unknown as readonly Row[])

function flat(rows: readonly Row[]): NamedDivision[] {
  return rows.flatMap(([code, name, children = []]) => [{ code, name }, ...flat(children)])
}

/** The table with what was imported since: other names, more places, places that are gone. */
export function divisionsWith(changes: readonly RegionChange[]): Divisions {
  const names = new Map(BUILT_IN.map(({ code, name }) => [code, name]))
  const gone = new Set<string>()
  for (const { code, name, retiredAt } of changes) {
    names.set(code, name)
    if (retiredAt !== null) gone.add(code)
  }
  const codes = [...names.keys()].toSorted()
  const isOffered = (code: string) => names.has(code) && !gone.has(code)
  const treeOf = (isIn: (code: string) => boolean): Division[] => {
    const built = new Map<string, Division>()
    const top: Division[] = []
    for (const code of codes) {
      if (!isIn(code)) continue
      const division = { code, name: (names.get(code) ?? '') + (gone.has(code) ? RETIRED : '') }
      built.set(code, division)
      const above = built.get(code.slice(0, -2))
      if (code.length === 2) top.push(division)
      else if (above) above.children = [...(above.children ?? []), division]
    }
    return top
  }
  let tree: Division[] | undefined
  const provinces = () => {
    tree ??= treeOf(isOffered)
    return tree
  }
  const nameOf = (code: string) => names.get(code) ?? null
  const pathOf = (code: string) =>
    code.length === 6 && names.has(code)
      ? { provinceCode: code.slice(0, 2), cityCode: code.slice(0, 4), districtCode: code }
      : null
  return {
    provinces,
    provincesWith: code =>
      isOffered(code) || !names.has(code)
        ? provinces()
        : treeOf(one => isOffered(one) || code.startsWith(one)),
    offered: () => codes.filter(isOffered).map(code => ({ code, name: names.get(code) ?? '' })),
    isOffered,
    nameOf,
    pathOf,
    alsoCalled,
    isCalled,
    regionName(code) {
      const written = [2, 4, 6]
        .filter(length => length <= code.length)
        .map(length => nameOf(code.slice(0, length)))
      return written.filter((name, level) => name !== null && name !== written[level - 1]).join('')
    },
    formatAddress(districtCode, detail) {
      const path = pathOf(districtCode)
      if (!path) return detail
      const all = [path.provinceCode, path.cityCode, path.districtCode].map(nameOf)
      const written = all.filter(
        (name, level) => name !== null && !UNWRITTEN_NAMES.has(name) && name !== all[level - 1],
      )
      return written.join('') + detail
    },
  }
}

/** What must be written down so that the program's table becomes this one. */
export function changesTo(wanted: ReadonlyMap<string, Omit<RegionChange, 'code'>>): RegionChange[] {
  const builtIn = new Map(BUILT_IN.map(({ code, name }) => [code, name]))
  return [...wanted]
    .filter(([code, { name, retiredAt }]) => builtIn.get(code) !== name || retiredAt !== null)
    .map(([code, change]) => ({ code, ...change }))
}

const OWN = divisionsWith([])

/** Of the program's own table, for what knows no office: demo data and samples. */
export const provinces = OWN.provinces
export const regionName = OWN.regionName

/** Refuses three codes that are not a province, its city and that city's district. */
export function refuseDivision(
  known: Divisions,
  provinceCode: string,
  cityCode: string,
  districtCode: string,
): RegionRefusal | null {
  const path = known.pathOf(districtCode)
  return path?.provinceCode === provinceCode && path.cityCode === cityCode ? null : 'DIVISION_UNKNOWN'
}
