import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { channelOf, type PayChannelRecord } from '#kit/ports/channels.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { LogoPicture } from '#web/shell/AgentBrand.tsx'
import styles from './cashier.module.css'
import type { payments } from './contract.ts'
import { CHANNEL_NAMES, LIMITS, PAID_FROM } from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Cashier = Out<typeof payments.cashier>
type Channel = Cashier['channels'][number]

/** What the QR leads to: paid in place inside a channel's own app, all codes elsewhere. */
export default function CashierPage() {
  const token = location.pathname.split('/')[2] ?? ''
  const cashier = useQuery({
    queryKey: ['cashier', token],
    queryFn: () => paymentsApi.cashier({ token }),
    refetchInterval: query =>
      query.state.data && query.state.data.status !== 'waiting' ? false : LIMITS.pollEveryMs,
    retry: (failures, error) => failures < 3 && refusalOf(error) === null,
  })
  return (
    <main className={styles.cashier}>
      {cashier.data ? (
        <Paying token={token} cashier={cashier.data} />
      ) : cashier.isError ? (
        <Unopened error={cashier.error} />
      ) : (
        <p className={styles.cashierWait}>正在打开收银台…</p>
      )}
    </main>
  )
}

function Unopened({ error }: { error: Error }) {
  const code = refusalOf(error)?.code
  // An address that was cut short is none of ours either.
  if (code === 'NOT_FOUND' || code === 'INPUT_INVALID')
    return <Ended title="二维码无效" text="请返回重新获取付款二维码" />
  return <Ended title="暂时无法打开" text={messageOf(error)} />
}

type EndedProps = { title: string; text: string; done?: boolean; children?: ReactNode }

function Ended({ title, text, done, children }: EndedProps) {
  return (
    <section className={styles.cashierEnded} data-done={done || undefined} role="status">
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </section>
  )
}

/** To the shop's page that led here in the same tab, where it did. */
function Back() {
  const from = sessionStorage.getItem(PAID_FROM)
  return from !== null && /^\/s\/[\w-]+$/.test(from) ? (
    <a className={styles.cashierBack} href={from}>
      返回门店页面
    </a>
  ) : null
}

function Paying({ token, cashier }: { token: string; cashier: Cashier }) {
  const inPlace = usePayInPlace(token, cashier)
  if (cashier.status === 'paid')
    return (
      <Ended done title="支付成功" text={`¥${formatCents(cashier.amountFen)} 已支付，可以关闭此页面`}>
        <Back />
      </Ended>
    )
  if (cashier.status === 'failed') return <Ended title="支付没有成功" text="请返回重新获取付款二维码" />
  if (cashier.status !== 'waiting')
    return <Ended title="订单已失效" text="您的订单已过期失效，请重新获取二维码" />
  return (
    <>
      <header className={styles.cashierHead}>
        <p className={styles.cashierPayee}>
          {cashier.payeeLogo && <LogoPicture address={cashier.payeeLogo} />}
          {cashier.payee}
        </p>
        <h1>¥{formatCents(cashier.amountFen)}</h1>
        <p>{cashier.subject}</p>
      </header>
      {inPlace ? (
        <div className={styles.cashierWait}>
          <p aria-live="polite">{inPlace.words}</p>
          {inPlace.again && (
            <button type="button" className={styles.cashierButton} onClick={inPlace.again}>
              {inPlace.againText}
            </button>
          )}
        </div>
      ) : cashier.channels.length === 0 ? (
        <p className={styles.cashierWait}>暂未开通支付渠道，请联系收款方</p>
      ) : (
        <Codes token={token} cashier={cashier} />
      )}
      {cashier.channels.length > 0 && (
        <p className={styles.cashierFoot}>{timeLeft(cashier.remainingSeconds)}</p>
      )}
    </>
  )
}

function timeLeft(seconds: number): string {
  if (seconds <= 0) return '正在确认支付结果…'
  return seconds > 60
    ? `请在 ${Math.ceil(seconds / 60)} 分钟内完成支付`
    : `请在 ${Math.ceil(seconds)} 秒内完成支付`
}

/** The channel in whose own browser the payer's phone opened the address. */
function payerOf({ channels }: Cashier): Channel | undefined {
  const agent = navigator.userAgent.toLowerCase()
  return channels.find(({ channel }) => {
    const { browser } = channelOf(channel)
    return browser !== null && agent.includes(browser.agent.toLowerCase())
  })
}

type InPlace = { words: string; again: (() => void) | null; againText: string }

/** What the payer reads while the phone's own app takes over; null where it cannot. */
function usePayInPlace(token: string, cashier: Cashier): InPlace | null {
  const channel = payerOf(cashier)
  const browser = channel ? channelOf(channel.channel).browser : null
  const opening = useMutation({
    mutationFn: (wanted: Channel['channel']) => paymentsApi.cashierAttempt({ token, channel: wanted }),
  })
  const returning = useMutation({
    mutationFn: (wanted: { channel: Channel['channel']; code: string }) =>
      paymentsApi.cashierInApp({ token, ...wanted }),
  })
  // The app is opened by itself once, and then only as the payer wishes.
  const opened = useRef(false)
  const code = new URLSearchParams(location.search).get('code')
  const once = (open: () => void) => {
    if (opened.current) return
    opened.current = true
    open()
  }
  const step = useEffectEvent(() => {
    if (!channel || !browser || cashier.status !== 'waiting') return
    const { parameters, codeUrl, authorizeUrl } = channel
    if (browser.pays === 'address') {
      if (codeUrl) once(() => location.replace(codeUrl))
      else if (channel.status === null && opening.isIdle) opening.mutate(channel.channel)
    } else if (parameters) once(() => payByBridge(browser, parameters))
    else if (code && authorizeUrl && returning.isIdle) returning.mutate({ channel: channel.channel, code })
    else if (!code && authorizeUrl) once(() => location.replace(authorizeUrl))
  })
  // What the last question told may be what the next step waits for.
  useEffect(() => step())
  if (!channel || !browser) return null
  const name = CHANNEL_NAMES[channel.channel]
  const isRefused = opening.isError || returning.isError
  if (browser.pays === 'address') {
    const { codeUrl } = channel
    if (isRefused || isOver(channel)) return null
    return {
      words: `正在打开${name}…`,
      again: codeUrl === null ? null : () => location.assign(codeUrl),
      againText: `打开${name}付款`,
    }
  }
  const { parameters, authorizeUrl } = channel
  if (isOver(channel)) return { words: `${name}支付暂不可用，请重新获取付款码`, again: null, againText: '' }
  if (parameters)
    return {
      words: `请在${name}中完成支付`,
      again: () => payByBridge(browser, parameters),
      againText: '立即支付',
    }
  if (!authorizeUrl) return null
  return {
    words: isRefused ? `${name}支付没有打开，请重试` : `正在打开${name}支付…`,
    again: isRefused || returning.isSuccess ? () => location.replace(authorizeUrl) : null,
    againText: `重新打开${name}支付`,
  }
}

function isOver(channel: Channel | undefined): boolean {
  return channel?.status === 'failed' || channel?.status === 'closed'
}

type Browser = Extract<PayChannelRecord['browser'], { pays: 'bridge' }>
type Bridge = { invoke(name: string, parameters: Record<string, string>, done: () => void): void }

/** The browser has its bridge only after a moment. */
function payByBridge({ object, readyEvent, method }: Browser, parameters: Record<string, string>): void {
  const pay = () =>
    (globalThis as unknown as Record<string, Bridge | undefined>)[object]?.invoke(
      method,
      parameters,
      // How it ended, the cashier's own question tells.
      () => undefined,
    )
  if (object in globalThis) pay()
  else document.addEventListener(readyEvent, pay, { once: true })
}

function Codes({ token, cashier }: { token: string; cashier: Cashier }) {
  return (
    <div className={styles.cashierCodes}>
      {cashier.channels.map(channel => (
        <Code key={channel.channel} token={token} channel={channel} phoneUrl={cashier.phoneUrl} />
      ))}
    </div>
  )
}

type CodeProps = { token: string; channel: Channel; phoneUrl: string | null }

/** One channel's own code, asked for as soon as it is shown. */
function Code({ token, channel, phoneUrl }: CodeProps) {
  const opening = useMutation({
    mutationFn: () => paymentsApi.cashierAttempt({ token, channel: channel.channel }),
  })
  const open = useEffectEvent(() => {
    if (channel.status === null && opening.isIdle) opening.mutate()
  })
  useEffect(() => open(), [])
  const name = CHANNEL_NAMES[channel.channel]
  const problem = opening.isError ? messageOf(opening.error) : isOver(channel) ? `${name}暂不可用` : null
  return (
    <section className={styles.cashierCode} data-channel={channel.channel} aria-label={`${name}付款码`}>
      <h2>{name}支付</h2>
      {channel.codeUrl && !problem ? (
        <QrCode text={channel.codeUrl} label={`${name}付款码`} />
      ) : (
        <div className={styles.cashierCodeWait} aria-live="polite">
          {problem ?? '正在生成付款码…'}
          {opening.isError && (
            <button type="button" className={styles.cashierButton} onClick={() => opening.mutate()}>
              重试
            </button>
          )}
        </div>
      )}
      {!problem && <p>打开{name}，扫一扫付款</p>}
      {channelOf(channel.channel).browser?.pays === 'address' && !phoneUrl && channel.codeUrl && !problem && (
        <a className={styles.cashierHere} href={channel.codeUrl}>
          在本机打开{name}
        </a>
      )}
      {phoneUrl && channel.codeUrl && !problem && (
        <a href={`${phoneUrl}?code=${encodeURIComponent(channel.codeUrl)}`} target="_blank" rel="noreferrer">
          演示：用模拟手机付款
        </a>
      )}
    </section>
  )
}
