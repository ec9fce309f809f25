import { useQuery } from '@tanstack/react-query'
import { lazy, useEffect } from 'react'
import { formatDay } from '#kit/time.ts'
import { messageOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { OwnerEntry } from './OwnerEntry.tsx'
import styles from './owner.module.css'
import { type OwnerPageData, ownerPapersApi } from './ownerPapersApi.tsx'

const OwnerForm = lazy(() => import('./OwnerForm.tsx'))
const OwnerStatus = lazy(() => import('./OwnerStatus.tsx'))

/** How often the page asks what became of what was handed in. */
const POLL_MS = 15_000

/** Where the owner of a shop hands in its papers by phone, without an account (`/o/<code>`, D3 §2 merchantImportH5). */
export default function OwnerPage() {
  const code = location.pathname.split('/')[2] ?? ''
  const page = useQuery({
    queryKey: ['owner', code],
    queryFn: () => ownerPapersApi.page({ code }),
    refetchInterval: query => (query.state.data?.form?.state === 'submitted' ? POLL_MS : false),
    // What is typed is not to be changed under one's hands.
    refetchOnWindowFocus: query => query.state.data?.form?.state === 'submitted',
    retry: (failures, error) => failures < 3 && refusalOf(error) === null,
  })
  const name = page.data?.shopName
  useEffect(() => {
    if (name) document.title = `${name} 收款资料`
  }, [name])
  const again = () => page.refetch()
  if (page.isError && !page.data) return <Unopened error={page.error} onRetry={() => void again()} />
  if (!page.data)
    return (
      <main className={styles.told}>
        <p>正在打开…</p>
      </main>
    )
  return <Shown code={code} page={page.data} onAgain={again} />
}

type Props = { code: string; page: OwnerPageData; onAgain: () => Promise<unknown> }

function Shown({ code, page, onAgain }: Props) {
  const { form, shopName, agentName, expiresAt } = page
  const isOpen = form?.state === 'draft' || form?.state === 'returned'
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>{shopName}</h1>
        <p className={look.quiet}>
          {agentName} 邀请店主本人填写收款资料，{formatDay(expiresAt)} 前有效
        </p>
      </header>
      <Suspense>
        {form === null ? (
          <OwnerEntry code={code} hasPhone={page.hasPhone} onDone={onAgain} />
        ) : isOpen ? (
          <OwnerForm key={form.state} code={code} data={form} onAgain={onAgain} />
        ) : (
          <OwnerStatus data={form} agentName={agentName} />
        )}
      </Suspense>
    </main>
  )
}

/** An address that was cut short is none of ours either. */
const NOBODYS = ['NOT_FOUND', 'INPUT_INVALID']

function Unopened({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const refusal = refusalOf(error)
  const isNobodys = NOBODYS.includes(refusal?.code ?? '')
  const isExpired = refusal?.code === 'LINK_EXPIRED'
  return (
    <main className={styles.told} role="status">
      <h1>{isNobodys ? '链接无效' : isExpired ? '链接已过期' : '暂时无法打开'}</h1>
      <p>{isNobodys ? '链接不正确或已更换，请向服务商索取新的链接' : messageOf(error)}</p>
      {!isNobodys && !isExpired && <Button onClick={onRetry}>重试</Button>}
    </main>
  )
}
