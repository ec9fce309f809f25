import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { type BoardData, programVersionsApi } from './programVersionsApi.tsx'
import styles from './versions.module.css'

/** The vendor's templates for this kind of mini program; the newest is proposed. */
export default function CodeDialog({
  data: { id, live },
  onClose,
}: {
  data: BoardData
  onClose: () => void
}) {
  const list = useQuery({
    ...programVersionsApi.templates.query({ id }),
    refetchOnWindowFocus: false,
    retry: false,
  })
  const set = useMutation({
    mutationFn: (templateId: number) => programVersionsApi.setCode({ id, templateId }),
    onSuccess: () => {
      toast.success('正在设置代码')
      onClose()
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('programVersions')
    },
  })
  return (
    <Dialog title={live ? '升级小程序代码' : '设置小程序代码'} busy={set.isPending} onClose={onClose}>
      <div className={styles.told}>
        <p className={styles.quiet}>
          代码提交后成为体验版，顾客看到的线上版不变。系统会接着设置服务器域名与隐私保护指引。
        </p>
        {list.isError ? (
          <LoadFailure error={list.error} onRetry={() => void list.refetch()} />
        ) : !list.data ? (
          <LoadingLines lines={4} />
        ) : list.data.templates.length === 0 ? (
          <p>没有适合该类别的代码模板，请联系平台管理员</p>
        ) : (
          <ul className={styles.list} aria-label="代码模板">
            {list.data.templates.map(({ templateId, version, description, createdAt }, place) => (
              <li key={templateId}>
                <span className={styles.version}>{version}</span>
                <span className={styles.quiet}>
                  模板 {templateId} · {description} · <Instant at={createdAt} />
                </span>
                <Button
                  changes
                  kind={place === 0 ? 'primary' : 'plain'}
                  busy={set.isPending}
                  onClick={() => set.mutate(templateId)}
                >
                  使用 {version}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
