import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { PaidPrice } from '#features/office/prices/BuyerPrice.tsx'
import { type MerchantStatus, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { PriceLine, PriceLines } from '#features/shops/versions/PriceLines.tsx'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import type { Question } from '#web/controls/confirm.ts'
import { discountText } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Choice } from '#web/form/Choice.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { useFormOf } from '#web/form/useFormOf.ts'
import type { sms } from './contract.ts'
import { PACKAGE_PURCHASE } from './fields.ts'
import { SMS_REFUSALS } from './rules.ts'
import styles from './sms.module.css'

const smsApi = api<typeof sms>('sms')

type Offers = Out<typeof sms.packages>
type Package = Offers['rows'][number]
type Shop = { id: number; shopName: string; status: MerchantStatus }
type Props = { merchant: Shop; onClose: () => void }

const REMARK = {
  count: PACKAGE_PURCHASE.remark.max,
  placeholder: PACKAGE_PURCHASE.remark.control.placeholder,
}

/** Buys an SMS package for a shop with the agent's tokens. */
export default function SmsPackageDialog({ merchant, onClose }: Props) {
  const offers = useQuery({
    ...smsApi.packages.query({ merchantId: merchant.id }),
    staleTime: 0,
  })
  const { form, chosen, lost } = useBuying(merchant, offers.data, onClose)
  const buy = () => void form.submit()
  return (
    <Dialog
      title="购买短信包"
      width={480}
      busy={form.busy}
      onClose={onClose}
      footer={
        <>
          <CloseButton />
          <Button
            kind="primary"
            busy={form.busy}
            disabled={refusalOfChoice(merchant, offers.data, chosen)}
            onClick={buy}
          >
            {lost ? '重试' : '购买'}
          </Button>
        </>
      }
    >
      <div className={styles.smsBody}>
        {offers.isError ? (
          <LoadFailure error={offers.error} onRetry={() => void offers.refetch()} />
        ) : !offers.data ? (
          <LoadingLines lines={8} />
        ) : (
          <>
            <p className={styles.smsShop}>
              {merchant.shopName}（ID {merchant.id}）
            </p>
            <div aria-live="polite">
              {offers.data.refusal && <p className={styles.smsNote}>{offers.data.refusal.message}</p>}
              {lost && <p className={styles.smsNote}>没有收到服务器的答复。请重试，同一订单不会重复扣款。</p>}
            </div>
            <Packages
              offers={offers.data}
              chosenId={form.draft.packageId}
              disabled={form.busy || lost}
              onChoose={packageId => form.change({ packageId })}
            />
            <FormFields form={form} only={['remark']}>
              {{
                remark: control => (
                  <TextInput
                    {...control}
                    {...REMARK}
                    value={form.draft.remark}
                    onChange={remark => form.change({ remark })}
                    disabled={form.busy || lost}
                  />
                ),
              }}
            </FormFields>
            <Outcome offers={offers.data} chosen={chosen} />
            <MissingPay
              asset="token"
              missing={(chosen?.totalCents ?? 0) - offers.data.balanceCents}
              purpose="购买"
              onEnough={buy}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Why the chosen package cannot be bought; null when it can. */
function refusalOfChoice(merchant: Shop, offers: Offers | undefined, chosen: Package | null) {
  const lock = refuseDisabled(merchant.status)
  if (lock) return SMS_REFUSALS.MERCHANT_DISABLED
  if (!offers) return true
  if (offers.refusal) return offers.refusal.message
  if (!chosen) return '请选择短信包'
  return chosen.totalCents > offers.balanceCents ? SMS_REFUSALS.INSUFFICIENT : null
}

type Wanted = { packageId: number; totalCents: number; remark: string }
type Draft = Meant<typeof PACKAGE_PURCHASE>

/** Asks once, then buys; what was sent stays the same while no answer came. */
function useBuying(merchant: Shop, offers: Offers | undefined, onClose: () => void) {
  const [lost, setLost] = useState<Wanted | null>(null)
  const packageOf = ({ packageId }: Draft) => {
    const chosen = offers?.rows.find(row => row.id === packageId)
    if (!offers || !chosen) throw new Error('the button is locked until a package is chosen')
    return { offers, chosen }
  }
  const sent = useRef<Wanted>(null)
  const form = useFormOf({
    of: PACKAGE_PURCHASE,
    question: lost ? undefined : draft => questionOf(merchant, packageOf(draft)),
    send: (draft, idempotencyKey) => {
      sent.current = lost ?? wantedOf(packageOf(draft).chosen, draft)
      return smsApi.buy({ merchantId: merchant.id, ...sent.current }, { idempotencyKey })
    },
    onDone: () => {
      toast.success('购买成功')
      onClose()
    },
    onRefused: error => {
      const refusal = refusalOf(error)
      if (!refusal || refusal.code === 'BUSY') {
        setLost(sent.current)
        return true
      }
      setLost(null)
      toast.warning(refusal.message)
      readAgain('sms', 'ledger', 'merchants.details')
      return true
    },
  })
  const chosen = offers?.rows.find(row => row.id === form.draft.packageId) ?? null
  return { form, chosen, lost: lost !== null && !form.busy }
}

function wantedOf({ id, totalCents }: Package, { remark }: Draft): Wanted {
  return { packageId: id, totalCents, remark }
}

function questionOf({ shopName }: Shop, { offers, chosen }: { offers: Offers; chosen: Package }): Question {
  return {
    title: `为「${shopName}」购买${chosen.name}？`,
    text: `将扣除 ${formatCents(chosen.totalCents)} 代币，余额由 ${formatCents(offers.balanceCents)} 变为 ${formatCents(offers.balanceCents - chosen.totalCents)}；商户短信由 ${formatCount(offers.credit)} 条变为 ${formatCount(offers.credit + chosen.pieces)} 条。`,
    confirmText: '确认购买',
  }
}

type PackagesProps = {
  offers: Offers
  chosenId: number | null
  disabled: boolean
  onChoose: (id: number) => void
}

function Packages({ offers, chosenId, disabled, onChoose }: PackagesProps) {
  const options = offers.rows.map(row => ({
    value: row.id,
    disabled: disabled || offers.refusal !== null,
    label: (
      <>
        <span>
          <b>{formatCount(row.pieces)}</b> 条
        </span>
        <span>
          <PaidPrice listCents={row.priceCents} paidCents={row.totalCents} offer={row.offer} unit="代币" />
        </span>
      </>
    ),
  }))
  return (
    <div className={styles.smsPackages}>
      <p aria-hidden="true">短信包</p>
      <Choice
        label={PACKAGE_PURCHASE.packageId.label}
        look="stack"
        options={options}
        value={chosenId}
        onChange={onChoose}
      />
    </div>
  )
}

/** Price, balance and the shop's credit, before and after. */
function Outcome({ offers, chosen }: { offers: Offers; chosen: Package | null }) {
  const missing = chosen ? chosen.totalCents - offers.balanceCents : 0
  return (
    <PriceLines>
      <PriceLine label="折扣">{discountText(offers.discountBasisPoints)}</PriceLine>
      {chosen?.offer && <PriceLine label="优惠">{chosen.offer}</PriceLine>}
      <PriceLine label="商户短信余额">
        {formatCount(offers.credit)}
        {chosen && ` → ${formatCount(offers.credit + chosen.pieces)}`} 条
      </PriceLine>
      <PriceLine label="合计（代币）" kind="total">
        {formatCents(chosen?.totalCents ?? 0)}
      </PriceLine>
      <PriceLine label="当前余额">{formatCents(offers.balanceCents)}</PriceLine>
      {missing > 0 ? (
        <PriceLine label="余额不足，还差" kind="missing">
          {formatCents(missing)}
        </PriceLine>
      ) : (
        <PriceLine label="购买后余额">
          {formatCents(offers.balanceCents - (chosen?.totalCents ?? 0))}
        </PriceLine>
      )}
    </PriceLines>
  )
}
