import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import { downloadsApi, type FileRow, fileAddress } from './downloadsApi.tsx'
import { DOWNLOADS } from './fields.ts'
import { sizeWords } from './rules.ts'

const FileDialog = lazy(() => import('./FileDialog.tsx'))

/** What staff offer for download, withdrawn files too. */
export default function FilesPage() {
  const mayEdit = usePermission('downloads.edit')
  const [edited, setEdited] = useState<{ row: FileRow | null } | null>(null)
  const turn = useWithdrawal()
  const history = useHistory()
  return (
    <>
      <List
        of={DOWNLOADS}
        from={downloadsApi.list}
        cells={CELLS}
        main={
          <Permit permission="downloads.edit">
            <Button kind="primary" onClick={() => setEdited({ row: null })}>
              上传文件
            </Button>
          </Permit>
        }
        onOpen={mayEdit ? row => setEdited({ row }) : undefined}
        rowActions={row => [
          ...(mayEdit
            ? [
                { key: 'edit', label: '编辑', onClick: () => setEdited({ row }) },
                {
                  key: 'turn',
                  label: row.withdrawnAt === null ? '下架' : '恢复',
                  onClick: () => void turn(row),
                },
              ]
            : []),
          row.fileId === null
            ? { key: 'file', label: '打开链接', reads: true, href: row.link }
            : { key: 'file', label: '下载', reads: true, href: fileAddress(row.id) },
          ...history.actionsOf({ kind: 'download', id: row.id, name: `${row.name} ${row.version}` }),
        ]}
        actionsWidth={136}
      />
      {history.drawer}
      <Suspense>{edited && <FileDialog row={edited.row} onClose={() => setEdited(null)} />}</Suspense>
    </>
  )
}

function useWithdrawal(): (row: FileRow) => Promise<void> {
  const change = useMutation({
    mutationFn: ({ id, withdrawnAt }: FileRow) => downloadsApi.withdraw({ id, on: withdrawnAt === null }),
    onSuccess: (_answer, { withdrawnAt }) => {
      toast.success(withdrawnAt === null ? '已下架' : '已恢复')
      return reread()
    },
    onError: error => toast.error(refusalOf(error)?.message ?? '操作失败'),
  })
  return async row => {
    if (change.isPending) return
    const question = {
      title: `下架「${row.name} ${row.version}」？`,
      text: '下架后下载中心看不到它，可以再次恢复',
      confirmText: '下架',
    }
    if (row.withdrawnAt !== null || (await confirm(question))) change.mutate(row)
  }
}

const CELLS = {
  withdrawnAt: {
    copy: undefined,
    render: ({ withdrawnAt }: FileRow) =>
      withdrawnAt === null ? '在架' : <StatusTag tone="neutral">已下架</StatusTag>,
  },
  byteSize: (row: FileRow) => (row.fileId === null ? '—' : sizeWords(row.byteSize)),
}
