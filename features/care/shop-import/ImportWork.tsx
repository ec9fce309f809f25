import { lazy, useState } from 'react'
import { formatCount } from '#kit/money.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import { BackRequest } from './BackRequest.tsx'
import { IMPORT_FIELDS } from './fields.ts'
import styles from './import.module.css'
import { act, Counted, fileAddress, type ImportDetails, importApi } from './importApi.tsx'
import { IMPORT_REFUSALS, PASSWORD_DAYS, percentOf, refuseStep } from './rules.ts'

const RollBackDialog = lazy(async () => ({ default: (await import('./TextDialogs.tsx')).RollBackDialog }))

/** Once it began: how far it is, how it goes on, its files, and the way back. */
export function ImportWork({ data }: { data: ImportDetails }) {
  const mayChange = usePermission('shopImport.import')
  const [asking, setAsking] = useState(false)
  const { id, state, counts } = data
  const isBack = state === 'rolling' || state === 'rolledBack'
  const done = isBack ? data.takenBack + counts.kept : data.created + data.failed
  const all = isBack ? data.created : done + counts.fine
  const isAsked = data.back.approval !== null && data.back.request?.state === 'pending'
  const noWayBack = data.rollBackRefusal ?? (isAsked ? IMPORT_REFUSALS.ROLL_BACK_ASKED : null)
  const notMade = counts.rows - counts.created
  return (
    <section className={styles.draft} aria-label="进度">
      {state !== 'dropped' && (
        <div className={styles.progress} aria-live="polite">
          <progress
            value={done}
            max={Math.max(1, all)}
            aria-label={isBack ? '已撤回的店铺' : '已导入的店铺'}
          />
          <p>
            {isBack ? '已撤回' : '已处理'} {formatCount(done)} / {formatCount(all)}（{percentOf(done, all)}%）
          </p>
        </div>
      )}
      {data.problem && (
        <p role="alert" className={styles.problem}>
          {data.problem}
        </p>
      )}
      <dl className={styles.figures}>
        <Counted label={IMPORT_FIELDS.created.label} count={data.created} />
        <Counted label={IMPORT_FIELDS.failed.label} count={data.failed} tone="problem" />
        <Counted label={IMPORT_FIELDS.skipped.label} count={data.skipped} />
        {data.rollBackAt && <Counted label={IMPORT_FIELDS.takenBack.label} count={data.takenBack} />}
      </dl>
      {data.passwords > 0 && (
        <p className={look.quiet}>
          {formatCount(data.passwords)} 家店铺的初始密码由系统生成，在导入结果里，{PASSWORD_DAYS}{' '}
          天后不再提供。
        </p>
      )}
      {mayChange && (
        <div className={styles.acts}>
          {refuseStep(state, 'stop') === null && (
            <Button changes onClick={() => void act(() => importApi.stop({ id }), '已停止')}>
              停止
            </Button>
          )}
          {refuseStep(state, 'resume') === null && (
            <Button kind="primary" onClick={() => void act(() => importApi.resume({ id }), '已继续')}>
              继续导入
            </Button>
          )}
          {state !== 'dropped' && state !== 'running' && (
            <>
              {notMade > 0 && (
                <FileLink href={fileAddress(id, 'failed')} rows={notMade}>
                  下载未导入的行
                </FileLink>
              )}
              <FileLink href={fileAddress(id, 'results')} rows={null}>
                下载导入结果
              </FileLink>
            </>
          )}
          {refuseStep(state, 'rollBack') === null && (
            <Button changes disabled={noWayBack} onClick={() => setAsking(true)}>
              {data.back.approval === null ? '整批撤回' : '申请整批撤回'}
            </Button>
          )}
          {noWayBack && refuseStep(state, 'rollBack') === null && <p className={styles.why}>{noWayBack}</p>}
        </div>
      )}
      <BackRequest data={data} />
      <Suspense>{asking && <RollBackDialog data={data} onClose={() => setAsking(false)} />}</Suspense>
    </section>
  )
}
