// What the features' demo rows are made with.
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { mostOf, PICTURE_KB } from '#kit/picture.ts'
import type { Random } from '#kit/random.ts'
import { addDays, formatDay, startOfDay } from '#kit/time.ts'
import { drawn } from './documents/pdf.ts'
import type { Paper } from './documents/pdf-drawing.ts'
import { PDF_TYPE } from './files.ts'
import { insertRows } from './insert-rows.ts'
import { encodePicture } from './pictures.ts'
import { type At, sha256Of, writeBytes } from './storage/file-bytes.ts'
import { files } from './tables.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** One transaction of the owner. `random` is the same at every start. */
export type Demo = {
  client: pg.Client
  random: Random
  now: Date
  /** Where pictures are written; null: there are none. */
  filesAt: At | null
  history: History
}

/** What has happened in an office up to now. Features say what happens when; it happens in the order of time. */
export class History {
  readonly #now: number
  #coming: { at: number; happens: (at: string) => void }[] = []
  #rows = new Map<PgTable, Record<string, unknown>[]>()

  constructor(now: Date) {
    this.#now = now.getTime()
  }

  /** What would lie ahead of now does not happen. */
  at(moment: Date | string, happens: (at: string) => void): void {
    const at = new Date(moment).getTime()
    if (at <= this.#now) this.#coming.push({ at, happens })
  }

  /** A row that is written once all has happened, until when it may change. Tables are filled in the order in which they are named. */
  add<T extends PgTable>(table: T, row: T['$inferInsert']): T['$inferInsert'] & { id: number } {
    const rows = this.#rows.get(table) ?? []
    this.#rows.set(table, rows)
    const id = getTableColumns(table).id ? { id: rows.length + 1 } : {}
    const added = { ...id, ...row } as Record<string, unknown> & { id: number }
    rows.push(added)
    return added
  }

  play(): void {
    const byTime = (a: { at: number }, b: { at: number }) => a.at - b.at
    while (this.#coming.length > 0) {
      // Stable: what is said first happens first. What happens may make more happen, not before itself.
      const [next] = this.#coming.sort(byTime).splice(0, 1)
      next?.happens(new Date(next.at).toISOString())
    }
  }

  async write(client: pg.Client): Promise<void> {
    for (const [table, rows] of this.#rows) {
      await insertRows(client, table, rows)
      if (!getTableColumns(table).id?.generatedIdentity) continue
      const name = getTableName(table)
      await client.query(`select setval(pg_get_serial_sequence($1, 'id'), max(id)) from ${name}`, [name])
    }
  }
}

/** What a feature's demo leaves to those after it. */
export function kept<T>(make: () => T): (demo: Demo) => T {
  const all = new WeakMap<Demo, T>()
  return demo => {
    const found = all.get(demo) ?? make()
    all.set(demo, found)
    return found
  }
}

/** A moment that many days ago. */
export function ago({ now }: Pick<Demo, 'now'>, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString()
}

/** A moment of the working hours of a day of Shanghai, that many days ago; of today one that has been. */
export function workHour({ now, random }: Pick<Demo, 'now' | 'random'>, days: number): string {
  const opens = startOfDay(addDays(formatDay(now), -Math.floor(days))).getTime() + 9 * HOUR_MS
  const moment = opens + random.next() * 9 * HOUR_MS
  return new Date(moment < now.getTime() ? moment : now.getTime() - random.next() * HOUR_MS).toISOString()
}

/** So long after a moment, or now where that is still to come. */
export function later({ now }: Pick<Demo, 'now'>, moment: string, hours: number): string {
  return new Date(Math.min(now.getTime(), Date.parse(moment) + hours * HOUR_MS)).toISOString()
}

type Uploaded = Pick<typeof files.$inferInsert, 'agentId' | 'purpose' | 'createdBy' | 'createdAt'> & {
  /** As its purpose says. */
  sealed?: true
}

/** A drawing as somebody uploaded it, so that no picture is anybody's; null where none are kept. */
export async function drawPicture(demo: Demo, svg: string, uploaded: Uploaded): Promise<string | null> {
  return (await drawUpload(demo, svg, uploaded))?.id ?? null
}

type KeptFile = { id: string; sha256: string; sealedKey: Buffer | null }

/** The same, with what its bytes are known by and sealed with. */
export async function drawUpload(demo: Demo, svg: string, uploaded: Uploaded): Promise<KeptFile | null> {
  if (demo.filesAt === null) return null
  const { default: sharp } = await import('sharp')
  const png = await sharp(Buffer.from(svg)).png().toBuffer()
  return keepFile(demo.filesAt, demo, await encodePicture(png, { maxBytes: mostOf(PICTURE_KB) }), uploaded)
}

/** A paper as a PDF that somebody uploaded; null where no files are kept. */
export async function drawPdf(demo: Demo, paper: Paper, uploaded: Uploaded): Promise<string | null> {
  if (demo.filesAt === null) return null
  const kept = { mime: PDF_TYPE, bytes: await drawn(paper), width: 0, height: 0 }
  return (await keepFile(demo.filesAt, demo, kept, uploaded)).id
}

/** Bytes as they are, as somebody uploaded them; null where no files are kept. */
export async function keepBytes(
  demo: Demo,
  { bytes, mime }: { bytes: Buffer; mime: string },
  uploaded: Uploaded,
): Promise<KeptFile | null> {
  const kept = { mime, bytes, width: 0, height: 0 }
  return demo.filesAt && keepFile(demo.filesAt, demo, kept, uploaded)
}

type Kept = Pick<typeof files.$inferInsert, 'mime' | 'width' | 'height'> & { bytes: Buffer }

async function keepFile(
  at: At,
  { history }: Demo,
  { bytes, ...kept }: Kept,
  { sealed, ...uploaded }: Uploaded,
): Promise<KeptFile> {
  const { id, sealedKey } = await writeBytes(at, bytes, { sealed })
  const sha256 = sha256Of(bytes)
  history.add(files, { id, ...uploaded, ...kept, byteSize: bytes.length, sealedKey, sha256 })
  return { id, sha256, sealedKey }
}
