import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentChoice } from '#features/office/agents/AgentPicker.tsx'
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import type { merchants } from '#features/shops/merchants/contract.ts'
import type { Meant } from '#kit/declare/form.ts'
import { formatCents } from '#kit/money.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { allows, useSession } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Bill } from './CartPanel.tsx'
import type { hardware } from './contract.ts'
import { DELIVERY } from './fields.ts'
import { billOf, type Cart, type CartLine, cartQuery, lineRefusal } from './HardwareCart.tsx'
import styles from './hardware.module.css'
import { priceOf, REFUSALS, refuseContactName, refusePhone } from './rules.ts'
import shopStyles from './shop.module.css'

const hardwareApi = api<typeof hardware>('hardware')
const merchantsApi = api<typeof merchants>('merchants')

type Props = { cart: Cart; onClose: () => void; onOrdered: (orderNo: string) => void }

type Delivery = Meant<typeof DELIVERY>

/** What the answer to these shows: other prices, other stock, another balance. */
const OUTDATED = new Set(['PRICE_CHANGED', 'OUT_OF_STOCK', 'PRODUCT_OFF_SALE', 'INSUFFICIENT', 'NOT_FOUND'])

/** Where it goes and what it costs; the press on 确认购买 orders and pays. */
export default function CheckoutDialog({ cart, onClose, onOrdered }: Props) {
  const queries = useQueryClient()
  const options = useQuery(merchantsApi.options.query({}))
  // Kept as it was shown: a repeated press must be the same order, also after the cart was emptied by the first.
  const [offer, setOffer] = useState(cart)
  const session = useSession()
  const ownShops = async ({ search }: { search?: string }) => {
    const ofAgent = session.isVendorStaff ? { agentId: session.agentId } : {}
    const { rows } = await merchantsApi.list({ search, size: 20, total: false, ...ofAgent })
    return { rows: rows.map(({ id, shopName }) => ({ id, companyName: shopName })) }
  }
  const submit = async (delivery: Delivery, idempotencyKey: string) => {
    const lines = offer.rows.map(({ productId, quantity }) => ({ productId, quantity }))
    try {
      const { orderNo } = await hardwareApi.order(
        { ...delivery, lines, totalCents: billOf(offer.rows).totalCents },
        { idempotencyKey },
      )
      toast.success('购买成功')
      await reread()
      onOrdered(orderNo)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal && OUTDATED.has(refusal.code))
        setOffer(await queries.fetchQuery({ ...cartQuery(), staleTime: 0 }))
      throw error
    }
  }
  return (
    <FormDialog
      title="确认订单"
      submitText="确认购买"
      of={DELIVERY}
      known={cart.lastDelivery}
      without={allows(session, 'merchants.list') ? [] : ['merchantId']}
      refuse={({ contactName, contactPhone }) => {
        const name = refuseContactName(contactName)
        if (name) return { field: 'contactName', message: REFUSALS[name] }
        const code = refusePhone(contactPhone)
        return code && { field: 'contactPhone', message: REFUSALS[code] }
      }}
      send={submit}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form}>
            {{
              districtCode: control => (
                <RegionPicker
                  {...control}
                  startAt={options.data?.cityCode}
                  value={form.draft.districtCode}
                  onChange={districtCode => form.change({ districtCode })}
                />
              ),
              merchantId: ({ id }) => (
                <AgentChoice
                  id={id}
                  what="商户"
                  value={form.draft.merchantId ?? undefined}
                  onChange={chosen => form.change({ merchantId: chosen ?? null })}
                  placeholder="不指定商户"
                  queryKey={['hardware', 'shops']}
                  find={ownShops}
                />
              ),
            }}
          </FormFields>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself. */}
          <ul className={styles.checkoutLines} tabIndex={0} aria-label="商品">
            {offer.rows.map(line => (
              <li key={line.productId}>
                <span>
                  {line.name} × {line.quantity}
                  {lineRefusal(line) && (
                    <span className={shopStyles.cartLineRefusal}>（{lineRefusal(line)}）</span>
                  )}
                </span>
                <LinePrice line={line} />
              </li>
            ))}
          </ul>
          <Bill
            of={billOf(offer.rows)}
            balanceCents={offer.balanceCents}
            onPaid={cents => setOffer(shown => ({ ...shown, balanceCents: shown.balanceCents + cents }))}
            onEnough={() => void form.submit()}
          />
        </>
      )}
    </FormDialog>
  )
}

/** What the line costs; where that is not its list price, this struck through, and the name of its offer. */
function LinePrice({ line }: { line: CartLine }) {
  const { originalCents, totalCents, offer } = priceOf(line, line.quantity)
  return (
    <span>
      {offer !== undefined && (
        <>
          <StatusTag tone="attention">{offer}</StatusTag>{' '}
        </>
      )}
      {totalCents < originalCents && (
        <>
          <s className={look.quiet}>{formatCents(originalCents)}</s>{' '}
        </>
      )}
      <span className={look.number}>{formatCents(totalCents)}</span>
    </span>
  )
}
