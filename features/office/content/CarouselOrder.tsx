import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import OrderDialog from '#web/form/OrderDialog.tsx'
import { REORDER_MOST } from './rules.ts'
import { contentApi } from './Shown.tsx'

/** Puts the carousel in order. */
export default function CarouselOrder({ onClose }: { onClose: () => void }) {
  const list = useQuery({
    ...contentApi.list.query({ kind: 'carousel', page: 1, size: REORDER_MOST }),
    staleTime: 0,
    gcTime: 0,
  })
  const rows = (list.data?.rows ?? []).map(({ id, title, enabled }) => ({
    id,
    title,
    note: enabled ? undefined : '已停用',
  }))
  return (
    <OrderDialog
      title="调整轮播图顺序"
      rows={rows}
      failure={list.isError ? messageOf(list.error) : undefined}
      onSave={ids => contentApi.reorder({ ids })}
      onClose={onClose}
    />
  )
}
