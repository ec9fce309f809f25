import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { formatCount } from '#kit/money.ts'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { TRAIN_FIELDS as FIELDS, TRAIN_FORM } from './fields.ts'
import { Samples } from './NewTrainPage.tsx'
import { type GroupData, releaseTrainsApi, type TrainData } from './releaseTrainsApi.tsx'
import { movingOf, TRAIN_STATES, trainTakes } from './rules.ts'
import styles from './trains.module.css'
import { useTrainSteps } from './useTrainSteps.tsx'
import { WaveCard } from './WaveCard.tsx'

const CorrectionDialog = lazy(() => import('./CorrectionDialog.tsx'))
const LOOK_EVERY_MS = 2_000

/** One release: where it stands, its waves as a board, and what was refused alike. `?id=` in its address names it. */
export default function TrainPage() {
  const [{ id: asked }] = usePageSearch<'/admin/schedule/releaseTrain'>()
  const id = idAsked(asked)
  const data = useQuery({
    ...releaseTrainsApi.details.query({ id: id ?? 0 }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => data && isMoving(data) && LOOK_EVERY_MS,
  })
  return (
    <article className={`${look.page} ${styles.train}`}>
      {id === null ? (
        <NoTrain title="分批发布进度" />
      ) : data.isError && !data.data ? (
        <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
      ) : data.data ? (
        <Shown data={data.data} />
      ) : (
        <LoadingLines lines={10} />
      )}
    </article>
  )
}

/** Where the address names none. */
export function NoTrain({ title }: { title: string }) {
  return (
    <>
      <h1 className={look.pageTitle}>{title}</h1>
      <EmptyState title="没有选择任务" role="alert">
        <p>地址中没有任务的编号，请从小程序分批发布打开</p>
        <Link className={buttonLook('primary')} to="/admin/schedule/releaseTrains">
          返回小程序分批发布
        </Link>
      </EmptyState>
    </>
  )
}

const isMoving = ({ state, waveFigures }: TrainData) =>
  state === 'running' || waveFigures.some(({ counts }) => movingOf(counts) > 0)

function Shown({ data }: { data: TrainData }) {
  const { id, name, state, reason, waveFigures, groups, audits } = data
  const [correcting, setCorrecting] = useState<GroupData | null>(null)
  const steps = useTrainSteps()
  const history = useHistory()
  const ready = waveFigures.reduce((sum, { counts }) => sum + (counts.ready ?? 0), 0)
  return (
    <>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>{name}</h1>
        <StatusTag tone={FIELDS.state.tones[state]}>{TRAIN_STATES[state]}</StatusTag>
        <div className={styles.actions}>
          <Permit permission="releaseTrains.run">
            {trainTakes(state, 'resume') && (
              <Button kind="primary" busy={steps.isBusy} onClick={() => steps.resume(data)}>
                继续发布
              </Button>
            )}
            {trainTakes(state, 'pause') && (
              <Button changes busy={steps.isBusy} onClick={() => steps.pause(data)}>
                暂停
              </Button>
            )}
            {trainTakes(state, 'stop') && (
              <Button changes busy={steps.isBusy} onClick={() => void steps.stop(data)}>
                终止
              </Button>
            )}
          </Permit>
          <Link className={buttonLook()} to="/admin/schedule/releaseTrainShops" search={{ id }}>
            查看小程序
          </Link>
          {history.actionsOf({ kind: 'releaseTrain', id, name }).map(({ key, label, onClick }) => (
            <Button key={key} kind="quiet" onClick={onClick}>
              {label}
            </Button>
          ))}
        </div>
      </header>
      {reason !== '' && (
        <p className={styles.note} role="status">
          {FIELDS.reason.label}：{reason}。请处理未通过的小程序后继续，或终止任务。
        </p>
      )}
      {audits !== null && ready > audits.left && (
        <p className={styles.note} role="status">
          {formatCount(ready)} 家等待提交审核，微信本月提审还剩 {formatCount(audits.left)}{' '}
          次，有额度后自动提交。
        </p>
      )}
      <Facts>
        <Fact label={FIELDS.version.label}>
          {data.version}（{data.tag}，模板 {data.templateId}）
        </Fact>
        <Fact label="已发布 / 小程序">
          {formatCount(data.released)} / {formatCount(data.shops)} 家
        </Fact>
        <Fact label={FIELDS.refused.label}>{formatCount(data.refused)} 家</Fact>
        <Fact label="自动停止">
          {data.haltFrom} 家有结果后，未通过超过 {data.haltPercent}%
        </Fact>
        <Fact label="本月提审额度">
          {audits ? `还剩 ${formatCount(audits.left)} / ${formatCount(audits.limit)} 次` : '还没有读取'}
        </Fact>
        <Fact label="发起">
          {data.createdByName} <Instant at={data.createdAt} />
        </Fact>
        <Fact label={TRAIN_FORM.feedback.label}>{data.feedback}</Fact>
      </Facts>
      {groups.length > 0 && (
        <section className={styles.part} aria-labelledby="train-groups">
          <h2 id="train-groups">未通过原因</h2>
          <ul className={styles.groups}>
            {groups.map(group => (
              <li key={group.reasonKey}>
                <b className={look.number}>{formatCount(group.shops)} 家</b>
                <span>
                  {group.reason}
                  <Samples samples={group.samples} shops={group.shops} />
                </span>
                {state !== 'stopped' && (
                  <Permit permission="releaseTrains.run">
                    <Button changes onClick={() => setCorrecting(group)}>
                      修正并重新提交
                    </Button>
                  </Permit>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={styles.part} aria-labelledby="train-waves">
        <h2 id="train-waves">批次</h2>
        <ol className={styles.waves}>
          {waveFigures.map(({ wave, counts }) => (
            <WaveCard
              key={wave}
              trainId={id}
              wave={wave}
              counts={counts}
              isCurrent={wave === data.wave && state === 'running'}
              isBusy={steps.isBusy}
              onBack={() => void steps.rollBack(data, wave, counts.released ?? 0)}
            />
          ))}
        </ol>
      </section>
      <Suspense>
        {correcting && (
          <CorrectionDialog train={data} group={correcting} onClose={() => setCorrecting(null)} />
        )}
      </Suspense>
      {history.drawer}
    </>
  )
}
