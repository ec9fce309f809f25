// The simulated WeChat Pay's bills of a day, and what the control plane changes in them so that books differ.
import { Refused, type SimOrder, shanghai } from './simulator-orders.ts'

const TRADE_COLUMNS =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const TRADE_TOTALS =
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
const FLOW_COLUMNS =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号'
const FLOW_TOTALS = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'

/** `drop` leaves the line out, `amount` shows another amount, `add` adds a payment that nobody made. */
export type BillChange = {
  outTradeNo: string
  /** The line of this refund instead of the payment's. */
  refundNo?: string
  change: 'drop' | 'amount' | 'add'
  amountFen?: number
  /** Of an added payment: its day. */
  day?: string
}
type Entry = { order: SimOrder; refund: SimOrder['refunds'][number] | null; at: Date; amountFen: number }

const yuan = (fen: number) => (fen / 100).toFixed(2)
const dayOf = (at: Date) => shanghai(at).slice(0, 10)
const file = (columns: string, rows: string[][], totals: string, sums: string[]) =>
  `\uFEFF${[columns, ...[...rows].map(quote), totals, quote(sums)].join('\r\n')}\r\n`
const quote = (fields: string[]) => fields.map(field => `\`${field}`).join(',')

function entriesOf(orders: SimOrder[], day: string, changes: BillChange[]): Entry[] {
  const all: Entry[] = orders.flatMap(order => [
    ...(order.paidAt ? [{ order, refund: null, at: order.paidAt, amountFen: order.amountFen }] : []),
    ...order.refunds.map(refund => ({ order, refund, at: refund.createdAt, amountFen: refund.refundFen })),
  ])
  const changeOf = ({ order, refund }: Entry) =>
    changes.find(
      one =>
        one.change !== 'add' &&
        one.outTradeNo === order.outTradeNo &&
        (one.refundNo ?? null) === (refund?.refundNo ?? null),
    )
  return all
    .filter(({ at }) => dayOf(at) === day)
    .filter(entry => changeOf(entry)?.change !== 'drop')
    .map(entry => ({ ...entry, amountFen: changeOf(entry)?.amountFen ?? entry.amountFen }))
    .sort((one, other) => one.at.getTime() - other.at.getTime())
}

/** The file of all payments and refunds of a day; refuses where there were none. */
export function tradeBill(owned: SimOrder[], mchid: string, day: string, changes: BillChange[]): string {
  const entries = entriesOf(owned, day, changes)
  const added = changes.filter(one => one.change === 'add' && one.day === day)
  if (entries.length + added.length === 0) throw noStatement()
  const rows = [...entries.map(tradeRow), ...added.map(one => addedRow(mchid, day, one))]
  const sum = (of: (entry: Entry) => number) => yuan(entries.reduce((total, entry) => total + of(entry), 0))
  const paid = sum(({ refund, amountFen }) => (refund ? 0 : amountFen))
  const refunded = sum(({ refund, amountFen }) => (refund ? amountFen : 0))
  return file(TRADE_COLUMNS, rows, TRADE_TOTALS, [
    String(rows.length),
    paid,
    refunded,
    '0.00',
    '0.00000',
    paid,
    refunded,
  ])
}

function tradeRow({ order, refund, at, amountFen }: Entry): string[] {
  const { party, subMchid } = order
  const paid = refund ? '0.00' : yuan(amountFen)
  const back = refund ? yuan(amountFen) : '0.00'
  const hasFailed = refund?.status === 'ABNORMAL' || refund?.status === 'CLOSED'
  const refundState = hasFailed ? 'FAIL' : (refund?.status ?? '')
  return [
    shanghai(at).slice(0, 19).replace('T', ' '),
    order.appid,
    party.mchid,
    subMchid ?? '0',
    '',
    order.transactionId ?? '',
    order.outTradeNo,
    order.payer ?? '',
    order.tradeType,
    refund ? 'REFUND' : 'SUCCESS',
    'OTHERS',
    'CNY',
    paid,
    '0.00',
    refund?.refundId ?? '0',
    refund?.refundNo ?? '0',
    back,
    '0.00',
    refund ? 'ORIGINAL' : '',
    refundState,
    order.description,
    order.attach ?? '',
    '0.00000',
    '0.00%',
    paid,
    back,
    '',
  ]
}

function addedRow(mchid: string, day: string, { outTradeNo, amountFen = 1 }: BillChange): string[] {
  const amount = yuan(amountFen)
  const fields: Record<string, string> = {
    交易时间: `${day} 12:00:00`,
    商户号: mchid,
    微信订单号: `4200${outTradeNo}`,
    商户订单号: outTradeNo,
    交易类型: 'NATIVE',
    交易状态: 'SUCCESS',
    货币种类: 'CNY',
    应结订单金额: amount,
    订单金额: amount,
  }
  return TRADE_COLUMNS.split(',').map(column => fields[column] ?? (/金额/.test(column) ? '0.00' : ''))
}

/** The movements of the merchant's account on a day; the balance begins at nothing each day. */
export function fundFlowBill(owned: SimOrder[], day: string, changes: BillChange[]): string {
  const entries = entriesOf(owned, day, changes)
  if (entries.length === 0) throw noStatement()
  let balanceFen = 0
  const rows = entries.map(({ order, refund, at, amountFen }) => {
    balanceFen += refund ? -amountFen : amountFen
    return [
      shanghai(at).slice(0, 19).replace('T', ' '),
      refund?.refundId ?? order.transactionId ?? '',
      `flow${refund?.refundId ?? order.transactionId}`,
      refund ? '退款' : '交易',
      refund ? '退款' : '交易',
      refund ? '支出' : '收入',
      yuan(amountFen),
      yuan(balanceFen),
      'system',
      '',
      refund?.refundNo ?? order.outTradeNo,
    ]
  })
  const count = (isRefund: boolean) => entries.filter(({ refund }) => (refund !== null) === isRefund)
  const sum = (list: Entry[]) => yuan(list.reduce((total, { amountFen }) => total + amountFen, 0))
  return file(FLOW_COLUMNS, rows, FLOW_TOTALS, [
    String(rows.length),
    String(count(false).length),
    sum(count(false)),
    String(count(true).length),
    sum(count(true)),
  ])
}

const noStatement = () => new Refused(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
