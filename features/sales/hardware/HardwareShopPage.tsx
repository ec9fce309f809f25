import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { BuyerPrice } from '#features/office/prices/BuyerPrice.tsx'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Stepper } from '#web/form/Stepper.tsx'
import { ListPager } from '#web/list/ListPager.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import { EmptyList, FailedList } from '#web/list/ListStates.tsx'
import { sizeOf, useListParams } from '#web/list/useListParams.ts'
import { CartPanel } from './CartPanel.tsx'
import type { hardware } from './contract.ts'
import { HARDWARE_ORDER_FIELDS, SHOP } from './fields.ts'
import { type CartLine, type ShopProduct, useCart } from './HardwareCart.tsx'
import { ProductPicture } from './ProductPicture.tsx'
import { LIMITS, ORDER_REFUSALS } from './rules.ts'
import styles from './shop.module.css'

const hardwareApi = api<typeof hardware>('hardware')
const CheckoutDialog = lazy(() => import('./CheckoutDialog.tsx'))

/** Hardware that agents order from the vendor with their tokens. */
export default function HardwareShopPage() {
  const navigate = useNavigate()
  const maySeeOrders = usePermission('hardware.orders')
  const cart = useCart()
  const [paying, setPaying] = useState(false)
  const known = cart.query.data
  return (
    <div className={styles.shop}>
      <section aria-labelledby="shop-title">
        <header className={styles.shopHead}>
          <h1 id="shop-title">硬件商城</h1>
          {maySeeOrders && (
            <Button onClick={() => void navigate({ to: '/admin/order/hardwareOrder' })}>我的硬件订单</Button>
          )}
        </header>
        <Goods lines={known?.rows ?? []} onAdd={cart.add} onSet={cart.set} />
      </section>
      <aside className={styles.shopCart} aria-label="购物车">
        {known && <CartPanel cart={known} onSet={cart.set} onCheckout={() => setPaying(true)} />}
        {cart.query.isError && (
          <FailedList error={cart.query.error} onRetry={() => void cart.query.refetch()} />
        )}
      </aside>
      {paying && known && (
        <Suspense>
          <CheckoutDialog
            cart={known}
            onClose={() => setPaying(false)}
            onOrdered={orderNo => {
              if (maySeeOrders) void navigate({ to: '/admin/order/hardwareOrder', search: { orderNo } })
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

type GoodsProps = {
  lines: readonly CartLine[]
  onAdd: (product: ShopProduct) => void
  onSet: (line: CartLine, quantity: number) => void
}

function Goods({ lines, onAdd, onSet }: GoodsProps) {
  const [params, setParams] = useListParams(SHOP)
  const { page = 1, search } = params
  const size = sizeOf(params)
  const asked = { page, size, ...(search ? { search } : {}) }
  const products = useQuery({
    ...hardwareApi.products.query(asked),
    placeholderData: keepPreviousData,
  })
  const { data } = products
  return (
    <>
      <div className={styles.shopSearch}>
        <ListSearch
          placeholder={SHOP.search}
          value={search ?? ''}
          onChange={text => setParams({ search: text }, { replace: true })}
        />
      </div>
      {products.isError && !data && (
        <FailedList
          error={products.error}
          onRetry={() => void products.refetch()}
          onClear={() => setParams({ search: undefined })}
        />
      )}
      {data?.rows.length === 0 && (
        <EmptyList
          text={SHOP.empty}
          page={page}
          filtered={Boolean(search)}
          onFirstPage={() => setParams({ page: 1 })}
          onClear={() => setParams({ search: undefined })}
        />
      )}
      <ul
        className={styles.goods}
        aria-label={HARDWARE_ORDER_FIELDS.lines.label}
        aria-busy={products.isFetching}
      >
        {data?.rows.map(product => (
          <Card
            key={product.id}
            product={product}
            line={lines.find(line => line.productId === product.id)}
            onAdd={onAdd}
            onSet={onSet}
          />
        ))}
      </ul>
      {data && data.total > size && (
        <ListPager
          page={page}
          size={size}
          total={data.total}
          totalCapped={data.totalCapped}
          fullPage={data.rows.length === size}
          onPage={next => setParams({ page: next })}
          onSize={next => setParams({ size: next })}
          onNear={() => undefined}
        />
      )}
    </>
  )
}

type CardProps = Omit<GoodsProps, 'lines'> & { product: ShopProduct; line: CartLine | undefined }

function Card({ product, line, onAdd, onSet }: CardProps) {
  const { name, model, description, stock } = product
  return (
    <li className={styles.good}>
      <ProductPicture pictureId={product.pictureId} name={name} />
      <div className={styles.goodText}>
        <h2>{name}</h2>
        <p className={look.quiet}>{model || '—'}</p>
        {description && (
          <p className={styles.goodDescription} data-tip={description}>
            {description}
          </p>
        )}
      </div>
      <div className={styles.goodPrice}>
        <span>
          <BuyerPrice of={product} unit="代币" />
        </span>
        {stock === 0 ? (
          <StatusTag tone="attention">缺货</StatusTag>
        ) : (
          <span className={`${look.quiet} ${look.number} ${styles.goodStock}`}>
            库存 {formatCount(stock)}
          </span>
        )}
      </div>
      {line ? (
        <Stepper
          label={`${name} 数量`}
          value={line.quantity}
          max={Math.min(stock, LIMITS.quantityMax)}
          maxReason={ORDER_REFUSALS.OUT_OF_STOCK}
          late
          onChange={quantity => onSet(line, quantity)}
        />
      ) : (
        <Button
          changes
          disabled={stock === 0 && ORDER_REFUSALS.OUT_OF_STOCK}
          aria-label={`加入购物车 ${name}`}
          onClick={() => onAdd(product)}
        >
          加入购物车
        </Button>
      )}
    </li>
  )
}
