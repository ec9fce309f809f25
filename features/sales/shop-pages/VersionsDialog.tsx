import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import type { PageSettings, shopPages } from './contract.ts'
import styles from './customization.module.css'
import { Preview } from './Preview.tsx'
import { isSame, PAGE_REFUSALS, type PageContent } from './rules.ts'

const shopPagesApi = api<typeof shopPages>('shopPages')

type Props = {
  versions: PageSettings['versions']
  agent: { name: string; logo: string | null }
  /** Something was typed that a restored version would take the place of. */
  isDirty: boolean
  onRestored: (content: PageContent) => void
  onClose: () => void
}

/** Everything that was ever published, by whom and when; each can be looked at and published again. */
export function VersionsDialog({ versions, agent, isDirty, onRestored, onClose }: Props) {
  const [newest] = versions
  const [number, setNumber] = useState(newest?.number)
  const shown = versions.find(version => version.number === number) ?? newest
  const restoring = useMutation({
    mutationFn: (wanted: number) => shopPagesApi.restore({ number: wanted }),
    onSuccess: async ({ number: made }, wanted) => {
      const content = versions.find(version => version.number === wanted)?.content
      if (content) onRestored(content)
      toast.success(`已恢复第 ${wanted} 版，发布为第 ${made} 版`)
      onClose()
      await reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  if (!newest || !shown) return null
  const restore = async () => {
    const text = `第 ${shown.number} 版的内容会作为新版本立即对商户可见${isDirty ? '，未保存的修改将丢失' : ''}。`
    if (await confirm({ title: `恢复第 ${shown.number} 版？`, text, confirmText: '恢复并发布' }))
      restoring.mutate(shown.number)
  }
  return (
    <Dialog title="历史版本" width={760} busy={restoring.isPending} onClose={onClose}>
      <div className={styles.versions}>
        <ol className={styles.versionList}>
          {versions.map(version => (
            <li key={version.number}>
              <button
                type="button"
                aria-pressed={version === shown}
                onClick={() => setNumber(version.number)}
              >
                <b>
                  第 {version.number} 版{version === newest && ' · 使用中'}
                </b>
                <small>
                  {version.publishedByName} <Instant at={version.publishedAt} />
                  {version.restoredFrom !== null && ` · 恢复自第 ${version.restoredFrom} 版`}
                </small>
              </button>
            </li>
          ))}
        </ol>
        <div className={styles.versionShown}>
          <Preview content={shown.content} agent={agent} small />
          <Button
            kind="primary"
            busy={restoring.isPending}
            disabled={isSame(shown.content, newest.content) && PAGE_REFUSALS.NOTHING_TO_PUBLISH}
            onClick={() => void restore()}
          >
            恢复此版本
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
