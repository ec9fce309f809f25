import { PRINTERS_PATH } from '#kit/print/bridge/bridge.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import styles from './batch.module.css'
import { useBatch } from './batchStore.tsx'
import { DraftPart } from './DraftPart.tsx'
import { RunPart } from './RunPart.tsx'

/** Labels by the batch: rows in, paper out, each label once. */
export default function BatchPage() {
  const kept = useBatch()
  const maySetUp = usePermission('printing.desk')
  return (
    <div className={`${look.page} ${styles.page}`}>
      <header className={styles.head}>
        <h1 className={look.pageTitle}>批量打印标签</h1>
        {maySetUp && (
          <Link className={buttonLook()} to={PRINTERS_PATH}>
            打印设置
          </Link>
        )}
      </header>
      {kept ? <RunPart {...kept} /> : <DraftPart />}
    </div>
  )
}
