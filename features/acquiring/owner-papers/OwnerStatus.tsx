import { formatInstant } from '#kit/time.ts'
import { look } from '#web/controls/look.ts'
import styles from './owner.module.css'
import type { OwnerFormData } from './ownerPapersApi.tsx'

/** How far what was handed in is. */
export default function OwnerStatus({ data, agentName }: { data: OwnerFormData; agentName: string }) {
  const isAdopted = data.state === 'adopted'
  const steps = [
    { label: '已签名提交', isDone: true, note: data.submittedAt ? formatInstant(data.submittedAt) : '' },
    {
      label: `${agentName}查看`,
      isDone: data.isSeen || isAdopted,
      note: data.isSeen || isAdopted ? '已查看' : '等待查看',
    },
    {
      label: '采用',
      isDone: isAdopted,
      note: isAdopted ? '资料已采用，正在办理收款开通' : '如需修改，会短信通知您打开原链接',
    },
  ]
  return (
    <section className={styles.card} aria-label="办理进度">
      <h2>{isAdopted ? '资料已采用' : '资料已提交'}</h2>
      <ol className={styles.steps}>
        {steps.map(({ label, isDone, note }) => (
          <li key={label} data-done={isDone || undefined}>
            <b>{label}</b>
            <small>{note}</small>
          </li>
        ))}
      </ol>
      <p className={look.quiet}>
        {isAdopted ? '可以关闭本页面。' : '可以关闭本页面，有效期内打开原链接查看进度。'}
      </p>
    </section>
  )
}
