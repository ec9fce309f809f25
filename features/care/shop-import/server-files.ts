// Files that go out: the template, lines that did not become shops, and what became of each.
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { type ExportPlan, serveDownload } from '#server/documents/export.ts'
import { neutralise, type XlsxColumn } from '#server/documents/xlsx.ts'
import { shopImportDownloads } from './contract.ts'
import { COLUMNS } from './fields.ts'
import { CELL_KEYS, type CellKey, type Cells, type Fault, ROW_STATES, type RowState } from './rules.ts'
import { opened } from './server-lines.ts'
import { findImport } from './server-list.ts'
import { shopImportRows as lines } from './tables.ts'

const CHARACTER_PX = 8
/** Everything is text, so that no program makes a number of an account or a date of a day. */
const columnOf = (key: CellKey): XlsxColumn => ({
  header: COLUMNS[key].label,
  kind: 'text',
  width: Math.ceil(COLUMNS[key].width / CHARACTER_PX),
})
const textColumn = (header: string, width: number): XlsxColumn => ({ header, kind: 'text', width })
const TEMPLATE: readonly CellKey[] = CELL_KEYS.filter(key => !COLUMNS[key].takeover)

export const templateDownload = serveDownload(shopImportDownloads.template, ctx => ({
  columns: CELL_KEYS.map(columnOf),
  statement: ctx.db.select({ one: sql<number>`1` }).from(sql`(values (1)) as example (one)`),
  values: {},
  cells: () => CELL_KEYS.map(key => (TEMPLATE.includes(key) ? COLUMNS[key].example : '')),
}))

const ROW = {
  line: lines.line,
  cells: lines.cells,
  faults: lines.faults,
  state: lines.state,
  problem: lines.problem,
  merchantId: lines.merchantId,
  orderNo: lines.orderNo,
  password: lines.password,
}
type Row = [
  line: number,
  cells: Cells,
  faults: Fault[],
  state: RowState,
  problem: string,
  merchantId: number | null,
  orderNo: string | null,
  password: Buffer | string | null,
]

const json = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T

function statementOf(ctx: Ctx, id: number, only?: string) {
  return ctx.db
    .select(ROW)
    .from(lines)
    .where(and(eq(lines.importId, id), only === undefined ? undefined : sql.raw(only)))
    .orderBy(asc(lines.position))
}

export const failedDownload = serveDownload(
  shopImportDownloads.failed,
  async (ctx, { id }): Promise<ExportPlan> => {
    await findImport(ctx, id)
    return {
      columns: [...CELL_KEYS.map(columnOf), textColumn('原因', 40)],
      statement: statementOf(ctx, id, `state not in ('created', 'kept', 'rolledBack')`),
      values: {},
      cells(row) {
        const [, cells, faults, , problem] = row as unknown as Row
        const read = json<Cells>(cells)
        const why =
          problem ||
          json<Fault[]>(faults)
            .map(({ column, message }) => `${COLUMNS[column].label}：${message}`)
            .join('；')
        return [...CELL_KEYS.map(key => neutralise(read[key] ?? '')), why]
      },
    }
  },
)

export const resultsDownload = serveDownload(
  shopImportDownloads.results,
  async (ctx, { id }): Promise<ExportPlan> => {
    await findImport(ctx, id)
    const { secrets } = ctx.services
    return {
      columns: [
        textColumn('行', 8),
        textColumn(COLUMNS.shopName.label, 28),
        textColumn(COLUMNS.account.label, 16),
        textColumn('结果', 12),
        textColumn('原因', 40),
        textColumn('商户ID', 12),
        textColumn('订单号', 26),
        textColumn('初始密码', 20),
      ],
      statement: statementOf(ctx, id),
      values: {},
      cells(row) {
        const [line, cells, , state, problem, merchantId, orderNo, password] = row as unknown as Row
        const read = json<Cells>(cells)
        const made = state === 'created' ? opened(secrets, bytesOf(password)) : ''
        const texts = [String(line), read.shopName ?? '', read.account ?? '', ROW_STATES[state], problem]
        return [...texts.map(neutralise), merchantId === null ? '' : String(merchantId), orderNo ?? '', made]
      },
    }
  },
)

/** A cursor answers bytes as the database writes them. */
function bytesOf(password: Buffer | string | null): Buffer | null {
  return typeof password === 'string' ? Buffer.from(password.slice(2), 'hex') : password
}
