// Reads the files of WeChat Pay's bills: a header, lines whose fields begin with a backtick, and two lines of totals.
// Must never pass over a line that it does not understand. Times are Asia/Shanghai, amounts yuan.
import { parseCents } from '#kit/money.ts'
import { type BillLine, ProviderUnknown } from '#kit/ports/providers.ts'

/** A movement on the merchant's account with WeChat Pay. */
export type FundLine = {
  at: string
  /** WeChat Pay's number of what caused it; the transaction's for a payment. */
  businessNo: string
  flowNo: string
  business: string
  direction: 'in' | 'out'
  amountFen: number
  balanceFen: number
}
type Row = (column: string) => string

export function readTradeBill(file: Buffer): BillLine[] {
  return readRows(file).flatMap(row => {
    const state = row('交易状态')
    if (state === 'SUCCESS') return [paymentOf(row)]
    if (state !== 'REFUND') throw new ProviderUnknown(`the bill has a line of the unknown state ${state}`)
    return row('退款状态') === 'FAIL' ? [] : [refundOf(row)]
  })
}

export function readFundFlowBill(file: Buffer): FundLine[] {
  return readRows(file).map(row => {
    const direction = row('收支类型')
    if (direction !== '收入' && direction !== '支出')
      throw new ProviderUnknown(`the bill has a line of the unknown direction ${direction}`)
    return {
      at: instantOf(row('记账时间')),
      businessNo: row('微信支付业务单号'),
      flowNo: row('资金流水单号'),
      business: row('业务类型'),
      direction: direction === '收入' ? 'in' : 'out',
      amountFen: fenOf(row('收支金额(元)')),
      balanceFen: fenOf(row('账户结余(元)')),
    }
  })
}

function paymentOf(row: Row): BillLine {
  return {
    kind: 'payment',
    outTradeNo: row('商户订单号'),
    transactionId: row('微信订单号'),
    refundNo: null,
    amountFen: fenOf(row('订单金额')),
    at: instantOf(row('交易时间')),
  }
}

function refundOf(row: Row): BillLine {
  return {
    ...paymentOf(row),
    kind: 'refund',
    refundNo: row('商户退款单号'),
    amountFen: fenOf(row('申请退款金额')),
  }
}

function readRows(file: Buffer): Row[] {
  const lines = file
    .toString()
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
  const columns = (lines[0] ?? '').split(',')
  const rows = lines.slice(1, -2)
  if (lines.length < 3 || !rows.every(line => line.startsWith('`')) || !lines.at(-1)?.startsWith('`'))
    throw new ProviderUnknown('the bill is cut off')
  return rows.map(line => {
    const fields = line.slice(1).split(',`')
    if (fields.length !== columns.length) throw new ProviderUnknown('a line of the bill has other columns')
    return column => {
      const field = fields[columns.indexOf(column)]
      if (field === undefined) throw new ProviderUnknown(`the bill has no column ${column}`)
      return field
    }
  })
}

function fenOf(text: string): number {
  const fen = parseCents(text)
  if (fen === null) throw new ProviderUnknown(`the bill has the amount ${text}`)
  return fen
}

function instantOf(text: string): string {
  const at = new Date(`${text.replace(' ', 'T')}+08:00`)
  if (Number.isNaN(at.getTime())) throw new ProviderUnknown(`the bill has the time ${text}`)
  return at.toISOString()
}
