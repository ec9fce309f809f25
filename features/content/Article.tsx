import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import { Instant } from '#web/format.tsx'
import { useMayOpen } from '#web/session.ts'
import { OwnLink } from './OwnLink.tsx'
import { contentApi } from './Shown.tsx'

/** A notice or release note in whole. */
export default function Article({ id, title, onClose }: { id: number; title: string; onClose: () => void }) {
  const item = useQuery({ queryKey: ['content', 'item', id], queryFn: () => contentApi.item({ id }) })
  const mayOpen = useMayOpen(item.data?.link ?? '')
  return (
    <Dialog title={item.data?.title ?? title} width={640} onClose={onClose}>
      <div className="article">
        {item.isError ? (
          <div className="shown-none" role="alert">
            <p>{messageOf(item.error)}</p>
            <Button onClick={() => void item.refetch()}>重试</Button>
          </div>
        ) : item.isPending ? (
          <div className="shown-wait" role="status" aria-label="加载中" />
        ) : (
          <>
            <p className="quiet-text">
              <Instant at={item.data.publishedAt} />
            </p>
            <p className="article-body">{item.data.body}</p>
            {mayOpen && <OwnLink href={item.data.link}>前往相关页面</OwnLink>}
          </>
        )}
      </div>
    </Dialog>
  )
}
