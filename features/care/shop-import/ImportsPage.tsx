import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { IMPORTS } from './fields.ts'
import { act, type ImportRow, importApi } from './importApi.tsx'

const UploadDialog = lazy(() => import('./UploadDialog.tsx'))
const RemarkDialog = lazy(async () => ({ default: (await import('./TextDialogs.tsx')).RemarkDialog }))

/** Files of shops from other systems, the latest first. */
export default function ImportsPage() {
  const navigate = useNavigate()
  const mayChange = usePermission('shopImport.import')
  const [uploading, setUploading] = useState(false)
  const [remarked, setRemarked] = useState<ImportRow | null>(null)
  const open = (id: number) => void navigate({ to: '/admin/merchant/merchantImportDetail', search: { id } })
  return (
    <>
      <List
        of={IMPORTS}
        from={importApi.list}
        options={{ agentId: AGENT_OPTIONS }}
        onOpen={(row: ImportRow) => open(row.id)}
        main={
          <Permit permission="shopImport.import">
            <Button kind="primary" onClick={() => setUploading(true)}>
              上传表格
            </Button>
          </Permit>
        }
        rowActions={row => [
          {
            key: 'open',
            label: row.state === 'draft' ? '核对' : '查看',
            reads: true,
            onClick: () => open(row.id),
          },
          ...(mayChange
            ? [
                { key: 'remark', label: '备注', onClick: () => setRemarked(row) },
                {
                  key: 'active',
                  label: row.active ? '收起' : '恢复显示',
                  onClick: () =>
                    void act(
                      () => importApi.mark({ id: row.id, active: !row.active }),
                      row.active ? '已收起' : '已恢复显示',
                    ),
                },
              ]
            : []),
        ]}
        actionsWidth={160}
      />
      <Suspense>
        {uploading && <UploadDialog onUploaded={open} onClose={() => setUploading(false)} />}
        {remarked && <RemarkDialog row={remarked} onClose={() => setRemarked(null)} />}
      </Suspense>
    </>
  )
}
