import { useQuery } from '@tanstack/react-query'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { TRAIN_SHOP_FIELDS } from './fields.ts'
import { releaseTrainsApi } from './releaseTrainsApi.tsx'
import { isEnded, TRAIN_SHOP_STATES } from './rules.ts'
import styles from './trains.module.css'

const LOOK_EVERY_MS = 10_000

/** At a mini program: that the vendor releases it together with many others, and how far that is. */
export default function TrainNote({ id }: { id: number }) {
  const { data } = useQuery({
    ...releaseTrainsApi.ofProgram.query({ id }),
    refetchInterval: ({ state: { data } }) =>
      data?.train != null && !isEnded(data.train.state) && LOOK_EVERY_MS,
  })
  const train = data?.train
  if (!train) return null
  const { trainId, version, wave, state, reason, changedAt } = train
  return (
    <p className={styles.trainNote}>
      <StatusTag tone={TRAIN_SHOP_FIELDS.state.tones[state]}>{TRAIN_SHOP_STATES[state]}</StatusTag>
      <span>
        {isEnded(state)
          ? `平台分批发布 ${version}（第 ${wave} 批）`
          : `平台正在分批发布 ${version}（第 ${wave} 批），设置代码、提交审核与发布自动完成`}
        {reason !== '' && `：${reason}`} <Instant at={changedAt} />
      </span>
      <Permit permission="releaseTrains.list">
        <Link to="/admin/schedule/releaseTrain" search={{ id: trainId }}>
          查看任务
        </Link>
      </Permit>
    </p>
  )
}
