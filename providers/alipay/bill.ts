// The lines of Alipay's bill of a day: a ZIP with 业务明细.csv (and its summary) in GBK; comment lines begin with #.
// Values carry tabs and are not quoted. It must never take a line for something else than it says: an unreadable one throws.
import type { BillLine } from '#kit/ports/providers.ts'
import { fenOfYuan, instantOf } from './wire.ts'
import { readZip } from './zip.ts'

const FILE_BYTES_MAX = 512 * 1024 * 1024
const COLUMNS = {
  transactionId: '支付宝交易号',
  outTradeNo: '商户订单号',
  kind: '业务类型',
  subject: '商品名称',
  createdAt: '创建时间',
  at: '完成时间',
  yuan: '订单金额（元）',
} as const
const REFUND_COLUMNS = ['退款批次号/请求号', '退款批次号']

/** Lines that are neither payments nor refunds (shares, service fees) are left out. Throws where the file is not of this form. */
export function readBill(archive: Buffer): BillLine[] {
  const file = readZip(archive, FILE_BYTES_MAX).find(
    ({ name }) => name.includes('业务明细') && !name.includes('汇总'),
  )
  if (!file) throw new Error('no 业务明细 in the archive')
  const rows = new TextDecoder('gbk')
    .decode(file.content)
    .split('\n')
    .filter(row => row.trim() !== '' && !row.startsWith('#'))
  const titles = cellsOf(rows[0] ?? '')
  for (const title of Object.values(COLUMNS))
    if (!titles.includes(title)) throw new Error(`no column ${title} in the bill`)
  return rows.slice(1).flatMap(row => lineOf(titles, row) ?? [])
}

function lineOf(titles: readonly string[], row: string): BillLine | null {
  const cells = cellsOf(row)
  const subjectAt = titles.indexOf(COLUMNS.subject)
  // A comma in the subject is not quoted: what is too much belongs to it.
  if (cells.length > titles.length) cells.splice(subjectAt, cells.length - titles.length + 1, '')
  const cell = (title: string) => cells[titles.indexOf(title)] ?? ''
  const businessType = cell(COLUMNS.kind)
  const kind = businessType.startsWith('退款') ? 'refund' : businessType.startsWith('交易') ? 'payment' : null
  if (!kind) return null
  const amountFen = fenOfYuan(cell(COLUMNS.yuan))
  const at = instantOf(cell(COLUMNS.at)) ?? instantOf(cell(COLUMNS.createdAt))
  if (amountFen === null || at === null) throw new Error(`an unreadable line of the bill: ${row}`)
  const refundColumn = REFUND_COLUMNS.find(title => titles.includes(title)) ?? ''
  return {
    kind,
    outTradeNo: cell(COLUMNS.outTradeNo),
    transactionId: cell(COLUMNS.transactionId),
    refundNo: kind === 'refund' ? cell(refundColumn) || null : null,
    amountFen: Math.abs(amountFen),
    at,
  }
}

const cellsOf = (row: string): string[] => row.split(',').map(cell => cell.trim().replace(/^"(.*)"$/, '$1'))
