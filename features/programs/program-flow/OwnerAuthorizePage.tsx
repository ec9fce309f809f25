import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatInstant } from '#kit/time.ts'
import { messageOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import styles from './owner.module.css'
import { type OwnerPageData, programFlowApi } from './programFlowApi.tsx'

const POLL_MS = 3_000

/** Where the owner of a shop authorises its mini program on a phone, without an account, and comes back to (`/m/<code>`). */
export default function OwnerAuthorizePage() {
  const [code, setCode] = useState(() => location.pathname.split('/')[2] ?? '')
  const [authCode] = useState(() => new URLSearchParams(location.search).get('auth_code'))
  const [isBack, setBack] = useState(authCode !== null)
  const back = useMutation({
    mutationFn: () => programFlowApi.ownerReturned({ code, authCode: authCode ?? '' }),
    onSuccess: ({ code: returned }) => {
      // Opened again, the same address says what came of it.
      history.replaceState(null, '', `/m/${returned}`)
      setCode(returned)
      setBack(false)
    },
  })
  const sent = useRef(false)
  useEffect(() => {
    if (authCode === null || code === '' || sent.current) return
    sent.current = true
    back.mutate()
  }, [authCode, code, back.mutate])
  if (code === '') return <Ended words={INCOMPLETE} />
  if (back.isError) return <Unopened error={back.error} onRetry={() => back.mutate()} />
  if (isBack)
    return (
      <main className={styles.told} role="status">
        <p>正在提交授权…</p>
      </main>
    )
  return <Opened code={code} />
}

function Opened({ code }: { code: string }) {
  const page = useQuery({
    queryKey: ['program-owner', code],
    queryFn: () => programFlowApi.ownerPage({ code }),
    refetchInterval: query => (query.state.data?.standing === 'asking' ? POLL_MS : false),
    retry: (failures, error) => failures < 3 && refusalOf(error) === null,
  })
  if (page.isError && !page.data) return <Unopened error={page.error} onRetry={() => void page.refetch()} />
  if (!page.data)
    return (
      <main className={styles.told}>
        <p>正在打开…</p>
      </main>
    )
  return <Shown code={code} page={page.data} />
}

function Shown({ code, page }: { code: string; page: OwnerPageData }) {
  const { shopName, agentName, programName, until, standing, title, words } = page
  const begin = useMutation({
    mutationFn: () => programFlowApi.ownerBegin({ code }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const mayBegin = standing === 'open' || standing === 'failed'
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <h1>{shopName}</h1>
        <p className={look.quiet}>
          {agentName} 请您授权小程序{programName && `「${programName}」`}
        </p>
      </header>
      <section className={styles.card} aria-label="授权小程序">
        <h2 role="status">{title}</h2>
        <p>{words}</p>
        {begin.isError && (
          <p className={styles.problem} role="alert">
            {messageOf(begin.error)}
          </p>
        )}
        {mayBegin && (
          <Button changes={false} kind="primary" busy={begin.isPending} onClick={() => begin.mutate()}>
            {standing === 'open' ? '去微信授权' : '重新授权'}
          </Button>
        )}
        <p className={look.quiet}>
          {mayBegin ? `链接 ${formatInstant(until)} 前有效，只能使用一次。` : '可以关闭本页面。'}
        </p>
      </section>
    </main>
  )
}

/** Ours refused it; anything else may go by itself. */
const ENDED = ['LINK_USED', 'LINK_TOO_LATE', 'LINK_CLOSED', 'NOT_FOUND', 'INPUT_INVALID']

const INCOMPLETE = '链接不完整，请向服务商索取新的链接'

function Unopened({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const code = refusalOf(error)?.code ?? ''
  if (ENDED.includes(code)) return <Ended words={code === 'INPUT_INVALID' ? INCOMPLETE : messageOf(error)} />
  return (
    <main className={styles.told} role="status">
      <h1>暂时无法打开</h1>
      <p>{messageOf(error)}</p>
      <Button changes={false} onClick={onRetry}>
        重试
      </Button>
    </main>
  )
}

function Ended({ words }: { words: string }) {
  return (
    <main className={styles.told} role="status">
      <h1>链接已失效</h1>
      <p>{words}</p>
    </main>
  )
}
