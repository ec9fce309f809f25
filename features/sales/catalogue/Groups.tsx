import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { catalogue } from './contract.ts'
import { GROUP, GROUP_FIELDS } from './fields.ts'
import { ItemsTable } from './ItemsTable.tsx'

const catalogueApi = api<typeof catalogue>('catalogue')

type GroupRow = Out<typeof catalogue.groups>['rows'][number]

/** Under which titles services are offered. */
export function Groups() {
  const mayEdit = usePermission('catalogue.editItems')
  const found = useQuery(catalogueApi.groups.query())
  const [editing, setEditing] = useState<GroupRow | 'new' | null>(null)
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>服务分类</h1>
      {found.isError ? (
        <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <LoadingLines />
      ) : (
        <ItemsTable
          title="增值服务的分类"
          rows={found.data.rows}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          columns={[
            { label: GROUP_FIELDS.name.label, cell: ({ name }) => name },
            { label: GROUP_FIELDS.remark.label, cell: ({ remark }) => remark || '—' },
            { label: '服务', align: 'right', cell: ({ services }) => `${services} 项` },
            { label: GROUP_FIELDS.position.label, align: 'right', cell: ({ position }) => position },
          ]}
          onEdit={mayEdit ? setEditing : undefined}
          main={mayEdit && <Button onClick={() => setEditing('new')}>新增分类</Button>}
          empty="还没有分类。新增分类后，在其中新增服务"
        />
      )}
      {editing && (
        <GroupDialog
          row={editing === 'new' ? null : editing}
          next={(found.data?.rows.at(-1)?.position ?? 0) + 100}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  )
}

type Props = { row: GroupRow | null; next: number; onClose: () => void }

function GroupDialog({ row, next, onClose }: Props) {
  return (
    <FormDialog
      title={row ? `编辑分类：${row.name}` : '新增分类'}
      submitText="保存分类"
      of={GROUP}
      known={row ?? { position: next }}
      send={async values => {
        await catalogueApi.saveGroup({
          ...values,
          seen: row && { id: row.id, revision: row.revision },
        })
        toast.success(row ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
