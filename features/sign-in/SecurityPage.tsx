import { useMutation, useQuery } from '@tanstack/react-query'
import { FactorsSection } from '#features/factors/FactorsSection.tsx'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { Instant } from '#web/format.tsx'
import { look } from '#web/look.ts'
import { reread } from '#web/reread.ts'
import { StatusTag } from '#web/StatusTag.tsx'
import { toast } from '#web/toast.ts'
import type { signIn } from './contract.ts'
import { deviceOf } from './rules.ts'
import styles from './sign-in.module.css'

const signInApi = api<typeof signIn>('signIn')

type Login = Out<typeof signIn.sessions>['rows'][number]

/** Where one is signed in. */
export default function SecurityPage() {
  return (
    <div className={`${look.page} ${styles.security}`}>
      <h1 className={look.pageTitle}>登录与安全</h1>
      <FactorsSection />
      <section aria-labelledby="logins-title">
        <h2 id="logins-title" className={look.sectionTitle}>
          登录设备
        </h2>
        <p className={look.quiet}>如有不认识的设备，请将其下线</p>
        <Logins />
      </section>
    </div>
  )
}

function Logins() {
  const queryKey = ['signIn', 'sessions']
  const logins = useQuery({ queryKey, queryFn: () => signInApi.sessions() })
  const ending = useMutation({
    mutationFn: (login: Login) => signInApi.endSession({ id: login.id }),
    onSuccess: async () => {
      toast.success('已下线')
      await reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  const end = async (login: Login) => {
    const sure = await confirm({
      title: `下线 ${deviceOf(login.userAgent)}？`,
      text: `该设备（${login.ip}）需要重新登录才能继续使用`,
      confirmText: '下线',
      danger: true,
    })
    if (sure) ending.mutate(login)
  }
  if (logins.isError)
    return (
      <div className={styles.none} role="alert">
        <p>{messageOf(logins.error)}</p>
        <Button onClick={() => void logins.refetch()}>重试</Button>
      </div>
    )
  return (
    <ul className={styles.logins} aria-busy={logins.isPending}>
      {logins.data?.rows.map(login => (
        <li key={login.id}>
          <div>
            <b>{deviceOf(login.userAgent)}</b>
            {login.current && <StatusTag tone="done">当前设备</StatusTag>}
          </div>
          <dl>
            <dt>IP</dt>
            <dd className={look.number}>{login.ip}</dd>
            <dt>登录时间</dt>
            <dd>
              <Instant at={login.createdAt} />
            </dd>
            <dt>最近活动</dt>
            <dd>
              <Instant at={login.lastSeenAt} />
            </dd>
          </dl>
          {!login.current && (
            <Button
              aria-label={`下线 ${deviceOf(login.userAgent)}`}
              busy={ending.isPending && ending.variables.id === login.id}
              onClick={() => void end(login)}
            >
              下线
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
