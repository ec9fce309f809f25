import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { SaleBar } from '#features/sales/selling/SaleForm.tsx'
import { STORE_KINDS } from '#features/shops/merchants/rules.ts'
import { NoShop, useShopId } from '#features/shops/merchants/ShopAddress.tsx'
import { PriceLine, PriceLines } from '#features/shops/versions/PriceLines.tsx'
import { formatCents } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { discountText } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { useUnreadOf } from '#web/form/useUnread.ts'
import { useTabName } from '#web/shell/tab-name.ts'
import type { services } from './contract.ts'
import { SERVICE_REFUSALS, SERVICE_UNITS } from './rules.ts'
import { ServiceGroups } from './ServiceGroups.tsx'
import { type Chosen, type OfferPage, type Sum, sumOf, useServiceSale } from './ServiceSale.tsx'
import styles from './services.module.css'

const servicesApi = api<typeof services>('services')
const ServiceConfirm = lazy(() => import('./ServiceConfirm.tsx'))

/** Value-added services of a shop (D1 §2: query sv_us_name, user_id, isStore; D2 §2: detail=1 from the details). */
export default function AddedServicesPage() {
  const [{ sv_us_name = '' }] = usePageSearch<'/admin/merchant/addedServices'>()
  const id = useShopId()
  if (id === null) return <NoShop title="增值服务" />
  return <Services key={id} id={id} name={sv_us_name} />
}

function Services({ id, name }: { id: number; name: string }) {
  const offers = useQuery({
    ...servicesApi.ofMerchant.query({ merchantId: id }),
  })
  useTabName(offers.data?.merchant.shopName ?? name)
  const [chosen, setChosen] = useState<Chosen>({})
  const [unread, tellOf] = useUnreadOf()
  const sale = useServiceSale(id, () => setChosen({}))
  const isDirty = Object.values(chosen).some(count => count > 0)
  useLeaveGuard(() => isDirty)
  if (offers.isError) return <LoadFailure error={offers.error} onRetry={() => void offers.refetch()} />
  const page = offers.data
  if (!page)
    return (
      <div className={styles.servicesPage}>
        <div>
          <header className={styles.servicesHead}>
            <h1>增值服务</h1>
            <p className={styles.servicesShop}>
              <b>{name}</b>
            </p>
          </header>
          <LoadingLines lines={12} />
        </div>
      </div>
    )
  const sum = sumOf(page, chosen)
  return (
    <div className={styles.servicesPage}>
      <div>
        <Head page={page} />
        <ServiceGroups
          page={page}
          chosen={chosen}
          unreadOf={tellOf}
          onChoose={(serviceId, count) => setChosen(before => ({ ...before, [serviceId]: count }))}
        />
      </div>
      <SumPanel page={page} sum={sum} unread={unread} onBuy={sale.ask} />
      {sale.pending && (
        <Suspense>
          <ServiceConfirm
            page={page}
            sum={sum}
            pending={sale.pending}
            busy={sale.busy}
            onConfirm={remark => sale.confirm(sum, remark)}
            onCancel={sale.cancel}
          />
        </Suspense>
      )}
    </div>
  )
}

function Head({ page }: { page: OfferPage }) {
  const { merchant } = page
  const maySeeDetails = usePermission('merchants.details')
  const hasEnded = merchant.expiresAt !== null && Date.parse(merchant.expiresAt) < Date.parse(page.now)
  const note = page.refusal?.message ?? (hasEnded ? '该商户的软件版本已到期，续费后才能使用增值服务' : null)
  return (
    <>
      <header className={styles.servicesHead}>
        <h1>增值服务</h1>
        <p className={styles.servicesShop}>
          <b>{merchant.shopName}</b>
          <span>
            ID {merchant.id} · {STORE_KINDS[merchant.storeKind]}
          </span>
          <span>版本到期 {merchant.expiresAt === null ? '永久' : formatDay(merchant.expiresAt)}</span>
          <span>已购操作员 {page.buyOperatorNumber} 个</span>
        </p>
      </header>
      {note && (
        <div className={styles.servicesNote} role={page.refusal ? 'alert' : 'note'}>
          <span>{note}</span>
          {maySeeDetails && (
            <Link to="/admin/merchant/merchantDetails" search={{ user_id: merchant.id }}>
              查看商户详情
            </Link>
          )}
        </div>
      )}
    </>
  )
}

type SumProps = { page: OfferPage; sum: Sum; unread: string | null; onBuy: () => void }

/** The list of what was chosen, what it comes to, and what is left or missing. */
function SumPanel({ page, sum, unread, onBuy }: SumProps) {
  const refusal =
    page.refusal?.message ??
    unread ??
    (sum.lines.length === 0
      ? SERVICE_REFUSALS.NOTHING_CHOSEN
      : sum.missingCents > 0
        ? SERVICE_REFUSALS.INSUFFICIENT
        : null)
  return (
    <aside className={styles.servicesSum} aria-label="购买清单">
      <h2>购买清单</h2>
      {sum.lines.length === 0 ? (
        <p className={look.quiet}>选择服务和数量后，这里逐项显示价格</p>
      ) : (
        <PriceLines>
          {sum.lines.map(({ offer, price }) => (
            <PriceLine
              key={offer.id}
              label={`${offer.name} × ${price.count} ${SERVICE_UNITS[offer.unit]}`}
              kind="item"
            >
              {formatCents(price.originalCents)}
            </PriceLine>
          ))}
        </PriceLines>
      )}
      <div className={styles.servicesSumRest} aria-live="polite">
        <PriceLines>
          <PriceLine label="原价">{formatCents(sum.originalCents)}</PriceLine>
          <PriceLine label="折扣">{discountText(page.discountBasisPoints)}</PriceLine>
          {sum.offers !== '' && <PriceLine label="优惠">{sum.offers}</PriceLine>}
          <PriceLine label="合计（代币）" kind="total">
            {formatCents(sum.totalCents)}
          </PriceLine>
          <PriceLine label="当前余额">{formatCents(page.balanceCents)}</PriceLine>
          {sum.missingCents > 0 ? (
            <PriceLine label="余额不足，还差" kind="missing">
              {formatCents(sum.missingCents)}
            </PriceLine>
          ) : (
            <PriceLine label="购买后余额">{formatCents(page.balanceCents - sum.totalCents)}</PriceLine>
          )}
        </PriceLines>
      </div>
      <MissingPay
        asset="token"
        missing={sum.missingCents}
        purpose="购买"
        onEnough={() => {
          if (!refusal) onBuy()
        }}
      />
      <SaleBar totalCents={sum.totalCents}>
        <Button kind="primary" disabled={refusal} onClick={onBuy}>
          购买
        </Button>
      </SaleBar>
    </aside>
  )
}
