import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { api, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import type { shopPages } from './contract.ts'
import styles from './shop.module.css'

const shopPagesApi = api<typeof shopPages>('shopPages')
const ShopSignIn = lazy(() => import('./ShopSignIn.tsx'))
const ShopAccount = lazy(() => import('./ShopAccount.tsx'))

type Props = {
  code: string
  /** Counts what has changed at the page. */
  changes: number
}

/** What the shop sees once it has proven its phone; before, the way to prove it. */
export function ShopDoor({ code, changes }: Props) {
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
