import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect, useEffectEvent, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { shopPages } from './contract.ts'
import { POLL_MS } from './rules.ts'
import { ShopRenewal } from './ShopRenewal.tsx'
import { ShopView } from './ShopView.tsx'
import styles from './shop.module.css'

const shopPagesApi = api<typeof shopPages>('shopPages')
const ShopSignIn = lazy(() => import('./ShopSignIn.tsx'))
const ShopAccount = lazy(() => import('./ShopAccount.tsx'))

/** What a shop sees at its own address, without an account (`/s/<code>`). */
export default function ShopPage() {
  const code = location.pathname.split('/')[2] ?? ''
  const page = useQuery({
    queryKey: ['shop', code],
    queryFn: () => shopPagesApi.page({ code }),
    refetchInterval: query => ((query.state.data?.renewal.owed.length ?? 0) > 0 ? POLL_MS.waiting : false),
    retry: (failures, error) => failures < 3 && refusalOf(error) === null,
  })
  const name = page.data?.shop?.name
  useEffect(() => {
    if (name) document.title = name
  }, [name])
  if (page.data?.state === 'open')
    return <Open code={code} page={page.data} onChanged={() => void page.refetch()} />
  if (page.data) return <Closed state={page.data.state} />
  if (page.isError) return <Unopened error={page.error} onRetry={() => void page.refetch()} />
  return (
    <main className={styles.told}>
      <p>正在打开…</p>
    </main>
  )
}

type Page = Out<typeof shopPages.page>
type OpenProps = { code: string; page: Page; onChanged: () => void }

function Open({ code, page, onChanged }: OpenProps) {
  const [changes, setChanges] = useState(0)
  return (
    <main className={styles.page}>
      <ShopView page={page}>
        <ShopRenewal
          code={code}
          renewal={page.renewal}
          onChanged={() => {
            setChanges(changes + 1)
            onChanged()
          }}
        />
        <ShopDoor code={code} changes={changes} />
      </ShopView>
    </main>
  )
}

type DoorProps = {
  code: string
  /** Counts what has changed at the page. */
  changes: number
}

/** What the shop sees once it has proven its phone; before, the way to prove it. */
function ShopDoor({ code, changes }: DoorProps) {
  const [signingIn, setSigningIn] = useState(false)
  const account = useQuery({
    queryKey: ['shop-account', code],
    queryFn: () => shopPagesApi.account({ code }),
    retry: (failures, error) => failures < 3 && refusalOf(error) === null,
  })
  const again = useEffectEvent(() => {
    if (account.data) void account.refetch()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change.
  useEffect(() => again(), [changes])
  if (account.data)
    return (
      <Suspense>
        <ShopAccount code={code} account={account.data} onEnd={() => void account.refetch()} />
      </Suspense>
    )
  if (account.isPending) return null
  return (
    <section className={styles.card} aria-labelledby="door-title">
      <h2 id="door-title">订单、服务与收据</h2>
      {signingIn ? (
        <Suspense>
          <ShopSignIn
            code={code}
            onDone={() => {
              setSigningIn(false)
              void account.refetch()
            }}
          />
        </Suspense>
      ) : (
        <>
          <p className={styles.hint}>用门店登记手机号的验证码登录后可以查看，登录 30 分钟内有效</p>
          <Button onClick={() => setSigningIn(true)}>登录查看</Button>
        </>
      )}
    </section>
  )
}

const CLOSED: Record<Exclude<Page['state'], 'open'>, { title: string; text: string }> = {
  shopDisabled: { title: '门店已停用', text: '该门店已被停用，如需恢复请联系您的服务商' },
  agentDisabled: { title: '页面暂不可用', text: '服务商的页面已停用，请通过其他方式联系服务商' },
}

function Closed({ state }: { state: Page['state'] }) {
  const { title, text } = CLOSED[state === 'open' ? 'agentDisabled' : state]
  return (
    <main className={styles.told} role="status">
      <h1>{title}</h1>
      <p>{text}</p>
    </main>
  )
}

/** An address that was cut short is none of ours either. */
const NOBODYS = ['NOT_FOUND', 'INPUT_INVALID']

function Unopened({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isNobodys = NOBODYS.includes(refusalOf(error)?.code ?? '')
  return (
    <main className={styles.told} role="status">
      <h1>{isNobodys ? '链接无效' : '暂时无法打开'}</h1>
      <p>{isNobodys ? '链接不正确或已更换，请向服务商索取新的链接' : messageOf(error)}</p>
      {!isNobodys && <Button onClick={onRetry}>重试</Button>}
    </main>
  )
}
