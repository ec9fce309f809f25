import { formatCents, formatCount } from '#kit/money.ts'
import { look } from '#web/controls/look.ts'
import { PriceLine, PriceLines } from './PriceLines.tsx'
import { formatDiscount, type Price } from './rules.ts'

type Props = {
  versionName: string | null
  price: Price | null
  /** Versions priced per branch count the head shop too. */
  branches: number | null
  /** Null while it is not known. */
  balanceCents: number | null
  /** What is missing for a price. */
  missing?: string
}

const NOTHING_CHOSEN = '选择软件版本和购买时限后，这里逐项显示价格'

/** The price of a purchase as it is built up: each factor a line, then discount, total and what is left. */
export function PricePanel({ versionName, price, branches, balanceCents, missing = NOTHING_CHOSEN }: Props) {
  if (!price || !versionName) return <p className={look.quiet}>{missing}</p>
  const lines = [
    ['软件版本', versionName],
    ['单价', `${formatCents(price.unitCents)} / ${price.unit}`],
    ...(price.unit === '个店' ? [] : [[price.unit === '年' ? '年数' : '月数', `× ${price.periods}`]]),
    [
      branches === null ? '店铺数' : `店铺数（总店 + ${formatCount(branches)} 分店）`,
      `× ${formatCount(price.shops)}`,
    ],
    ['原价', formatCents(price.originalCents)],
    ['折扣', formatDiscount(price.discountBasisPoints)],
    ...(price.offer ? [['优惠', price.offer]] : []),
  ]
  return (
    <PriceLines>
      {lines.map(([label, text]) => (
        <PriceLine key={label} label={label}>
          {text}
        </PriceLine>
      ))}
      <PriceLine label="合计（代币）" kind="total">
        {formatCents(price.totalCents)}
      </PriceLine>
      {balanceCents !== null && <Balance balanceCents={balanceCents} totalCents={price.totalCents} />}
    </PriceLines>
  )
}

function Balance({ balanceCents, totalCents }: { balanceCents: number; totalCents: number }) {
  const after = balanceCents - totalCents
  return (
    <>
      <PriceLine label="当前余额">{formatCents(balanceCents)}</PriceLine>
      {after >= 0 ? (
        <PriceLine label="购买后余额">{formatCents(after)}</PriceLine>
      ) : (
        <PriceLine label="账户余额不足，还差" kind="missing">
          {formatCents(-after)}
        </PriceLine>
      )}
    </>
  )
}
