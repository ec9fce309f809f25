// The monthly statement as Excel and as PDF: the same lines as on screen.
import { sql } from 'drizzle-orm'
import { ASSET_NAMES, ASSETS, type Asset } from '#features/money/ledger/rules.ts'
import { formatCount } from '#kit/money.ts'
import { formatDay, formatInstant } from '#kit/time.ts'
import { serveDownload } from '#server/documents/export.ts'
import { servePdf } from '#server/documents/pdf.ts'
import type { Paper, PaperRow, PaperTable } from '#server/documents/pdf-drawing.ts'
import { pictureBytes } from '#server/files.ts'
import { asPng } from '#server/pictures.ts'
import { settlementDownloads } from './contract.ts'
import { movementName, SECTIONS } from './rules.ts'
import { findStatement, linesOf, type Statement } from './server-statement.ts'

const LINE_NAMES: Record<string, string> = { opening: '期初余额', total: '合计', closing: '期末余额' }
const FIELDS = ['agent', 'asset', 'item', 'count', 'income', 'spent', 'balance'] as const

export const statementDownload = serveDownload(settlementDownloads.statement, (ctx, input) => ({
  columns: [
    { header: '代理商', kind: 'text', width: 24 },
    { header: '代理商编号', kind: 'integer', width: 12 },
    { header: '月份', kind: 'text', width: 10 },
    { header: '项目', kind: 'text', width: 20 },
    { header: '笔数（笔）', kind: 'integer', width: 10 },
    { header: '收入（代币）', kind: 'cents', width: 16 },
    { header: '支出（代币）', kind: 'cents', width: 16 },
    { header: '余额（代币）', kind: 'cents', width: 16 },
    { header: '短信收入（条）', kind: 'integer', width: 16 },
    { header: '短信支出（条）', kind: 'integer', width: 16 },
    { header: '短信余额（条）', kind: 'integer', width: 16 },
    { header: '押金收入（元）', kind: 'cents', width: 16 },
    { header: '押金支出（元）', kind: 'cents', width: 16 },
    { header: '押金余额（元）', kind: 'cents', width: 16 },
  ],
  statement: {
    getSQL: () => linesOf(ctx, input.agentId ?? ctx.actor.agentId, input.month),
    _: { selectedFields: Object.fromEntries(FIELDS.map(field => [field, sql.identifier(field)])) },
  },
  values: {},
  cells: ([agent, asset, item, count, income, spent, balance]) => {
    const amounts = [income, spent, balance]
    const none = [null, null, null]
    const moved = { kind: String(item), income: Number(income), spent: Number(spent) }
    const name = LINE_NAMES[moved.kind] ?? movementName(moved)
    return [
      agent,
      input.agentId ?? ctx.actor.agentId,
      input.month,
      asset === 'token' ? name : `${ASSET_NAMES[asset as Asset]} ${name}`,
      count,
      ...ASSETS.flatMap(one => (one === asset ? amounts : none)),
    ]
  },
}))

export const statementPdf = servePdf(settlementDownloads.statementPdf, async (ctx, input) => {
  const statement = await findStatement(ctx, input)
  const { logoId } = statement
  const paper: Paper = {
    title: '月度对账单',
    facts: [
      ['代理商', `${statement.companyName}（${statement.agentId}）`],
      ['代理等级', statement.levelName],
      ['期间', `${statement.from} 至 ${lastDayOf(statement)}`],
      ['生成时间', formatInstant(statement.createdAt)],
    ],
    tables: statement.sections.map(tableOf),
  }
  if (logoId === null) return paper
  return async () => {
    const logo = await pictureBytes(ctx.services, logoId)
    return { ...paper, logo: logo && (await asPng(logo)) }
  }
})

/** The day on which the statement was made, where the month had not ended. */
function lastDayOf({ to, createdAt }: Statement): string {
  const made = formatDay(createdAt)
  return made > to ? to : made
}

function tableOf(section: Statement['sections'][number]): PaperTable {
  const { title, unit, shown } = SECTIONS[section.asset]
  const sum = `${shown(section.opening)} + ${shown(section.income)} − ${shown(section.spent)} = ${shown(section.closing)}`
  return {
    title,
    columns: [
      { header: '项目', width: 3 },
      { header: '笔数', width: 1.4, align: 'right' },
      { header: `收入（${unit}）`, width: 2, align: 'right' },
      { header: `支出（${unit}）`, width: 2, align: 'right' },
      { header: `余额（${unit}）`, width: 2.2, align: 'right' },
    ],
    rows: [
      { cells: ['期初余额', '', '', '', shown(section.opening)], strong: true },
      ...section.movements.map(
        (line): PaperRow => ({
          cells: [line.name, formatCount(line.count), shown(line.income), shown(line.spent), ''],
        }),
      ),
      { cells: ['合计', countOf(section), shown(section.income), shown(section.spent), ''], strong: true },
      { cells: ['期末余额', '', '', '', shown(section.closing)], strong: true },
    ],
    note: section.addsUp
      ? `期初 + 收入 − 支出 = 期末：${sum}`
      : '期初、收入、支出与期末不一致，请联系运营核对',
  }
}

function countOf(section: Statement['sections'][number]): string {
  return formatCount(section.movements.reduce((sum, line) => sum + line.count, 0))
}
