import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FactorsSection } from '#features/factors/FactorsSection.tsx'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import { Button, buttonLook } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import { Instant } from '#web/format.tsx'
import { look } from '#web/look.ts'
import { reread } from '#web/reread.ts'
import { StatusTag } from '#web/StatusTag.tsx'
import { toast } from '#web/toast.ts'
import type { signIn } from './contract.ts'
import { KEPT_DAYS, PASSWORD_PATH } from './rules.ts'
import { SignInHistory } from './SignInHistory.tsx'
import styles from './sign-in.module.css'

const signInApi = api<typeof signIn>('signIn')

type Login = Out<typeof signIn.sessions>['rows'][number]

/** One's password, where one is signed in, and who came to the door. */
export default function SecurityPage() {
  return (
    <div className={`${look.page} ${styles.security}`}>
      <h1 className={look.pageTitle}>登录与安全</h1>
      <section aria-labelledby="password-title" className={styles.password}>
        <div>
          <h2 id="password-title" className={look.sectionTitle}>
            登录密码
          </h2>
          <p className={look.quiet}>定期更换，且不要与其他网站相同</p>
        </div>
        <Link to={PASSWORD_PATH} className={buttonLook()}>
          修改密码
        </Link>
      </section>
      <FactorsSection />
      <section aria-labelledby="logins-title">
        <h2 id="logins-title" className={look.sectionTitle}>
          登录设备
        </h2>
        <p className={look.quiet}>如有不认识的设备，请将其下线</p>
        <Logins />
      </section>
      <section aria-labelledby="history-title">
        <h2 id="history-title" className={look.sectionTitle}>
          登录记录
        </h2>
        <p className={look.quiet}>最近 {KEPT_DAYS} 天登录和尝试登录本账号的情况</p>
        <SignInHistory />
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
      title: `下线 ${login.device}？`,
      text: `该设备（${login.place} ${login.ip}）需要重新登录才能继续使用`,
      confirmText: '下线',
      danger: true,
    })
    if (sure) ending.mutate(login)
  }
  const endingOthers = useMutation({
    mutationFn: () => signInApi.endOtherSessions(),
    onSuccess: async () => {
      toast.success('已下线')
      await reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  const others = logins.data?.rows.filter(({ current }) => !current).length ?? 0
  const endOthers = async () => {
    const sure = await confirm({
      title: '下线其他设备？',
      text: `其他 ${others} 台设备需要重新登录才能继续使用`,
      confirmText: '全部下线',
      danger: true,
    })
    if (sure) endingOthers.mutate()
  }
  if (logins.isError) return <LoadFailure error={logins.error} onRetry={() => void logins.refetch()} />
  return (
    <>
      <ul className={styles.logins} aria-busy={logins.isPending}>
        {logins.data?.rows.map(login => (
          <li key={login.id}>
            <div>
              <b>{login.device}</b>
              {login.current && <StatusTag tone="done">当前设备</StatusTag>}
            </div>
            <dl>
              <dt>地点</dt>
              <dd className={look.number}>
                {login.place} {login.ip}
              </dd>
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
                aria-label={`下线 ${login.device}`}
                busy={ending.isPending && ending.variables.id === login.id}
                onClick={() => void end(login)}
              >
                下线
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others > 1 && (
        <div className={styles.others}>
          <Button busy={endingOthers.isPending} onClick={() => void endOthers()}>
            下线其他全部设备
          </Button>
        </div>
      )}
    </>
  )
}
