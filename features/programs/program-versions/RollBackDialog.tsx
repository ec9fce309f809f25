import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { type BoardData, programVersionsApi } from './programVersionsApi.tsx'
import styles from './versions.module.css'

/** Releases before the live one, and what going back to one of them means. */
export default function RollBackDialog({ data, onClose }: { data: BoardData; onClose: () => void }) {
  const { id, live, releases } = data
  const back = useMutation({
    mutationFn: (appVersion: number) => programVersionsApi.rollBack({ id, appVersion }),
    onSuccess: () => {
      toast.success('正在回退')
      onClose()
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('programVersions')
    },
  })
  return (
    <Dialog title="回退版本" busy={back.isPending} onClose={onClose}>
      <div className={styles.told}>
        <p>
          顾客打开小程序将使用所选的旧版本，当前线上版 {live?.version} 停用。回退后不能再次回退，要恢复{' '}
          {live?.version} 须重新提交审核并发布。
        </p>
        <ul className={styles.list} aria-label="可以回退的版本">
          {releases.map(({ appVersion, version, description, committedAt }) => (
            <li key={appVersion}>
              <span className={styles.version}>{version}</span>
              <span className={styles.quiet}>
                {description} {committedAt && <Instant at={committedAt} />}
              </span>
              <Button changes busy={back.isPending} onClick={() => back.mutate(appVersion)}>
                回退到 {version}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
