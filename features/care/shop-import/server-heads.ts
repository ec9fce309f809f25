// Which line of a file names its columns, and which column is which of ours: by name, by what was said of it before, by content. Pure.
import { cleanPhone } from '#kit/words/cleaned.ts'
import { headKey } from '#kit/words/heads.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import type { SheetLine } from '#server/sheets/sheet.ts'
import { COLUMNS } from './fields.ts'
import { CELL_KEYS, type CellKey, type Head, isCellKey, LIMITS } from './rules.ts'
import { readDay } from './server-check.ts'
import { type Facts, nameKey } from './server-facts.ts'

const SAMPLES = 3
const LOOKED_AT = 60
/** So many of the cells that are looked at must be of a kind. */
const MOST_OF_THEM = 0.7

/** By a name of a column: which it is, and how well it says so. */
const KNOWN: ReadonlyMap<string, { key: CellKey; rank: number }> = new Map(
  CELL_KEYS.flatMap(key =>
    [COLUMNS[key].label, key.toLowerCase(), ...COLUMNS[key].others]
      .map((name, rank) => [headKey(name), { key, rank }] as const)
      .reverse(),
  ),
)

/** Names of columns that are known, to all or to this agency, as `headKey` compares them. */
export const knownHeads = (remembered: Readonly<Record<string, string>>): Set<string> =>
  new Set([...KNOWN.keys(), ...Object.keys(remembered).filter(key => isCellKey(remembered[key] ?? ''))])

export type Table = { heads: Head[]; lines: SheetLine[] }

/** The heads and the lines below them; null where no line names columns. Heads of two lines, as merged cells make them, are read as one. */
export function readTable(
  lines: readonly SheetLine[],
  remembered: Readonly<Record<string, string>>,
  facts: Facts,
): Table | null {
  const knownIn = (cells: readonly string[]) =>
    cells.filter(cell => KNOWN.has(headKey(cell)) || isCellKey(remembered[headKey(cell)] ?? '')).length
  const counted = lines.slice(0, LIMITS.before).map(({ cells }) => knownIn(cells))
  const at = counted.indexOf(Math.max(0, ...counted))
  if ((counted[at] ?? 0) < 2) return null
  const from = at > 0 && (counted[at - 1] ?? 0) > 0 ? at - 1 : at
  const to = (counted[at + 1] ?? 0) > 0 && from === at ? at + 1 : at
  const width = Math.max(...lines.map(({ cells }) => cells.length))
  const names = Array.from({ length: width }, (_, column) => {
    const written = lines.slice(from, to + 1).map(({ cells }) => cells[column] ?? '')
    return written.findLast(name => name !== '') ?? ''
  })
  const rest = lines.slice(to + 1)
  const columns = columnsOf(names, rest, remembered, facts)
  return {
    heads: names.map((name, column) => ({
      name: name || `第${column + 1}列`,
      samples: rest.flatMap(({ cells }) => cells[column] || []).slice(0, SAMPLES),
      column: columns[column]?.key ?? null,
      ...(columns[column]?.guessed && { guessed: true }),
    })),
    lines: rest,
  }
}

function columnsOf(
  names: readonly string[],
  lines: readonly SheetLine[],
  remembered: Readonly<Record<string, string>>,
  facts: Facts,
): { key: CellKey | null; guessed: boolean }[] {
  const taken = new Set<CellKey>()
  const take = (key: CellKey | null | undefined): CellKey | null => {
    if (!key || taken.has(key)) return null
    taken.add(key)
    return key
  }
  const said = names.map(name => {
    const key = remembered[headKey(name)]
    return key === undefined ? undefined : isCellKey(key) ? take(key) : null
  })
  const known = names.map((name, at) => (said[at] === undefined ? KNOWN.get(headKey(name)) : undefined))
  // Of a shop's numbers the one that is best called so is its account, wherever it stands.
  const best = new Map<CellKey, number>()
  for (const [at, found] of known.entries())
    if (found && found.rank < (known[best.get(found.key) ?? -1]?.rank ?? Number.POSITIVE_INFINITY))
      best.set(found.key, at)
  const named = names.map((_, at) => {
    const found = known[at]
    return found && best.get(found.key) === at ? take(found.key) : (said[at] ?? null)
  })
  return named.map((key, at) => {
    // What somebody has said is nothing of ours stays so.
    if (key || said[at] === null) return { key: key ?? null, guessed: false }
    const cells = lines.flatMap(({ cells: all }) => all[at] || []).slice(0, LOOKED_AT)
    const guess = take(contentOf(cells, taken, facts))
    return { key: guess, guessed: guess !== null }
  })
}

/** What cells look like that no head names. */
function contentOf(cells: readonly string[], taken: ReadonlySet<CellKey>, facts: Facts): CellKey | null {
  if (cells.length === 0) return null
  const are = (test: (cell: string) => boolean) => cells.filter(test).length >= cells.length * MOST_OF_THEM
  const { districts } = facts
  const kinds: [key: CellKey, test: (cell: string) => boolean][] = [
    ['account', cell => isMainlandMobile(cleanPhone(cell))],
    ['version', cell => facts.versions.has(nameKey(cell))],
    ['industry', cell => facts.industries.has(nameKey(cell))],
    ['province', cell => districts.provinceNames.has(cell) || districts.provinceNames.has(`${cell}省`)],
    ['city', cell => districts.cityNames.has(cell) || districts.cityNames.has(`${cell}市`)],
    ['district', cell => districts.districtNames.has(cell) || districts.exact(cell) !== null],
    ['registeredAt', cell => (readDay(cell) ?? '9999') <= facts.today],
    ['expiresAt', cell => readDay(cell) !== null],
  ]
  return kinds.find(([key, test]) => !taken.has(key) && are(test))?.[0] ?? null
}
