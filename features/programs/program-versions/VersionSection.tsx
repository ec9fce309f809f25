import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { useFlowReadAgain } from '#features/programs/program-flow/useFlowReadAgain.tsx'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm, type Question } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { AUDIT_TONES } from './fields.ts'
import { type AuditData, type BoardData, programVersionsApi as from } from './programVersionsApi.tsx'
import { AUDIT_STATES, DEEDS, LIMITS } from './rules.ts'
import { TrainNote } from './slots.tsx'
import styles from './versions.module.css'

const CodeDialog = lazy(() => import('./CodeDialog.tsx'))
const PreflightDialog = lazy(() => import('./PreflightDialog.tsx'))
const PictureDialog = lazy(() => import('./PictureDialog.tsx'))
const RollBackDialog = lazy(() => import('./RollBackDialog.tsx'))
const TestersDialog = lazy(() => import('./TestersDialog.tsx'))

const LOOK_EVERY_MS = 2_000
const RELOOK_EVERY_MS = 10_000

type Opened =
  | 'testers'
  | 'code'
  | 'preflight'
  | 'trial'
  | 'live'
  | 'rollBack'
  | { screenshotsOf: number }
  | null

/** The versions of one mini program: live, in audit and trial, what is left of each quota, and what can be done (issue of D2 §2 21). */
export default function VersionSection({ id }: { id: number }) {
  const data = useQuery({
    ...from.details.query({ id }),
    refetchInterval: ({ state: { data } }) =>
      data?.deed ? LOOK_EVERY_MS : data?.state === 'inAudit' && RELOOK_EVERY_MS,
  })
  const stands = data.data && `${data.data.deed} ${data.data.state} ${data.data.audits[0]?.state}`
  useFlowReadAgain(stands)
  if (data.isError && !data.data)
    return <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
  if (!data.data) return <LoadingLines lines={6} />
  return data.data.hasBoard ? <Board data={data.data} /> : null
}

function Board({ data }: { data: BoardData }) {
  const { id, message, deed } = data
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <section className={styles.part} aria-label="版本管理">
      <div className={styles.head}>
        <h2>版本管理</h2>
        {data.readAt && (
          <span className={styles.quiet}>
            读取于 <Instant at={data.readAt} />
          </span>
        )}
      </div>
      <TrainNote id={id} />
      <Versions data={data} />
      {message !== '' && (
        <p className={styles.message} role="status">
          {message}
        </p>
      )}
      {deed && (
        <p className={styles.quiet} role="status">
          {DEEDS[deed]}：正在等待微信答复…
        </p>
      )}
      <Deeds data={data} open={setOpened} />
      <Gauges data={data} />
      <Audits data={data} onLook={screenshotsOf => setOpened({ screenshotsOf })} />
      <Suspense>
        {opened === 'code' && <CodeDialog data={data} onClose={close} />}
        {opened === 'preflight' && (
          <PreflightDialog data={data} onCode={() => setOpened('code')} onClose={close} />
        )}
        {opened === 'rollBack' && <RollBackDialog data={data} onClose={close} />}
        {opened === 'testers' && <TestersDialog id={id} onClose={close} />}
        {opened === 'trial' && (
          <PictureDialog
            title="体验二维码"
            note={`体验版 ${data.trial?.version ?? ''}，仅体验者可以扫码打开`}
            query={from.trialCode.query({ id })}
            onClose={close}
          />
        )}
        {opened === 'live' && (
          <PictureDialog
            title="小程序码"
            note={`线上版 ${data.live?.version ?? ''}，顾客可以扫码打开`}
            query={from.liveCode.query({ id })}
            onClose={close}
          />
        )}
        {opened !== null && typeof opened === 'object' && (
          <PictureDialog
            title="审核截图"
            query={from.screenshots.query({ id, auditId: opened.screenshotsOf })}
            onClose={close}
          />
        )}
      </Suspense>
    </section>
  )
}

function Versions({ data }: { data: BoardData }) {
  const audit = data.audits.find(({ isCurrent }) => isCurrent)
  return (
    <ul className={styles.board}>
      <Version title="线上版" version={data.live?.version} at={data.live?.at} none="还没有发布" />
      <Version title="审核版" version={audit?.version} at={audit?.submittedAt} none="没有提交审核">
        {audit && <StatusTag tone={AUDIT_TONES[audit.state]}>{AUDIT_STATES[audit.state]}</StatusTag>}
        {audit?.isSpedUp && <span className={styles.quiet}>已加急</span>}
      </Version>
      <Version title="体验版" version={data.trial?.version} at={data.trial?.at} none="还没有设置代码" />
    </ul>
  )
}

function Version({
  title,
  version,
  at,
  none,
  children,
}: {
  title: string
  version: string | undefined
  at: string | undefined
  none: string
  children?: ReactNode
}) {
  return (
    <li>
      <h3>{title}</h3>
      {version === undefined ? (
        <span>{none}</span>
      ) : (
        <>
          <span className={styles.version}>{version}</span>
          {at && <Instant at={at} />}
          {children}
        </>
      )}
    </li>
  )
}

/** What can be done now; what cannot, is not offered. */
function Deeds({ data, open }: { data: BoardData; open: (opened: Opened) => void }) {
  const { id, may, deed, state } = data
  const audit = data.audits.find(({ isCurrent }) => isCurrent)
  const step = useMutation({
    mutationFn: async ({ send, told }: { send: () => Promise<unknown>; told: string }) => {
      await send()
      toast.success(told)
      await reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('programVersions')
    },
  })
  const take = (told: string, send: () => Promise<unknown>) => step.mutate({ told, send })
  const sure = async (question: Question, told: string, send: () => Promise<unknown>) => {
    if (await confirm(question)) take(told, send)
  }
  const isBusy = step.isPending || (deed !== null && deed !== 'read')
  const { auditId = 0, version = '' } = audit ?? {}
  const left = data.withdrawals
  return (
    <div className={styles.steps}>
      <Permit permission="programFlow.edit">
        {may.release && (
          <Button
            kind="primary"
            busy={isBusy}
            onClick={() =>
              void sure(
                {
                  title: `发布版本 ${version}`,
                  text: `顾客打开小程序将使用 ${version}${data.live ? `，当前线上版 ${data.live.version} 被替换，之后可以回退一次` : ''}。小程序发布后不能由平台改名。`,
                  confirmText: '发布',
                },
                '正在发布',
                () => from.release({ id, auditId }),
              )
            }
          >
            发布
          </Button>
        )}
        {may.submit && (
          <Button changes kind="primary" busy={isBusy} onClick={() => open('preflight')}>
            自检并提交审核
          </Button>
        )}
        {may.setCode && (
          <Button
            changes
            kind={data.version === '' ? 'primary' : 'plain'}
            busy={isBusy}
            onClick={() => open('code')}
          >
            {state === 'released' ? '升级' : data.version === '' ? '设置代码' : '重新设置代码'}
          </Button>
        )}
        {may.speedUp && (
          <Button
            changes
            busy={isBusy}
            onClick={() =>
              void sure(
                {
                  title: '加急审核',
                  text: `将使用一次加急额度${data.quota ? `，还剩 ${data.quota.speedUpsLeft} 次` : ''}。加急后仍由微信审核，用掉的额度不退回。`,
                  confirmText: '加急',
                },
                '正在加急',
                () => from.speedUp({ id, auditId }),
              )
            }
          >
            加急
          </Button>
        )}
        {may.withdraw && (
          <Button
            changes
            busy={isBusy}
            onClick={() =>
              void sure(
                {
                  title: `撤回版本 ${version} 的审核`,
                  text: `审核停止，已用的提审次数不退回。今天已撤回 ${left.today} 次（每天最多 ${LIMITS.withdrawalsADay} 次），本月 ${left.thisMonth} 次（最多 ${LIMITS.withdrawalsAMonth} 次）。`,
                  confirmText: '撤回',
                  danger: true,
                },
                '正在撤回',
                () => from.withdraw({ id, auditId }),
              )
            }
          >
            撤回审核
          </Button>
        )}
        {may.rollBack && (
          <Button changes busy={isBusy} onClick={() => open('rollBack')}>
            回退版本
          </Button>
        )}
        <Button changes kind="quiet" busy={isBusy} onClick={() => take('正在读取', () => from.look({ id }))}>
          读取版本
        </Button>
      </Permit>
      {data.isAuthorized && (
        <Button kind="quiet" onClick={() => open('testers')}>
          体验者
        </Button>
      )}
      {data.isAuthorized && data.trial && (
        <Button kind="quiet" onClick={() => open('trial')}>
          体验二维码
        </Button>
      )}
      {data.isAuthorized && data.live && (
        <Button kind="quiet" onClick={() => open('live')}>
          小程序码
        </Button>
      )}
    </div>
  )
}

function Gauges({ data: { quota, withdrawals } }: { data: BoardData }) {
  return (
    <dl className={styles.gauges} aria-label="额度">
      {quota && (
        <>
          <Gauge label="本月提审" left={quota.left} of={quota.limit} />
          <Gauge label="加急" left={quota.speedUpsLeft} of={quota.speedUpLimit} />
        </>
      )}
      <Gauge
        label="今日撤回"
        left={Math.max(LIMITS.withdrawalsADay - withdrawals.today, 0)}
        of={LIMITS.withdrawalsADay}
      />
      <Gauge
        label="本月撤回"
        left={Math.max(LIMITS.withdrawalsAMonth - withdrawals.thisMonth, 0)}
        of={LIMITS.withdrawalsAMonth}
      />
    </dl>
  )
}

const FEW = 0.2

function Gauge({ label, left, of }: { label: string; left: number; of: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span>
          还剩 {left} / {of} 次
        </span>
        <meter min={0} max={of} low={of * FEW} optimum={of} value={left} aria-label={label} />
      </dd>
    </div>
  )
}

function Audits({ data: { audits }, onLook }: { data: BoardData; onLook: (auditId: number) => void }) {
  if (audits.length === 0) return null
  return (
    <ol className={styles.list} aria-label="审核记录">
      {audits.map(audit => (
        <li key={audit.auditId}>
          <StatusTag tone={AUDIT_TONES[audit.state]}>{AUDIT_STATES[audit.state]}</StatusTag>
          <span>
            {audit.version} · {audit.submittedByName} <Instant at={audit.submittedAt} />
            {endOf(audit)}
          </span>
          {audit.hasScreenshots && (
            <Button kind="link" onClick={() => onLook(audit.auditId)}>
              查看截图
            </Button>
          )}
        </li>
      ))}
    </ol>
  )
}

const endOf = ({ state, reason }: AuditData) =>
  reason !== '' ? `：${reason}` : state === 'refused' ? '：微信没有说明原因' : ''
