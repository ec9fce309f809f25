import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './clearing.module.css'
import { act, type ClearingDetails, clearingApi, LOOK_AGAIN_MS } from './clearingApi.tsx'
import { CLEARING_FIELDS } from './fields.ts'
import { CLEARING_REFUSALS, isAtWork, refuseDecider, refuseRestore, refuseStep } from './rules.ts'

const ReasonDialog = lazy(() => import('./ReasonDialog.tsx'))

/** One clearing over its list: how far it is, who did what and why, and what can be done now. */
export default function ClearingDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const clearing = useQuery({
    ...clearingApi.details.query({ id }),
    refetchInterval: ({ state: { data } }) => (data && isAtWork(data.state) ? LOOK_AGAIN_MS : false),
  })
  const history = useHistory()
  const { data } = clearing
  return (
    <Drawer title="清空数据" onClose={onClose}>
      <DrawerBody>
        {data ? (
          <div className={styles.body}>
            <header className={styles.title}>
              <h3>
                {data.shopName}的{data.tableName}
              </h3>
              <StatusTag tone={CLEARING_FIELDS.state.tones[data.state]}>
                {CLEARING_FIELDS.state.words[data.state]}
              </StatusTag>
            </header>
            {isAtWork(data.state) && <Progress data={data} />}
            {data.problem && <p className={styles.problem}>{data.problem}</p>}
            <Deeds data={data}>
              {history
                .actionsOf({
                  kind: 'tableClearing',
                  id: data.id,
                  name: `${data.shopName}的${data.tableName}`,
                })
                .map(({ key, label, onClick }) => (
                  <Button key={key} kind="quiet" onClick={onClick}>
                    {label}
                  </Button>
                ))}
            </Deeds>
            <What data={data} />
            <Steps data={data} />
          </div>
        ) : clearing.isError ? (
          <LoadFailure error={clearing.error} onRetry={() => void clearing.refetch()} />
        ) : (
          <LoadingLines lines={8} />
        )}
      </DrawerBody>
      {history.drawer}
    </Drawer>
  )
}

const STAGES: readonly string[] = ['asked', 'backingUp', 'backedUp', 'emptying']

function Progress({ data }: { data: ClearingDetails }) {
  const stage = STAGES.indexOf(data.state)
  const isBack = data.state === 'restoring'
  return (
    <div className={styles.progress} role="status">
      <progress
        value={isBack ? data.percent : stage * 100 + data.percent}
        max={isBack ? 100 : STAGES.length * 100}
        aria-label={isBack ? '恢复进度' : '清空进度'}
      />
      <p>{CLEARING_FIELDS.state.words[data.state]}，完成前可以离开此页</p>
    </div>
  )
}

type Asking = 'restore' | 'reject'

function Deeds({ data, children }: { data: ClearingDetails; children: ReactNode }) {
  const { accountId } = useSession()
  const mayClear = usePermission('tableClearing.clear')
  const mayDecide = usePermission('tableClearing.approve')
  const [asking, setAsking] = useState<Asking | null>(null)
  const { id, rows, tableName, state } = data
  const decider = refuseDecider(data, accountId)
  const refused = decider && CLEARING_REFUSALS[decider]
  const restore = refuseRestore(data, new Date().toISOString())
  const isOffered = state === 'emptied' || state === 'expired'
  const approve = async () => {
    const isSure = await confirm({
      title: `同意清空「${data.shopName}」的${tableName}？`,
      text: `共 ${formatCount(rows)} 行，备份完成后立即清空。`,
      confirmText: '同意清空',
      danger: true,
    })
    if (isSure) await act(() => clearingApi.approve({ id, rows }), '已同意，正在备份')
  }
  return (
    <div className={styles.deeds}>
      {mayDecide && state === 'waiting' && (
        <>
          <Button changes kind="danger" disabled={refused} onClick={() => void approve()}>
            同意清空
          </Button>
          <Button changes disabled={refused} onClick={() => setAsking('reject')}>
            驳回
          </Button>
        </>
      )}
      {mayClear && isOffered && (
        <Button
          changes
          kind="primary"
          disabled={restore && CLEARING_REFUSALS[restore]}
          onClick={() => setAsking('restore')}
        >
          恢复数据
        </Button>
      )}
      {mayClear && refuseStep(state, 'cancel') === null && (
        <Button changes onClick={() => void act(() => clearingApi.cancel({ id }), '已取消')}>
          取消申请
        </Button>
      )}
      {children}
      <Suspense>
        {asking && <ReasonDialog data={data} asks={asking} onClose={() => setAsking(null)} />}
      </Suspense>
    </div>
  )
}

function What({ data }: { data: ClearingDetails }) {
  const rows = (count: number) => `${formatCount(count)} 行`
  return (
    <Facts>
      <Fact label="商户">
        <Link
          to="/admin/merchant/merchantDetails"
          search={{ user_id: data.merchantId }}
          className={look.inText}
        >
          {data.merchantId}
        </Link>{' '}
        <span className={look.quiet}>账号 {data.account}</span>
      </Fact>
      <Fact label="服务商">
        <AgentLink id={data.agentId}>
          {data.agentName}（{data.agentId}）
        </AgentLink>
      </Fact>
      <Fact label={CLEARING_FIELDS.rows.label}>{rows(data.rows)}</Fact>
      <Fact label={CLEARING_FIELDS.reason.label}>{data.reason}</Fact>
      <Fact label={CLEARING_FIELDS.askedByName.label}>
        {data.askedByName} {formatInstant(data.askedAt)}
      </Fact>
      {data.decidedByName && data.decidedAt && (
        <Fact label={CLEARING_FIELDS.decidedByName.label}>
          {data.decidedByName} {formatInstant(data.decidedAt)}
        </Fact>
      )}
      {data.decision && <Fact label={CLEARING_FIELDS.decision.label}>{data.decision}</Fact>}
      {data.backupRows !== null && data.checksum && (
        <Fact label="备份">
          {rows(data.backupRows)}，校验值 {data.checksum.slice(0, 8)}
        </Fact>
      )}
      {data.emptiedRows !== null && data.emptiedAt && (
        <Fact label="清空">
          {rows(data.emptiedRows)}，{formatInstant(data.emptiedAt)}
        </Fact>
      )}
      {data.expiresAt && <Fact label={CLEARING_FIELDS.expiresAt.label}>{formatInstant(data.expiresAt)}</Fact>}
      {data.restoreByName && (
        <Fact label={CLEARING_FIELDS.restoreByName.label}>
          {data.restoreByName}，{data.restoreReason}
        </Fact>
      )}
      {data.restoredRows !== null && data.restoredAt && (
        <Fact label="恢复">
          {rows(data.restoredRows)}，{formatInstant(data.restoredAt)}
          {data.besideRows ? `；清空后新增的 ${rows(data.besideRows)} 保留在旁` : ''}
        </Fact>
      )}
    </Facts>
  )
}

function Steps({ data: { events } }: { data: ClearingDetails }) {
  return (
    <section aria-labelledby="clearing-steps">
      <h4 id="clearing-steps" className={look.sectionTitle}>
        过程
      </h4>
      <ol className={styles.steps}>
        {events.map((event, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened stays where it stands.
          <li key={place}>
            <span>{event.text}</span>
            <span className={look.quiet}>
              {event.by} {formatInstant(event.at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
