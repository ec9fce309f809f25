import { useMutation, useQuery } from '@tanstack/react-query'
import { PAID_FROM } from '#features/sales/payments/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { messageOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import type { deposits } from './contract.ts'
import { depositsApi } from './depositsApi.tsx'
import { ASK } from './fields.ts'
import styles from './pay-page.module.css'

/** How often it is looked at while it waits to be paid. */
const POLL_MS = 3_000
/** An address that was cut short is none of ours either. */
const NOBODYS = ['NOT_FOUND', 'INPUT_INVALID']

/** What a shop is asked for, and the way to pay it, without an account (`/d/<code>`). */
export default function PayPage() {
  const code = location.pathname.split('/')[2] ?? ''
  const page = useQuery({
    queryKey: ['deposit', code],
    queryFn: () => depositsApi.page({ code }),
    // Without one it is another address.
    enabled: code !== '',
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? POLL_MS : false),
    retry: (failures, error) => failures < 3 && refusalOf(error) === null,
  })
  return (
    <main className={styles.page}>
      {page.data ? (
        <Asked code={code} page={page.data} onChanged={() => void page.refetch()} />
      ) : page.isError || code === '' ? (
        <Unopened error={page.error} onRetry={() => void page.refetch()} />
      ) : (
        <p>正在打开…</p>
      )}
    </main>
  )
}

type Page = Out<typeof deposits.page>

const TOLD: Record<Exclude<Page['state'], 'waiting'>, string> = {
  held: '押金已支付',
  deciding: '押金已支付',
  settled: '押金已结清',
  cancelled: '押金已取消，无需支付',
}

function Asked({ code, page, onChanged }: { code: string; page: Page; onChanged: () => void }) {
  const paying = useMutation({
    mutationFn: () => depositsApi.pay({ code }),
    onSuccess: ({ payUrl }) => {
      sessionStorage.setItem(PAID_FROM, location.pathname)
      location.assign(payUrl)
    },
    onError: onChanged,
  })
  const { state, amountFen, shopName, subject, payee, paidAt } = page
  return (
    <section className={styles.card}>
      <h1>支付押金</h1>
      <p className={`${styles.amount} ${look.number}`}>¥{formatCents(amountFen)}</p>
      <Facts>
        <Fact label={ASK.merchantId.label}>{shopName}</Fact>
        <Fact label={ASK.subject.label}>{subject}</Fact>
        <Fact label="收款方">{payee}</Fact>
      </Facts>
      {state === 'waiting' ? (
        <>
          <p className={styles.problem} role="alert">
            {paying.isError ? messageOf(paying.error) : ''}
          </p>
          <Button kind="primary" busy={paying.isPending} onClick={() => paying.mutate()}>
            去支付 ¥{formatCents(amountFen)}
          </Button>
          <p className={look.quiet}>押金由收款方保管，退还时原路退回付款账户</p>
        </>
      ) : (
        <p className={styles.told} role="status">
          {TOLD[state]}
          {paidAt && <span>支付于 {formatInstant(paidAt)}</span>}
        </p>
      )}
    </section>
  )
}

/** `error` null: the address names none. */
function Unopened({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const isNobodys = error === null || NOBODYS.includes(refusalOf(error)?.code ?? '')
  return (
    <section className={styles.card} role="status">
      <h1>{isNobodys ? '链接无效' : '暂时无法打开'}</h1>
      <p>{isNobodys ? '链接不正确，请向服务商索取新的链接' : messageOf(error)}</p>
      {!isNobodys && <Button onClick={onRetry}>重试</Button>}
    </section>
  )
}
