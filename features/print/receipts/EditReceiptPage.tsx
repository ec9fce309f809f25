import { useQuery } from '@tanstack/react-query'
import { usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useTabName } from '#web/shell/tab-name.ts'
import { ReceiptEditor } from './ReceiptEditor.tsx'
import { idOf, receiptsApi } from './receiptsApi.tsx'

/** A new receipt, or one that is there (`?id=`). */
export default function EditReceiptPage() {
  const [{ id: asked }] = usePageSearch<'/admin/template/editTicketStyle'>()
  const id = idOf(asked)
  const mayEdit = usePermission('receipts.edit')
  const groups = useQuery(receiptsApi.groups.query())
  const details = useQuery({ ...receiptsApi.details.query({ id: id ?? 0 }), enabled: id !== null })
  useTabName(details.data?.name)
  const failed = [groups, details].find(query => query.isError)
  const title = id === null ? '新增小票' : mayEdit ? '编辑小票' : '查看小票'
  return (
    <TouchControls>
      <div className={look.page}>
        {failed || !groups.data || details.isLoading || (id === null && !mayEdit) ? (
          <>
            <h1 className={look.pageTitle}>{title}</h1>
            {failed ? (
              <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
            ) : id === null && !mayEdit ? (
              <EmptyState title="您没有新增小票的权限" role="alert" />
            ) : (
              <LoadingLines lines={12} />
            )}
          </>
        ) : (
          <ReceiptEditor
            key={`${id} ${details.data?.revision}`}
            title={title}
            receipt={details.data ?? null}
            groups={groups.data.rows}
            mayEdit={mayEdit}
          />
        )}
      </div>
    </TouchControls>
  )
}
