// The simulator's bill of a day: 业务明细.csv and its summary in GBK, in a ZIP; and the control plane's knobs that let it disagree with
// what really happened: a line dropped, altered or added.
import { crc32, deflateRawSync } from 'node:zlib'
import { BUYER_LOGON_ID, type Order, wallClock, yuan } from './simulator-book.ts'

export type BillKnob =
  | { kind: 'drop'; outTradeNo: string; refundNo?: string }
  | { kind: 'alter'; outTradeNo: string; refundNo?: string; amountFen: number }
  | { kind: 'add'; day: string; outTradeNo: string; refundNo?: string; amountFen: number }

type Line = {
  tradeNo: string
  outTradeNo: string
  requestNo: string | null
  subject: string
  createdAt: string
  at: string
  amountFen: number
}

const TITLES =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,' +
  '商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,' +
  '卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'

/** Null where nothing happened on that day. */
export function makeBill(
  orders: Iterable<Order>,
  knobs: readonly BillKnob[],
  day: string,
  sellerId: string,
): Buffer | null {
  const lines = [...orders].flatMap(linesOf).filter(({ at }) => at.startsWith(day))
  const kept = lines.flatMap(line => turn(line, knobs) ?? [])
  for (const knob of knobs)
    if (knob.kind === 'add' && knob.day === day)
      kept.push({
        tradeNo: `${day.replaceAll('-', '')}22009999000000000001`,
        outTradeNo: knob.outTradeNo,
        requestNo: knob.refundNo ?? null,
        subject: '无此订单',
        createdAt: `${day} 12:00:00`,
        at: `${day} 12:00:00`,
        amountFen: knob.amountFen,
      })
  if (lines.length === 0 && kept.length === 0) return null
  const name = `${sellerId}0156_${day.replaceAll('-', '')}_业务明细`
  return zip([
    { name: `${name}.csv`, content: gbk(detailText(kept, day, sellerId)), isDeflated: true },
    {
      name: `${name}(汇总).csv`,
      content: gbk(`#支付宝业务汇总查询\r\n#共${kept.length}笔\r\n`),
      isDeflated: false,
    },
  ])
}

/** What a bill without a line looks like. */
export function emptyBill(day: string, sellerId: string): Buffer {
  const name = `${sellerId}0156_${day.replaceAll('-', '')}_业务明细.csv`
  return zip([{ name, content: gbk(detailText([], day, sellerId)), isDeflated: true }])
}

function linesOf({ outTradeNo, subject, amountFen, trade }: Order): Line[] {
  if (!trade?.paidAt) return []
  const createdAt = wallClock(trade.createdAt)
  const same = { tradeNo: trade.tradeNo, outTradeNo, subject, createdAt }
  const refunds = trade.refunds.map(({ requestNo, amountFen, at }) => ({
    ...same,
    requestNo,
    amountFen,
    at: wallClock(at),
  }))
  return [{ ...same, requestNo: null, amountFen, at: wallClock(trade.paidAt) }, ...refunds]
}

function turn(line: Line, knobs: readonly BillKnob[]): Line | null {
  const knob = knobs.find(
    one =>
      one.kind !== 'add' && one.outTradeNo === line.outTradeNo && (one.refundNo ?? null) === line.requestNo,
  )
  if (!knob) return line
  return knob.kind === 'alter' ? { ...line, amountFen: knob.amountFen } : null
}

function detailText(lines: readonly Line[], day: string, sellerId: string): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  const rows = lines.map(line => {
    const amount = `${line.requestNo === null ? '' : '-'}${yuan(line.amountFen)}`
    const kind = line.requestNo === null ? '交易' : '退款'
    return [
      `${line.tradeNo}\t`,
      `${line.outTradeNo}\t`,
      `${kind}\t`,
      line.subject,
      line.createdAt,
      line.at,
      ...['\t', '\t', '\t', '\t'],
      `${BUYER_LOGON_ID}\t`,
      amount,
      amount,
      ...['0.00', '0.00', '0.00', '0.00', '0.00', '', '0.00', '0.00'],
      `${line.requestNo ?? ''}\t`,
      ...['0.00', '0.00', ''],
    ].join(',')
  })
  return [
    '#支付宝业务明细查询',
    `#账号：[${sellerId}0156]`,
    `#起始日期：[${day} 00:00:00]   终止日期：[${next} 00:00:00]`,
    '#-----------------------------------------业务明细列表----------------------------------------',
    TITLES,
    ...rows,
    '#-----------------------------------------业务明细列表结束------------------------------------',
    `#共${lines.length}笔`,
    '',
  ].join('\r\n')
}

let gbkBytes: Map<string, number> | null = null

/** Node decodes GBK but does not encode it: the table is the decoder's, turned round. What GBK lacks becomes `?`. */
function gbk(text: string): Buffer {
  if (!gbkBytes) {
    gbkBytes = new Map()
    const decoder = new TextDecoder('gbk')
    for (let high = 0x81; high <= 0xfe; high++)
      for (let low = 0x40; low <= 0xfe; low++) {
        const character = decoder.decode(Uint8Array.of(high, low))
        if ([...character].length === 1 && character !== '\ufffd') gbkBytes.set(character, high * 256 + low)
      }
  }
  const bytes: number[] = []
  for (const character of text) {
    const code = character.charCodeAt(0)
    const pair = gbkBytes.get(character)
    if (code < 0x80) bytes.push(code)
    else if (pair === undefined) bytes.push(0x3f)
    else bytes.push(pair >> 8, pair & 0xff)
  }
  return Buffer.from(bytes)
}

type ZipFile = { name: string; content: Buffer; isDeflated: boolean }

/** Names in GBK without the UTF-8 mark, as Alipay's archives have them. */
function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, isDeflated } of files) {
    const nameBytes = gbk(name)
    const packed = isDeflated ? deflateRawSync(content) : content
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(isDeflated ? 8 : 0, 4)
    facts.writeUInt16LE(0x21, 8)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, nameBytes, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, place, nameBytes)
    parts.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(listing.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listing, Buffer.from('PK\x05\x06', 'latin1'), end])
}
