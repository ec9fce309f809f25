import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { useMayOpen } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import styles from './content.module.css'
import { OwnLink } from './OwnLink.tsx'
import { contentApi } from './Shown.tsx'

/** A notice in whole. */
export default function Article({ id, title, onClose }: { id: number; title: string; onClose: () => void }) {
  const item = useQuery(contentApi.item.query({ id }))
  const mayOpen = useMayOpen(item.data?.link ?? '')
  return (
    <Dialog title={item.data?.title ?? title} width={640} onClose={onClose}>
      <div className={styles.article}>
        {item.isError ? (
          <div className={styles.shownNone} role="alert">
            <p>{messageOf(item.error)}</p>
            <Button onClick={() => void item.refetch()}>重试</Button>
          </div>
        ) : item.isPending ? (
          <div className={styles.shownWait} role="status" aria-label="加载中" />
        ) : (
          <>
            <p className={look.quiet}>
              <Instant at={item.data.publishedAt} />
            </p>
            <p className={styles.articleBody}>{item.data.body}</p>
            {mayOpen && <OwnLink href={item.data.link}>前往相关页面</OwnLink>}
          </>
        )}
      </div>
    </Dialog>
  )
}
