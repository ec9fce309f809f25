import { useMutation, useQuery } from '@tanstack/react-query'
import { FactorsSection } from '#features/office/factors/FactorsSection.tsx'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure } from '#web/form/LoadStates.tsx'
import { OwnAffairs } from '#web/shell/OwnAffairs.tsx'
import type { signIn } from './contract.ts'
import { KEPT_DAYS, PASSWORD_PATH } from './rules.ts'
import { SignInHistory } from './SignInHistory.tsx'
import styles from './sign-in.module.css'
import { OtherDoors } from './slots.tsx'

const signInApi = api<typeof signIn>('signIn')

type Login = Out<typeof signIn.sessions>['rows'][number]

/** One's password, where one is signed in, and who came to the door. */
export default function SecurityPage() {
  const keptDays = useLimit(KEPT_DAYS)
  return (
    <OwnAffairs>
      <div className={`${look.page} ${styles.security}`}>
        <h1 className={look.pageTitle}>登录与安全</h1>
        <section aria-labelledby="password-title" className={styles.password}>
          <div>
            <h2 id="password-title" className={look.sectionTitle}>
              登录密码
            </h2>
            <p className={look.quiet}>越长越安全，且不要与其他网站相同</p>
          </div>
          <Link to={PASSWORD_PATH} className={buttonLook()}>
            修改密码
          </Link>
        </section>
        <FactorsSection onSet={() => void offerToEndOthers()} onRemoved={() => void offerToEndOthers()} />
        <OtherDoors />
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
          <p className={look.quiet}>最近 {keptDays} 天登录和尝试登录本账号的情况</p>
          <SignInHistory />
        </section>
      </div>
    </OwnAffairs>
  )
}

/** Whoever was signed in by the former factors may be somebody else. */
async function offerToEndOthers(): Promise<void> {
  const { rows } = await signInApi.sessions().catch((error: unknown) => {
    toast.error(messageOf(error))
    return { rows: [] }
  })
  const others = rows.filter(({ current }) => !current).length
  if (others === 0) return
  const sure = await confirm({
    title: '同时下线其他设备？',
    text: `二次验证已变更。其他 ${others} 台设备仍登录着，如不确定都是您本人，请全部下线`,
    confirmText: '全部下线',
    cancelText: '保持登录',
    danger: true,
  })
  if (sure) await endOthers()
}

async function endOthers(): Promise<void> {
  try {
    await signInApi.endOtherSessions()
    toast.success('已下线')
    await reread()
  } catch (error) {
    toast.error(messageOf(error))
  }
}

function Logins() {
  const logins = useQuery(signInApi.sessions.query())
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
  const endingOthers = useMutation({ mutationFn: endOthers })
  const others = logins.data?.rows.filter(({ current }) => !current).length ?? 0
  const askEndOthers = async () => {
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
                changes
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
          <Button changes busy={endingOthers.isPending} onClick={() => void askEndOthers()}>
            下线其他全部设备
          </Button>
        </div>
      )}
    </>
  )
}
