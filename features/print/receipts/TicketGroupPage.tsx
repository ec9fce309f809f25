import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { roving } from '#web/keys/roving.ts'
import { List } from '#web/list/List.tsx'
import type { Options } from '#web/list/options.ts'
import { useListParams } from '#web/list/useListParams.ts'
import { RECEIPT_TEMPLATES } from './fields.ts'
import { GroupCards } from './GroupCards.tsx'
import type { ReceiptDialog } from './ReceiptDialogs.tsx'
import styles from './receipts.module.css'
import { DESIGN_PATH, EDIT_PATH, LIST_PATH, type ReceiptRow, receiptsApi } from './receiptsApi.tsx'
import { useDeeds } from './useDeeds.tsx'

const ReceiptDialogs = lazy(() => import('./ReceiptDialogs.tsx'))

const INDUSTRIES: Options = {
  useRows: wanted => useQuery({ ...receiptsApi.industries.query(), enabled: wanted }).data?.rows,
}

/** System templates of receipts, and the groups that they are put together of (D3 §2). */
export default function TicketGroupPage() {
  const [{ tab }] = usePageSearch<typeof LIST_PATH>()
  return tab === 'groups' ? <GroupCards tabs={<TicketTabs at="groups" />} /> : <Templates />
}

const TABS = { list: '新小票样式', groups: '小票信息分组' } as const

function TicketTabs({ at }: { at: keyof typeof TABS }) {
  return (
    <nav {...roving} className={styles.pageTabs} aria-label="小票模板和分组">
      {(['list', 'groups'] as const).map(key => (
        <Link
          key={key}
          to={LIST_PATH}
          search={key === 'groups' ? { tab: 'groups' } : {}}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={key === at ? 'page' : undefined}
        >
          {TABS[key]}
        </Link>
      ))}
    </nav>
  )
}

function Templates() {
  const mayEdit = usePermission('receipts.edit')
  const mayPublish = usePermission('receipts.publish')
  const [{ deleted }] = useListParams(RECEIPT_TEMPLATES)
  const [opened, setOpened] = useState<{ what: ReceiptDialog; row: ReceiptRow } | null>(null)
  const navigate = useNavigate()
  const deeds = useDeeds()
  const history = useHistory()
  const go = (to: typeof EDIT_PATH | typeof DESIGN_PATH, { id }: ReceiptRow) =>
    void navigate({ to, search: { id } })
  const actionsOf = (row: ReceiptRow) => {
    const log = history.actionsOf({ kind: 'printTemplate', id: row.id, name: row.name })
    if (deleted)
      return [
        ...(mayEdit ? [{ key: 'undelete', label: '恢复', onClick: () => deeds.undelete(row) }] : []),
        ...log,
      ]
    return [
      ...(mayEdit ? [{ key: 'copy', label: '复制', onClick: () => deeds.copy(row) }] : []),
      { key: 'edit', label: mayEdit ? '编辑' : '查看', reads: true, onClick: () => go(EDIT_PATH, row) },
      ...(mayEdit ? [{ key: 'remove', label: '删除', danger: true, onClick: () => deeds.remove(row) }] : []),
      { key: 'design', label: '打印设计', reads: true, onClick: () => go(DESIGN_PATH, row) },
      ...(mayPublish
        ? [{ key: 'publish', label: '发布', onClick: () => setOpened({ what: 'publish', row }) }]
        : []),
      { key: 'usage', label: '使用店铺', reads: true, onClick: () => setOpened({ what: 'usage', row }) },
      { key: 'versions', label: '版本', reads: true, onClick: () => setOpened({ what: 'history', row }) },
      ...log,
    ]
  }
  return (
    <>
      <List
        of={RECEIPT_TEMPLATES}
        from={receiptsApi.list}
        options={{ industryId: INDUSTRIES }}
        summary={() => <TicketTabs at="list" />}
        main={
          <Permit permission="receipts.edit">
            <Link className={buttonLook('primary')} to={EDIT_PATH}>
              新增小票
            </Link>
          </Permit>
        }
        onOpen={row => go(EDIT_PATH, row)}
        rowActions={actionsOf}
        actionsWidth={184}
      />
      {history.drawer}
      <Suspense>{opened && <ReceiptDialogs {...opened} onClose={() => setOpened(null)} />}</Suspense>
    </>
  )
}
