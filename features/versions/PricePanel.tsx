import { formatCents, formatCount } from '#kit/money.ts'
import { formatDiscount, type Price } from './rules.ts'
import './versions.css'

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
  if (!price || !versionName) return <p className="price-empty">{missing}</p>
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
  ]
  return (
    <dl className="price-lines">
      {lines.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      <div className="price-total">
        <dt>合计（代币）</dt>
        <dd>{formatCents(price.totalCents)}</dd>
      </div>
      {balanceCents !== null && <Balance balanceCents={balanceCents} totalCents={price.totalCents} />}
    </dl>
  )
}

function Balance({ balanceCents, totalCents }: { balanceCents: number; totalCents: number }) {
  const after = balanceCents - totalCents
  return (
    <>
      <div>
        <dt>当前余额</dt>
        <dd>{formatCents(balanceCents)}</dd>
      </div>
      {after >= 0 ? (
        <div>
          <dt>购买后余额</dt>
          <dd>{formatCents(after)}</dd>
        </div>
      ) : (
        <div className="price-missing">
          <dt>账户余额不足，还差</dt>
          <dd>{formatCents(-after)}</dd>
        </div>
      )}
    </>
  )
}
