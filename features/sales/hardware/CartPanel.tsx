import type { ReactNode } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { BuyerPrice } from '#features/office/prices/BuyerPrice.tsx'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { IconClose } from '#web/controls/icons.tsx'
import { look } from '#web/controls/look.ts'
import { Stepper } from '#web/form/Stepper.tsx'
import { UnreadContext, useUnreadOf } from '#web/form/useUnread.ts'
import {
  type Bill as BillOf,
  billOf,
  type Cart,
  type CartLine,
  cartRefusal,
  lineRefusal,
} from './HardwareCart.tsx'
import hardwareStyles from './hardware.module.css'
import { LIMITS, ORDER_REFUSALS, priceOf } from './rules.ts'
import styles from './shop.module.css'

type Props = {
  cart: Cart
  onSet: (line: CartLine, quantity: number) => void
  onCheckout: () => void
}

/** What will be ordered, what it costs, and what is left or missing. */
export function CartPanel({ cart, onSet, onCheckout }: Props) {
  const bill = billOf(cart.rows)
  const [unread, tellOf] = useUnreadOf()
  const refusal = cartRefusal(cart) ?? unread
  return (
    <>
      <h2 className={look.sectionTitle}>购物车{cart.rows.length > 0 && `（${cart.rows.length}）`}</h2>
      {cart.rows.length === 0 ? (
        <p className={styles.cartEmpty}>选择商品加入购物车，在这里结算</p>
      ) : (
        <ul>
          {cart.rows.map(line => (
            <UnreadContext key={line.productId} value={tellOf(line.productId)}>
              <Line line={line} onSet={onSet} />
            </UnreadContext>
          ))}
        </ul>
      )}
      {cart.rows.length > 0 && (
        <Bill
          of={bill}
          balanceCents={cart.balanceCents}
          onEnough={() => {
            if (!refusal) onCheckout()
          }}
        />
      )}
      <div className={styles.cartBar}>
        <span className={styles.cartBarTotal}>
          合计 <b className={look.number}>{formatCents(bill.totalCents)}</b> 代币
        </span>
        <Button kind="primary" disabled={refusal} onClick={onCheckout}>
          去结算
        </Button>
      </div>
    </>
  )
}

function Line({ line, onSet }: { line: CartLine; onSet: Props['onSet'] }) {
  const refusal = lineRefusal(line)
  return (
    <li className={styles.cartLine}>
      <div className={styles.cartLineName}>
        <span>{line.name}</span>
        <span className={look.quiet}>
          {line.model && `${line.model} · `}
          <BuyerPrice of={line} strong={false} />
        </span>
        {refusal && (
          <span className={styles.cartLineRefusal}>
            {refusal}
            {line.enabled && `，仅剩 ${formatCount(line.stock)} 件`}
          </span>
        )}
      </div>
      <Button
        kind="quiet"
        changes
        icon={<IconClose />}
        aria-label={`移出购物车 ${line.name}`}
        onClick={() => onSet(line, 0)}
      />
      <Stepper
        label={`${line.name} 数量`}
        value={line.quantity}
        max={Math.min(line.stock, LIMITS.quantityMax)}
        maxReason={ORDER_REFUSALS.OUT_OF_STOCK}
        late
        onChange={quantity => onSet(line, quantity)}
      />
      <b className={`${look.number} ${styles.cartLineSum}`}>
        {formatCents(priceOf(line, line.quantity).totalCents)}
      </b>
    </li>
  )
}

type BillProps = {
  of: BillOf
  balanceCents: number
  onPaid?: (cents: number) => void
  /** What was missing has been paid. */
  onEnough: () => void
}

/** What it is made of where it is not the list price, total, balance before and after, or what is missing. */
export function Bill({ of, balanceCents, onPaid, onEnough }: BillProps) {
  const { originalCents, totalCents, discountBasisPoints, offers } = of
  const after = balanceCents - totalCents
  return (
    <>
      <dl className={hardwareStyles.bill}>
        {totalCents < originalCents && (
          <>
            <Row label="原价">{formatCents(originalCents)}</Row>
            <Row label="折扣">{formatDiscount(discountBasisPoints)}</Row>
          </>
        )}
        {offers.length > 0 && <Row label="优惠">{offers.join('、')}</Row>}
        <Row label="合计（代币）" strong>
          {formatCents(totalCents)}
        </Row>
        <Row label="当前余额">{formatCents(balanceCents)}</Row>
        {after >= 0 ? (
          <Row label="购买后余额">{formatCents(after)}</Row>
        ) : (
          <Row label="账户余额不足，还差" problem>
            {formatCents(-after)}
          </Row>
        )}
      </dl>
      <MissingPay asset="token" missing={-after} purpose="下单" onPaid={onPaid} onEnough={onEnough} />
    </>
  )
}

type RowProps = { label: string; strong?: boolean; problem?: boolean; children: ReactNode }

function Row({ label, strong, problem, children }: RowProps) {
  return (
    <div data-strong={strong || undefined} data-problem={problem || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
