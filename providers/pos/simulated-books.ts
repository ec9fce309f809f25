// What shops keep at the simulated point of sale: members, products, sales, stored value. Rows are made up from the shop, the table and
// their number, always the same; what is kept is which of them a table holds, and which each backup does.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export const TABLES = {
  members: { name: '会员', least: 36, most: 940 },
  products: { name: '商品', least: 24, most: 420 },
  sales: { name: '销售单', least: 1_080, most: 6_400 },
  storedValue: { name: '储值记录', least: 12, most: 320 },
} as const
export type TableKey = keyof typeof TABLES

export function isTable(key: unknown): key is TableKey {
  return typeof key === 'string' && key in TABLES
}

/** Rows by their numbers, from the first to the last of each stretch. */
type Stretch = [first: number, last: number]
type Rows = Stretch[]
/** `next`: the number of the row that comes next. */
type Held = { rows: Rows; next: number }
export type Backup = {
  id: string
  shopId: number
  table: TableKey
  rows: Rows
  count: number
  checksum: string
  keptUntil: string
}
export type Task = {
  act: string
  shopId: number
  kind: 'backup' | 'empty' | 'restore'
  table: TableKey
  /** In ms since 1970: until then it runs. */
  doneAt: number
  rows: number
  beside: number
  backup: Backup | null
  /** Not empty: it failed. */
  reason: string
}
type Kept = { held: Record<string, Held>; backups: Record<string, Backup>; tasks: Record<string, Task> }

export type Books = {
  countOf(shopId: number, table: TableKey): number
  /** The numbers of the rows, from the first to the last. */
  numbersOf(shopId: number, table: TableKey): number[]
  checksumOf(shopId: number, table: TableKey): string
  /** Something is sold, or a member comes. */
  add(shopId: number, table: TableKey, count: number): void
  snapshot(shopId: number, table: TableKey, id: string, keptUntil: string): Backup
  backup(id: string): Backup | undefined
  /** Answers how many rows went. */
  empty(shopId: number, table: TableKey): number
  /** What came since stays beside what the backup held. */
  bringBack(backup: Backup): { rows: number; beside: number }
  task(shopId: number, act: string): Task | undefined
  keepTask(task: Task): void
}

/** `file`: where it is kept over restarts; null: nowhere. */
export function openBooks(file: string | null): Books {
  const kept: Kept =
    file !== null && existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Kept)
      : { held: {}, backups: {}, tasks: {} }
  const save = () => {
    if (file === null) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  const heldBy = (shopId: number, table: TableKey): Held => {
    const count = firstCount(shopId, table)
    return kept.held[`${shopId} ${table}`] ?? { rows: [[1, count]], next: count + 1 }
  }
  const hold = (shopId: number, table: TableKey, held: Held) => {
    kept.held[`${shopId} ${table}`] = held
    save()
  }
  const checksum = (shopId: number, table: TableKey) => digestOf(shopId, table, heldBy(shopId, table).rows)
  return {
    countOf: (shopId, table) => countOf(heldBy(shopId, table).rows),
    numbersOf: (shopId, table) =>
      heldBy(shopId, table).rows.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, at) => first + at),
      ),
    checksumOf: checksum,
    add(shopId, table, count) {
      const { rows, next } = heldBy(shopId, table)
      hold(shopId, table, { rows: [...rows, [next, next + count - 1]], next: next + count })
    },
    snapshot(shopId, table, id, keptUntil) {
      const { rows } = heldBy(shopId, table)
      const facts = { rows, count: countOf(rows), checksum: checksum(shopId, table) }
      const made: Backup = { id, shopId, table, keptUntil, ...facts }
      kept.backups[id] = made
      save()
      return made
    },
    backup: id => kept.backups[id],
    empty(shopId, table) {
      const { rows, next } = heldBy(shopId, table)
      hold(shopId, table, { rows: [], next })
      return countOf(rows)
    },
    bringBack({ shopId, table, rows, count }) {
      const held = heldBy(shopId, table)
      const beside = held.rows.filter(([first]) => !rows.some(([from, to]) => from <= first && first <= to))
      hold(shopId, table, { rows: [...rows, ...beside], next: held.next })
      return { rows: count, beside: countOf(beside) }
    },
    task: (shopId, act) => {
      const task = kept.tasks[act]
      return task?.shopId === shopId ? task : undefined
    },
    keepTask(task) {
      kept.tasks[task.act] = task
      save()
    },
  }
}

function countOf(rows: Rows): number {
  return rows.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

/** Where a table stood when the office first asked. */
function firstCount(shopId: number, table: TableKey): number {
  const { least, most } = TABLES[table]
  const [seed = 0] = new Uint32Array(
    createHash('sha256').update(`${shopId} ${table}`).digest().buffer.slice(0, 4),
  )
  return least + (seed % (most - least + 1))
}

function digestOf(shopId: number, table: TableKey, rows: Rows): string {
  const hash = createHash('sha256')
  for (const [first, last] of rows)
    for (let number = first; number <= last; number++)
      hash.update(`${JSON.stringify(rowOf(shopId, table, number))}\n`)
  return hash.digest('hex')
}

/** One row as the point of sale would keep it. */
function rowOf(shopId: number, table: TableKey, number: number): Record<string, string | number> {
  const id = `${shopId}-${number}`
  switch (table) {
    case 'members':
      return {
        id,
        name: `会员${number}`,
        phone: `139${String((number * 7_919) % 100_000_000).padStart(8, '0')}`,
      }
    case 'products':
      return { id, name: `商品${number}`, priceFen: 300 + ((number * 131) % 9_700) }
    case 'sales':
      return { id, totalFen: 500 + ((number * 577) % 49_500), items: 1 + (number % 5) }
    case 'storedValue':
      return { id, member: 1 + (number % 36), amountFen: 10_000 * (1 + (number % 5)) }
  }
}
