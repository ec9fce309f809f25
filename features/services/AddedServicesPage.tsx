import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useLeaveGuard } from '#features/merchants/LeaveGuard.tsx'
import { LoadFailure, LoadingLines } from '#features/merchants/LoadStates.tsx'
import { STORE_KINDS } from '#features/merchants/rules.ts'
import '#features/versions/versions.css'
import { MissingPay } from '#features/payments/MissingPay.tsx'
import { formatCents } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { discountText } from '#web/format.tsx'
import { usePermission } from '#web/session.ts'
import type { services } from './contract.ts'
import { SERVICE_REFUSALS, SERVICE_UNITS } from './rules.ts'
import { ServiceGroups } from './ServiceGroups.tsx'
import { type Chosen, type OfferPage, type Sum, sumOf, useServiceSale } from './ServiceSale.tsx'
import './services.css'

const servicesApi = api<typeof services>('services')
const ServiceConfirm = lazy(() => import('./ServiceConfirm.tsx'))

/** Value-added services of a shop (D1 §2: query sv_us_name, user_id, isStore; D2 §2: detail=1 from the details). */
export default function AddedServicesPage() {
  const query = useSearch({ strict: false }) as Record<string, string | number | undefined>
  const id = Number(query.user_id)
  if (!Number.isSafeInteger(id) || id < 1)
    return (
      <div className="services-stop">
        <h1>增值服务</h1>
        <p role="alert">地址中没有商户 ID，请从我的商户打开</p>
        <Link className="btn btn-plain" to="/admin/merchant/myMerchant">
          返回我的商户
        </Link>
      </div>
    )
  return <Services key={id} id={id} name={String(query.sv_us_name ?? '')} />
}

function Services({ id, name }: { id: number; name: string }) {
  const offers = useQuery({
    queryKey: ['services', 'ofMerchant', id],
    queryFn: () => servicesApi.ofMerchant({ merchantId: id }),
  })
  const [chosen, setChosen] = useState<Chosen>({})
  const sale = useServiceSale(id, () => setChosen({}))
  const isDirty = Object.values(chosen).some(count => count > 0)
  useLeaveGuard(() => isDirty)
  if (offers.isError) return <LoadFailure error={offers.error} onRetry={() => void offers.refetch()} />
  const page = offers.data
  if (!page)
    return (
      <div className="services-page">
        <div>
          <header className="services-head">
            <h1>增值服务</h1>
            <p className="services-shop">
              <b>{name}</b>
            </p>
          </header>
          <LoadingLines lines={12} />
        </div>
      </div>
    )
  const sum = sumOf(page, chosen)
  return (
    <div className="services-page">
      <div>
        <Head page={page} />
        <ServiceGroups
          page={page}
          chosen={chosen}
          onChoose={(serviceId, count) => setChosen(before => ({ ...before, [serviceId]: count }))}
        />
      </div>
      <SumPanel page={page} sum={sum} onBuy={sale.ask} />
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
      <header className="services-head">
        <h1>增值服务</h1>
        <p className="services-shop">
          <b>{merchant.shopName}</b>
          <span>
            ID {merchant.id} · {STORE_KINDS[merchant.storeKind]}
          </span>
          <span>版本到期 {merchant.expiresAt === null ? '永久' : formatDay(merchant.expiresAt)}</span>
          <span>已购操作员 {page.buyOperatorNumber} 个</span>
        </p>
      </header>
      {note && (
        <div className="services-note" role={page.refusal ? 'alert' : 'note'}>
          <span>{note}</span>
          {maySeeDetails && (
            <Link to="/admin/merchant/merchantDetails" search={{ user_id: merchant.id } as never}>
              查看商户详情
            </Link>
          )}
        </div>
      )}
    </>
  )
}

/** The list of what was chosen, what it comes to, and what is left or missing. */
function SumPanel({ page, sum, onBuy }: { page: OfferPage; sum: Sum; onBuy: () => void }) {
  const refusal =
    page.refusal?.message ??
    (sum.lines.length === 0
      ? SERVICE_REFUSALS.NOTHING_CHOSEN
      : sum.missingCents > 0
        ? SERVICE_REFUSALS.INSUFFICIENT
        : null)
  return (
    <aside className="services-sum" aria-label="购买清单">
      <h2>购买清单</h2>
      {sum.lines.length === 0 ? (
        <p className="price-empty">选择服务和数量后，这里逐项显示价格</p>
      ) : (
        <dl className="price-lines">
          {sum.lines.map(({ offer, price }) => (
            <div key={offer.id} className="services-line">
              <dt>
                {offer.name} × {price.count} {SERVICE_UNITS[offer.unit]}
              </dt>
              <dd>{formatCents(price.originalCents)}</dd>
            </div>
          ))}
        </dl>
      )}
      <dl className="price-lines services-sum-rest" aria-live="polite">
        <div>
          <dt>原价</dt>
          <dd>{formatCents(sum.originalCents)}</dd>
        </div>
        <div>
          <dt>折扣</dt>
          <dd>{discountText(page.discountBasisPoints)}</dd>
        </div>
        <div className="price-total">
          <dt>合计（代币）</dt>
          <dd>{formatCents(sum.totalCents)}</dd>
        </div>
        <div>
          <dt>当前余额</dt>
          <dd>{formatCents(page.balanceCents)}</dd>
        </div>
        {sum.missingCents > 0 ? (
          <div className="price-missing">
            <dt>余额不足，还差</dt>
            <dd>{formatCents(sum.missingCents)}</dd>
          </div>
        ) : (
          <div>
            <dt>购买后余额</dt>
            <dd>{formatCents(page.balanceCents - sum.totalCents)}</dd>
          </div>
        )}
      </dl>
      <MissingPay
        asset="token"
        missing={sum.missingCents}
        purpose="购买"
        onEnough={() => {
          if (!refusal) onBuy()
        }}
      />
      <div className="services-bar">
        <span className="services-bar-total">
          合计 <b>{formatCents(sum.totalCents)}</b> 代币
        </span>
        <Button kind="primary" disabled={refusal} onClick={onBuy}>
          购买
        </Button>
      </div>
    </aside>
  )
}
