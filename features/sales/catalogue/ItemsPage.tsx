import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { PageViews } from '#web/shell/PageViews.tsx'
import type { catalogue, ItemRow } from './contract.ts'
import { ITEMS } from './fields.ts'
import { Groups } from './Groups.tsx'
import { useResume } from './useResume.tsx'

const catalogueApi = api<typeof catalogue>('catalogue')
const ItemDialog = lazy(() => import('./ItemDialog.tsx'))
const RetireItemDialog = lazy(() => import('./RetireItemDialog.tsx'))

type Open = { what: 'add' } | { what: 'edit' | 'retire'; row: ItemRow }

/** Services and packages, and the groups that services stand in; their later prices stand elsewhere. */
export default function ItemsPage() {
  return (
    <PageViews
      label="服务与套餐"
      views={[
        { key: 'items', name: '服务与套餐', content: <Items /> },
        { key: 'groups', name: '服务分类', content: <Groups /> },
      ]}
    />
  )
}

function Items() {
  const mayEdit = usePermission('catalogue.editItems')
  const [open, setOpen] = useState<Open | null>(null)
  const resume = useResume(
    ({ itemKind, id, revision }: ItemRow) => catalogueApi.resumeItem({ itemKind, id, revision }),
    '恢复后，代理商即可按现价购买。',
  )
  const history = useHistory()
  const close = () => setOpen(null)
  const add = mayEdit && (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新增服务或套餐
    </Button>
  )
  return (
    <>
      <List
        of={ITEMS}
        from={catalogueApi.items}
        rowKey={rowKey}
        main={add}
        emptyAction={add || undefined}
        onOpen={mayEdit ? row => setOpen({ what: 'edit', row }) : undefined}
        rowActions={row => [
          ...(mayEdit
            ? [
                { key: 'edit', label: '编辑', onClick: () => setOpen({ what: 'edit', row }) },
                row.enabled
                  ? { key: 'retire', label: '停售', onClick: () => setOpen({ what: 'retire', row }) }
                  : { key: 'resume', label: '恢复销售', onClick: () => void resume(row) },
              ]
            : []),
          ...history.actionsOf({ kind: 'setting', id: `item ${rowKey(row)}`, name: row.name }),
        ]}
        actionsWidth={152}
      />
      {history.drawer}
      <Suspense>
        {open?.what === 'add' && <ItemDialog row={null} onClose={close} />}
        {open?.what === 'edit' && <ItemDialog row={open.row} onClose={close} />}
        {open?.what === 'retire' && <RetireItemDialog row={open.row} onClose={close} />}
      </Suspense>
    </>
  )
}

const rowKey = ({ itemKind, id }: ItemRow) => `${itemKind} ${id}`
