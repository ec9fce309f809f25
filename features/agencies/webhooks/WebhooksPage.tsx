import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { EndpointRow, webhooks } from './contract.ts'
import { endPrevious, removeEndpoint, sendTest, setEnabled } from './endpointDeeds.tsx'
import { ENDPOINTS } from './fields.ts'
import { WEBHOOK_REFUSALS } from './rules.ts'
import type { GivenSecret } from './SecretDialog.tsx'

const webhooksApi = api<typeof webhooks>('webhooks')
const EndpointDialog = lazy(() => import('./EndpointDialog.tsx'))
const RotateDialog = lazy(() => import('./RotateDialog.tsx'))
const ReplayDialog = lazy(() => import('./ReplayDialog.tsx'))
const SecretDialog = lazy(() => import('./SecretDialog.tsx'))

type Open =
  | { what: 'add' }
  | { what: 'edit' | 'rotate' | 'replay'; row: EndpointRow }
  | ({ what: 'secret' } & GivenSecret)

/** Where the agency's own systems are told of changes at its shops. */
export default function WebhooksPage() {
  const mayEdit = usePermission('webhooks.edit')
  const [open, setOpen] = useState<Open | null>(null)
  const history = useHistory()
  const navigate = useNavigate()
  const close = () => setOpen(null)
  const onGiven = (given: GivenSecret) => setOpen({ what: 'secret', ...given })
  const isOff = ({ enabled }: EndpointRow) => (enabled ? null : WEBHOOK_REFUSALS.ENDPOINT_OFF)
  const add = mayEdit && (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新建接收地址
    </Button>
  )
  const toDeliveries = ({ id }: EndpointRow) =>
    void navigate({ to: '/admin/account/webhookDeliveries', search: { endpointId: id } })
  const edits = (row: EndpointRow): RowAction[] => [
    { key: 'edit', label: '编辑', onClick: () => setOpen({ what: 'edit', row }) },
    { key: 'test', label: '发送测试', disabled: isOff(row), onClick: () => void sendTest(row) },
    { key: 'replay', label: '重放', disabled: isOff(row), onClick: () => setOpen({ what: 'replay', row }) },
    { key: 'rotate', label: '轮换密钥', onClick: () => setOpen({ what: 'rotate', row }) },
    ...(row.previousUntil
      ? [{ key: 'previous', label: '停用旧密钥', onClick: () => void endPrevious(row) }]
      : []),
    {
      key: 'enabled',
      label: row.enabled ? '停用' : '启用',
      danger: row.enabled,
      onClick: () => void setEnabled(row),
    },
  ]
  return (
    <>
      <List
        of={ENDPOINTS}
        from={webhooksApi.list}
        main={add || undefined}
        emptyAction={add || undefined}
        onOpen={toDeliveries}
        rowActions={row => [
          { key: 'deliveries', label: '投递记录', reads: true, onClick: () => toDeliveries(row) },
          ...(mayEdit ? edits(row) : []),
          ...history.actionsOf({ kind: 'webhook', id: row.id, name: row.url }),
          ...(mayEdit
            ? [{ key: 'remove', label: '删除', danger: true, onClick: () => void removeEndpoint(row) }]
            : []),
        ]}
        actionsWidth={200}
      />
      <Suspense>
        {(open?.what === 'add' || open?.what === 'edit') && (
          <EndpointDialog row={open.what === 'edit' ? open.row : null} onClose={close} onGiven={onGiven} />
        )}
        {open?.what === 'rotate' && <RotateDialog row={open.row} onClose={close} onGiven={onGiven} />}
        {open?.what === 'replay' && <ReplayDialog row={open.row} onClose={close} />}
        {open?.what === 'secret' && <SecretDialog given={open} onClose={close} />}
      </Suspense>
      {history.drawer}
    </>
  )
}
