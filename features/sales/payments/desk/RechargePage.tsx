import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { payments } from '#features/sales/payments/contract.ts'
import { startOrResume, type Wanted } from '#features/sales/payments/PayDialog.tsx'
import { PayPanel } from '#features/sales/payments/PayPanel.tsx'
import { noChannelText } from '#features/sales/payments/rules.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { api, messageOf, newKey, refusalOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { afterPause } from '#web/client/ready.ts'
import { readAgain } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormElement } from '#web/form/FormElement.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Tabs } from '#web/form/Tabs.tsx'
import { useFormOf } from '#web/form/useFormOf.ts'
import { SMS_TOPUP, TOKEN_TOPUP } from './fields.ts'
import {
  brokenPrice,
  type Offer,
  type Priced,
  priceOfSms,
  priceOfTokens,
  RechargeNumber,
  type SmsChoice,
  SmsPackages,
} from './RechargeChoice.tsx'
import styles from './recharge.module.css'

const paymentsApi = api<typeof payments>('payments')

/** Between the choice of a package and its QR (D1 §4). */
const ORDER_AFTER_MS = 300

/** SMS credit and tokens by QR (D1 §2, §4). */
export default function RechargePage() {
  const offer = useQuery({ ...paymentsApi.offer.query(), staleTime: 0 })
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>充值</h1>
      {offer.isError ? (
        <LoadFailure error={offer.error} onRetry={() => void offer.refetch()} />
      ) : !offer.data ? (
        <LoadingLines lines={10} />
      ) : (
        <Offers offer={offer.data} />
      )}
    </div>
  )
}

function Offers({ offer }: { offer: Offer }) {
  const wanted = useLocation({ select: ({ hash }) => hash })
  const navigate = useNavigate()
  const { isVendorStaff } = useSession()
  if (offer.channels.length === 0) return <p>{noChannelText(isVendorStaff)}</p>
  const tabs = [
    ...(offer.sms ? [{ key: 'sms', label: '短信', content: <SmsRecharge offer={offer} /> }] : []),
    ...(offer.tokens ? [{ key: 'tokens', label: '代币', content: <TokenRecharge offer={offer} /> }] : []),
  ]
  return (
    <Tabs
      tabs={tabs}
      shown={wanted}
      onChange={key => void navigate({ to: '/admin/account/msgRecharge', hash: key, replace: true })}
    />
  )
}

function SmsRecharge({ offer }: { offer: Offer }) {
  const order = useOrder()
  const form = useFormOf({
    of: SMS_TOPUP,
    known: { packageId: offer.packages[0]?.id ?? null },
    refuse: choice => brokenPrice(priceOfSms(offer, choice), 'pieces'),
    send: choice => order.ask(priceOfSms(offer, choice)),
  })
  const choose = (next: SmsChoice) => {
    const priced = priceOfSms(offer, next)
    form.change(next)
    // A package is wanted as it is chosen; a number is being typed until the button is pressed.
    if (next.packageId !== null && 'wanted' in priced) order.soon(priced.wanted)
    else order.none()
  }
  return (
    <Recharge
      priced={priceOfSms(offer, form.draft)}
      order={order}
      balance={`当前短信余额 ${formatCount(offer.smsBalance)} 条`}
      onAsk={() => void form.submit()}
    >
      <SmsPackages offer={offer} form={form} onChange={choose} />
    </Recharge>
  )
}

function TokenRecharge({ offer }: { offer: Offer }) {
  const order = useOrder()
  const form = useFormOf({
    of: TOKEN_TOPUP,
    refuse: ({ tokens }) => brokenPrice(priceOfTokens(offer, tokens), 'tokens'),
    send: ({ tokens }) => order.ask(priceOfTokens(offer, tokens)),
  })
  return (
    <Recharge
      priced={priceOfTokens(offer, form.draft.tokens)}
      order={order}
      balance={`当前余额 ${formatCents(offer.balanceCents)} 代币`}
      onAsk={() => void form.submit()}
    >
      <RechargeNumber
        form={form}
        name="tokens"
        field={TOKEN_TOPUP.tokens}
        label={`${TOKEN_TOPUP.tokens.label}（1 代币 = ${formatCents(offer.tokenFen)} 元）`}
        onChange={typed => {
          order.none()
          form.change({ tokens: typed.trim() })
        }}
      />
    </Recharge>
  )
}

type Order = ReturnType<typeof useOrder>

/** At most one order is shown; another choice replaces it. */
function useOrder() {
  const [open, setOpen] = useState(false)
  const starting = useMutation({
    mutationFn: ({ wanted, key }: { wanted: Wanted; key: string }) => startOrResume(wanted, key),
    onError: error => {
      if (refusalOf(error)?.code !== 'PRICE_CHANGED') return
      toast.warning(messageOf(error))
      put(false)
      readAgain('payments.offer')
    },
  })
  const callOff = useRef<() => void>(undefined)
  useEffect(() => () => callOff.current?.(), [])
  const put = (isOpen: boolean) => {
    callOff.current?.()
    starting.reset()
    setOpen(isOpen)
  }
  const now = (wanted: Wanted) => {
    put(true)
    starting.mutate({ wanted, key: newKey() })
  }
  return {
    open,
    started: starting.data ?? null,
    error: starting.error,
    soon: (wanted: Wanted) => {
      put(true)
      callOff.current = afterPause(() => starting.mutate({ wanted, key: newKey() }), ORDER_AFTER_MS)
    },
    none: () => put(false),
    /** The order of what breaks no rule. */
    ask: (priced: Priced) => {
      if ('wanted' in priced) now(priced.wanted)
    },
    /** Under the same key: an order whose answer was lost is not made twice. */
    retry: () => {
      if (starting.variables) starting.mutate(starting.variables)
    },
  }
}

type RechargeProps = {
  priced: Priced
  order: Order
  balance: string
  /** Orders what is chosen where it breaks no rule, and shows it where it does. */
  onAsk: () => void
  children: ReactNode
}

/** The choice on one side, its QR on the other. */
function Recharge({ priced, order, balance, onAsk, children }: RechargeProps) {
  return (
    <div className={styles.rechargeSides}>
      <FormElement
        className={styles.rechargeChoice}
        onSubmit={() => {
          if (!order.open) onAsk()
        }}
      >
        <p className={styles.rechargeBalance}>{balance}</p>
        {children}
        <p className={styles.rechargeSum} aria-live="polite">
          {'refusal' in priced ? (
            '应付 —'
          ) : (
            <Sum priced={priced} unit={priced.wanted.asset === 'sms' ? '条' : '代币'} />
          )}
        </p>
        {!order.open && (
          <Button kind="primary" type="submit">
            扫码支付
          </Button>
        )}
      </FormElement>
      {order.open && <Pay order={order} onAgain={onAsk} />}
    </div>
  )
}

function Sum({ priced, unit }: { priced: Exclude<Priced, { refusal: string }>; unit: string }) {
  const { originalFen, amountFen, bonus, offer } = priced.price
  const given = unit === '条' ? formatCount(bonus) : formatCents(bonus)
  return (
    <>
      {priced.text}
      {bonus > 0 && `，另送 ${given} ${unit}`}，应付{' '}
      {amountFen < originalFen && (
        <>
          <s className={look.quiet}>¥{formatCents(originalFen)}</s>{' '}
        </>
      )}
      <b>¥{formatCents(amountFen)}</b>
      {offer !== undefined && (
        <>
          {' '}
          <StatusTag tone="attention">{offer}</StatusTag>
        </>
      )}
    </>
  )
}

function Pay({ order, onAgain }: { order: Order; onAgain: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  // On a phone it stands below what was chosen.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className={styles.rechargePay} ref={place}>
      {order.error ? (
        <LoadFailure error={order.error} onRetry={order.retry} />
      ) : order.started ? (
        <PayPanel
          key={order.started.queryId}
          started={order.started}
          onPaid={() => toast.success('支付成功')}
          onAgain={onAgain}
          onMore={order.none}
        />
      ) : (
        <LoadingLines lines={12} />
      )}
    </div>
  )
}
