import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { PriceColumn, SaleForm } from '#features/sales/selling/SaleForm.tsx'
import { ExpiryText } from '#features/shops/merchants/MerchantTexts.tsx'
import { STORE_KINDS } from '#features/shops/merchants/rules.ts'
import { NoShop, useShopId } from '#features/shops/merchants/ShopAddress.tsx'
import { PricePanel } from '#features/shops/versions/PricePanel.tsx'
import { formatCount } from '#kit/money.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { useForm } from '#web/form/useForm.ts'
import { useTabName } from '#web/shell/tab-name.ts'
import type { purchases } from './contract.ts'
import { Converted, Effects } from './Effects.tsx'
import { PurchaseConfirm } from './PurchaseConfirm.tsx'
import {
  brokenRules,
  conversionNow,
  type Draft,
  effectsNow,
  firstDraft,
  forfeitNow,
  formOf,
  type Offer,
  offerOf,
  priceNow,
  type Shop,
  type Way,
  wayName,
  wayOf,
} from './PurchaseDraft.tsx'
import { PurchaseFields } from './PurchaseFields.tsx'
import { Forfeited } from './PurchaseLosses.tsx'
import { placeBefore } from './PurchaseOrigin.tsx'
import { usePurchase } from './PurchaseSale.tsx'
import styles from './purchases.module.css'
import { PURCHASE_REFUSALS } from './rules.ts'

const purchasesApi = api<typeof purchases>('purchases')

/** Buying, renewing or changing the version of a shop (D2 §2.2, §4; D1 §2 versionUp1). The server knows the shop's kind. */
export default function PurchasePage() {
  const merchantId = useShopId()
  const [{ sv_versionid }] = usePageSearch<'/admin/merchant/versionUp1'>()
  if (merchantId === null) return <NoShop title="版本购买" />
  const versionId = Number(sv_versionid) || null
  return <Purchase key={`${merchantId}-${versionId}`} merchantId={merchantId} versionId={versionId} />
}

function Purchase({ merchantId, versionId }: { merchantId: number; versionId: number | null }) {
  const offers = useQuery({
    ...purchasesApi.offers.query({ merchantId }),
  })
  useTabName(offers.data?.shopName)
  if (offers.isError) {
    const refusal = refusalOf(offers.error)
    if (refusal) return <Stop text={refusal.message} />
    return <LoadFailure error={offers.error} onRetry={() => void offers.refetch()} />
  }
  if (!offers.data) return <LoadingLines />
  const shop = offers.data
  if (shop.refusal) return <Stop text={shop.refusal.message} shop={shop} />
  if (shop.offers.length === 0) return <Stop text="该商户目前没有可购买的版本" shop={shop} />
  return <PurchaseForm shop={shop} versionId={versionId} />
}

/** Why nothing can be bought here, and the way back. */
function Stop({ text, shop }: { text: string; shop?: Shop }) {
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>版本购买</h1>
      <EmptyState title={text} role="alert">
        {shop && (
          <p>
            {shop.shopName}（ID {shop.merchantId}）
          </p>
        )}
        <Link
          className={buttonLook('primary')}
          to="/admin/merchant/myMerchant"
          search={{ user_id: shop?.merchantId }}
        >
          返回我的商户
        </Link>
      </EmptyState>
    </div>
  )
}

function PurchaseForm({ shop, versionId }: { shop: Shop; versionId: number | null }) {
  const navigate = useNavigate()
  const [{ from }] = usePageSearch<'/admin/merchant/versionUp1'>()
  const [first] = useState(() => firstDraft(shop, versionId))
  // No fields: a sale: what is asked for follows from the version that is chosen and its price.
  const form = useForm<Draft>({
    initial: first,
    judge: draft => {
      const chosen = offerOf(shop, draft)
      return brokenRules(draft, chosen, wayOf(chosen, draft))
    },
  })
  const { draft } = form
  const offer = offerOf(shop, draft)
  const way = wayOf(offer, draft)
  const bought = useRef(false)
  useLeaveGuard(() => form.dirty && !bought.current)
  const sale = usePurchase({
    onRefused: form.refuse,
    onBought: () => {
      bought.current = true
      void navigate({ href: placeBefore(from) })
    },
  })
  const submit = () => {
    if (form.passes() && offer && way) sale.ask(formOf(shop, draft, offer, way))
  }
  return (
    <SaleForm
      title="版本购买"
      onSubmit={submit}
      fields={
        <>
          <ShopFacts shop={shop} />
          <PurchaseFields form={form} shop={shop} offer={offer} way={way} />
        </>
      }
    >
      <PriceNow shop={shop} draft={draft} offer={offer} way={way} busy={sale.quoting && !sale.priced} />
      {sale.priced && (
        <PurchaseConfirm
          quote={sale.priced.quote}
          shop={shop}
          offer={offer}
          what={offer && way ? wayName(offer, way) : sale.priced.quote.codeName}
          form={sale.priced.form}
          stale={sale.priced.stale}
          lost={sale.priced.lost}
          busy={sale.buying}
          onConfirm={sale.confirm}
          onCancel={sale.cancel}
        />
      )}
    </SaleForm>
  )
}

/** The shop as it stands. */
function ShopFacts({ shop }: { shop: Shop }) {
  return (
    <section className={styles.purchaseShop} aria-label="商户">
      <h2>
        {shop.shopName}
        <StatusTag tone="neutral">{STORE_KINDS[shop.storeKind]}</StatusTag>
      </h2>
      <dl>
        <div>
          <dt>商户 ID</dt>
          <dd>{shop.merchantId}</dd>
        </div>
        <div>
          <dt>当前版本</dt>
          <dd>{shop.versionName}</dd>
        </div>
        <div>
          <dt>到期时间</dt>
          <dd>
            <ExpiryText expiresAt={shop.expiresAt} />
          </dd>
        </div>
        <div>
          <dt>购买店铺数</dt>
          <dd>
            {formatCount(shop.shopsBought)} 家
            {shop.branchCount > 0 && `（已开分店 ${formatCount(shop.branchCount)}）`}
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** Shops whose change is listed while the form is filled in; the confirm lists all. */
const LISTED = 5

type PriceProps = {
  shop: Shop
  draft: Draft
  offer: Offer | undefined
  way: Way | undefined
  busy: boolean
}

/** The price and what it changes, beside the form. */
function PriceNow({ shop, draft, offer, way, busy }: PriceProps) {
  const [now] = useState(() => new Date().toISOString())
  const price = offer && way ? priceNow(draft, shop, offer, way) : null
  const effects = price && offer && way ? effectsNow(draft, shop, offer, way, now) : []
  const conversion = price && offer && way ? conversionNow(draft, shop, offer, way, now) : null
  return (
    <PriceColumn price={price} busy={busy}>
      <PricePanel
        versionName={offer?.versionName ?? null}
        price={price}
        branches={null}
        balanceCents={shop.balanceCents}
        missing={
          way?.asksBranches && draft.branches.length === 0 ? PURCHASE_REFUSALS.BRANCHES_REQUIRED : undefined
        }
      />
      {effects.length > 0 && (
        <div className={styles.purchaseEffects}>
          <h3>购买前后</h3>
          <Effects effects={effects.slice(0, LISTED)} />
          {conversion && <Converted {...conversion} />}
          <Forfeited forfeit={forfeitNow(draft, shop, now)} />
          {effects.length > LISTED && (
            <p className={look.quiet}>另有 {formatCount(effects.length - LISTED)} 家分店，下一步全部列出</p>
          )}
          {way?.scope === 'all' && shop.branchCount > 0 && (
            <p className={look.quiet}>
              以及全部 {formatCount(shop.branchCount)} 家分店，各自从其到期时间起顺延，下一步全部列出
            </p>
          )}
        </div>
      )}
    </PriceColumn>
  )
}
