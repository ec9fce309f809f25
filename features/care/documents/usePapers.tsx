import { lazy, useState } from 'react'
import { messageOf, saveFile } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import type { RowAction } from '#web/list/list-props.ts'
import type { DocumentRow } from './documentsApi.tsx'
import { DOCUMENT_USERS, ERASE_REFUSALS, mayEnd, refuseErase } from './rules.ts'

const KeepDialog = lazy(() => import('./KeepDialog.tsx'))
const LookDialog = lazy(() => import('./LookDialog.tsx'))
const ExpiryDialog = lazy(() => import('./ExpiryDialog.tsx'))
const EraseDialog = lazy(() => import('./EraseDialog.tsx'))

type Doing = { what: 'look' | 'end' | 'replace' | 'erase'; row: DocumentRow }

/** What can be done with a paper, on a shop's details and in the list of all. `disabled`: why nothing new is kept of the shop. */
export function usePapers() {
  const [doing, setDoing] = useState<Doing | null>(null)
  const mayLook = usePermission('documents.view')
  const mayKeep = usePermission('documents.keep')
  const mayErase = usePermission('documents.erase')
  const actionsOf = (row: DocumentRow, disabled: string | null = null): RowAction[] => {
    const to = (what: Doing['what']) => () => setDoing({ what, row })
    if (row.state === 'erased')
      return mayLook
        ? [{ key: 'certificate', label: '销毁证明', reads: true, onClick: () => saveCertificate(row.id) }]
        : []
    const isCurrent = row.state === 'current'
    return [
      ...(mayLook ? [{ key: 'look', label: '查看', reads: true, onClick: to('look') }] : []),
      ...(mayKeep && isCurrent && mayEnd(row.kind)
        ? [{ key: 'end', label: '有效期', onClick: to('end') }]
        : []),
      ...(mayKeep && isCurrent ? [{ key: 'replace', label: '替换', disabled, onClick: to('replace') }] : []),
      ...(mayErase
        ? [{ key: 'erase', label: '销毁', danger: true, disabled: eraseRefusal(row), onClick: to('erase') }]
        : []),
    ]
  }
  const close = () => setDoing(null)
  const dialogs = (
    <Suspense>
      {doing?.what === 'replace' && (
        <KeepDialog merchantId={doing.row.merchantId} replaced={doing.row} onClose={close} />
      )}
      {doing?.what === 'look' && <LookDialog row={doing.row} onClose={close} />}
      {doing?.what === 'end' && <ExpiryDialog row={doing.row} onClose={close} />}
      {doing?.what === 'erase' && <EraseDialog row={doing.row} onClose={close} />}
    </Suspense>
  )
  return { actionsOf, dialogs }
}

function eraseRefusal(row: DocumentRow): string | null {
  const code = refuseErase(row)
  if (code !== 'DOCUMENT_USED') return code && ERASE_REFUSALS[code]
  return `${row.usedBy.map(user => DOCUMENT_USERS[user]).join('、')}正在使用，不能销毁`
}

function saveCertificate(id: number): void {
  saveFile(`/api/documents/${id}/certificate`).catch(error => toast.error(messageOf(error)))
}
