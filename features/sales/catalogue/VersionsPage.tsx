import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { SELLER_RULES } from '#features/shops/versions/rules.ts'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Count } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { catalogue, VersionRow } from './contract.ts'
import { VERSIONS } from './fields.ts'
import { useResume } from './useResume.tsx'

const catalogueApi = api<typeof catalogue>('catalogue')
const VersionDialog = lazy(() => import('./VersionDialog.tsx'))
const RetireDialog = lazy(() => import('./RetireDialog.tsx'))

type Open = { what: 'add' } | { what: 'edit' | 'retire'; row: VersionRow }

/** What versions there are, who may sell them, and who has them; what they cost stands elsewhere. */
export default function VersionsPage() {
  const mayEdit = usePermission('catalogue.editVersions')
  const [open, setOpen] = useState<Open | null>(null)
  const resume = useResume(
    ({ id, revision }: VersionRow) => catalogueApi.resumeVersion({ id, revision }),
    '恢复后，可销售的代理商即可为商户购买、更换和续费此版本。',
  )
  const history = useHistory()
  const close = () => setOpen(null)
  const add = mayEdit && (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新增版本
    </Button>
  )
  return (
    <>
      <List
        of={VERSIONS}
        from={catalogueApi.versions}
        cells={CELLS}
        main={
          <>
            <Link to="/admin/operations/versionParts" className={buttonLook('plain')}>
              功能与版本调整
            </Link>
            {add}
          </>
        }
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
          ...history.actionsOf({ kind: 'version', id: row.id, name: row.name }),
        ]}
        actionsWidth={176}
      />
      {history.drawer}
      <Suspense>
        {open?.what === 'add' && <VersionDialog row={null} onClose={close} />}
        {open?.what === 'edit' && <VersionDialog row={open.row} onClose={close} />}
        {open?.what === 'retire' && <RetireDialog row={open.row} onClose={close} />}
      </Suspense>
    </>
  )
}

const CELLS = {
  sellers: ({ sellers, sellerCount }: VersionRow) =>
    sellers === 'all'
      ? SELLER_RULES.all
      : sellers === 'only'
        ? `仅 ${sellerCount} 家`
        : `除 ${sellerCount} 家外`,
  shops: ({ id, shops }: VersionRow) =>
    shops === 0 ? (
      <Count value={shops} />
    ) : (
      <Link to="/admin/merchant/myMerchant" search={{ versionId: id }} className={look.inText}>
        <Count value={shops} />
      </Link>
    ),
}
