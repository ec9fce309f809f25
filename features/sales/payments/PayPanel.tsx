import { useEffect, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import styles from './payments.module.css'
import { CHANNEL_NAMES } from './rules.ts'
import { type PaymentState, type ShownPayment, usePayment } from './usePayment.tsx'

type Props = {
  started: ShownPayment
  onPaid: () => void
  /** Makes a new order after this one has ended. */
  onAgain: () => void
  /** Goes back to the choice once it is paid; where nothing closes by itself. */
  onMore?: () => void
}

/** The QR of one payment, until it is paid or over. */
export function PayPanel({ started, onPaid, onAgain, onMore }: Props) {
  const { shown, state, codeUrl, problem } = usePayment(started, onPaid)
  const text = shown.mode === 'native' ? codeUrl : shown.payUrl
  const names = shown.channels.map(channel => CHANNEL_NAMES[channel]).join('或')
  return (
    <section className={styles.pay} aria-label="扫码支付">
      <p className={styles.payAmount}>
        <span>{shown.subject}</span>
        <b>¥{formatCents(shown.amountFen)}</b>
      </p>
      <div
        className={styles.payCode}
        data-faded={(state.name === 'waiting' && state.redrawing) || undefined}
        data-ended={state.name !== 'waiting' || undefined}
      >
        {state.name !== 'waiting' ? null : text ? (
          <QrCode text={text} label={`${names}扫码支付 ${formatCents(shown.amountFen)} 元`} />
        ) : (
          <p className={styles.qrEmpty}>正在生成付款码…</p>
        )}
        <div className={styles.payOver} role="status">
          {state.name === 'paid' && <p className={styles.payDone}>支付成功</p>}
          {state.name === 'over' && <p>{state.message}</p>}
          {state.name === 'over' && (
            <Button kind="primary" onClick={onAgain}>
              重新下单
            </Button>
          )}
        </div>
      </div>
      <Words state={state} shown={shown} names={names} problem={problem} />
      {state.name === 'paid' && onMore && <Button onClick={onMore}>继续充值</Button>}
      {state.name === 'waiting' && text && <OtherWays shown={shown} text={text} />}
      <p className={`${styles.payNumber} ${look.quiet}`}>订单号 {shown.orderNo}</p>
    </section>
  )
}

type WordsProps = { state: PaymentState; shown: ShownPayment; names: string; problem: string | null }

function Words({ state, shown, names, problem }: WordsProps) {
  if (state.name === 'over') return null
  if (state.name === 'paid') return <p className={styles.payWords}>{shown.subject}已到账</p>
  return (
    <div className={styles.payWords}>
      <p>请用{names}扫码支付</p>
      <p className={look.quiet}>
        {problem ?? <TimeLeft key={shown.queryId} seconds={shown.remainingSeconds} />}
      </p>
    </div>
  )
}

/** Counts by the clock from what was left at first, since a timer falls behind in a page that is not looked at. */
function TimeLeft({ seconds }: { seconds: number }) {
  const [endsAt] = useState(() => Date.now() + seconds * 1_000)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.ceil((endsAt - now) / 1_000)
  if (left <= 0) return '正在确认支付结果…'
  return `等待支付，订单将在 ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} 后失效`
}

/** On a phone that has no other one to scan its screen with, and in the demo. */
function OtherWays({ shown, text }: { shown: ShownPayment; text: string }) {
  if (shown.phoneUrl)
    return (
      <p className={styles.payDemo}>
        演示环境：
        <a
          href={shown.mode === 'native' ? `${shown.phoneUrl}?code=${encodeURIComponent(text)}` : shown.payUrl}
          target="_blank"
          rel="noreferrer"
        >
          用模拟手机支付
        </a>
      </p>
    )
  return (
    <a className={`${styles.payHere} ${look.onlyPhone}`} href={shown.payUrl} target="_blank" rel="noreferrer">
      用本机支付
    </a>
  )
}
