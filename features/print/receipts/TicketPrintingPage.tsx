import { useQuery } from '@tanstack/react-query'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { useTabName } from '#web/shell/tab-name.ts'
import { RECEIPT_TEMPLATES } from './fields.ts'
import { ReceiptDesigner } from './ReceiptDesigner.tsx'
import styles from './receipts.module.css'
import { EDIT_PATH, idOf, receiptsApi } from './receiptsApi.tsx'

const AT_ONCE = 100

/** A template's receipts of every type on every paper, changed item by item and printed to try (D3 §2). */
export default function TicketPrintingPage() {
  const [{ id: asked }] = usePageSearch<'/admin/template/ticketPrinting'>()
  const navigate = useNavigate()
  const mayEdit = usePermission('receipts.edit')
  const list = useQuery(receiptsApi.list.query({ page: 1, size: AT_ONCE }))
  const id = idOf(asked) ?? list.data?.rows[0]?.id ?? null
  const details = useQuery({ ...receiptsApi.details.query({ id: id ?? 0 }), enabled: id !== null })
  useTabName(details.data?.name)
  const failed = [list, details].find(query => query.isError)
  const options = [
    ...(list.data?.rows ?? []),
    ...(details.data && !list.data?.rows.some(row => row.id === id) ? [details.data] : []),
  ].map(row => ({ value: row.id, label: row.name }))
  return (
    <TouchControls>
      <div className={look.page}>
        <header className={styles.head}>
          <h1 className={look.pageTitle}>小票打印设计</h1>
          <Select
            aria-label={RECEIPT_TEMPLATES.title}
            value={id ?? undefined}
            options={list.data && options}
            onChange={value =>
              value && void navigate({ to: '/admin/template/ticketPrinting', search: { id: value } })
            }
            placeholder="选择小票模板"
          />
        </header>
        {failed ? (
          <LoadFailure error={failed.error} onRetry={() => void failed.refetch()} />
        ) : list.data?.rows.length === 0 && id === null ? (
          <EmptyState title="暂无小票样式">
            {mayEdit && (
              <Link className={buttonLook('primary')} to={EDIT_PATH}>
                新增小票
              </Link>
            )}
          </EmptyState>
        ) : details.data ? (
          <ReceiptDesigner key={`${id} ${details.data.revision}`} receipt={details.data} mayEdit={mayEdit} />
        ) : (
          <LoadingLines lines={12} />
        )}
      </div>
    </TouchControls>
  )
}
