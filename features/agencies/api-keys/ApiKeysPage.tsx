import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import styles from './api-keys.module.css'
import type { apiKeys, KeyRow } from './contract.ts'
import { KEYS } from './fields.ts'
import { endKey, endPrevious } from './keyDeeds.tsx'
import { isOver, KEY_REFUSALS, refuseTouch } from './rules.ts'
import type { GivenToken } from './TokenDialog.tsx'

const keysApi = api<typeof apiKeys>('apiKeys')
const KeyDialog = lazy(() => import('./KeyDialog.tsx'))
const RotateDialog = lazy(() => import('./RotateDialog.tsx'))
const TokenDialog = lazy(() => import('./TokenDialog.tsx'))

type Open = { what: 'add' } | { what: 'edit' | 'rotate'; row: KeyRow } | ({ what: 'token' } & GivenToken)

/** What one's own programs come in with: what they may do, from where, until when, and when they last did. */
export default function ApiKeysPage() {
  const mayEdit = usePermission('apiKeys.edit')
  const { accountId, userType } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const history = useHistory()
  const close = () => setOpen(null)
  const refused = (deed: 'change' | 'end', row: KeyRow) => {
    const counts = deed === 'end' ? row.state !== 'expired' && isOver(row.state) : isOver(row.state)
    const me = { accountId, isOwner: userType === 0 }
    const code = refuseTouch(deed, me, { accountId: row.isOwn ? accountId : 0, isOver: counts })
    return code && KEY_REFUSALS[code]
  }
  const add = mayEdit && (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新建密钥
    </Button>
  )
  return (
    <>
      <List
        of={KEYS}
        from={keysApi.list}
        cells={{
          tokenEnd: ({ tokenEnd }: KeyRow) => <code className={styles.end}>…{tokenEnd}</code>,
          lastUsedAt: ({ lastUsedAt, lastIp }: KeyRow) =>
            lastUsedAt === null ? (
              <span className={look.quiet}>从未使用</span>
            ) : (
              <span className={styles.term}>
                <span className={look.number}>{formatInstant(lastUsedAt).slice(0, 16)}</span>
                <small className={look.quiet}>{lastIp}</small>
              </span>
            ),
          expiresOn: ({ expiresOn, previousUntil }: KeyRow) => (
            <span className={styles.term}>
              <span className={look.number}>{expiresOn}</span>
              {previousUntil && (
                <small className={look.quiet}>旧密钥至 {formatInstant(previousUntil).slice(5, 16)}</small>
              )}
            </span>
          ),
        }}
        main={
          <span className={styles.main}>
            <a className={buttonLook('plain')} href="/api/openapi.json" target="_blank" rel="noreferrer">
              接口文档
            </a>
            <a className={buttonLook('plain')} href="/pos/openapi.json" target="_blank" rel="noreferrer">
              收银系统接口文档
            </a>
            {add}
          </span>
        }
        onOpen={mayEdit ? row => !refused('change', row) && setOpen({ what: 'edit', row }) : undefined}
        rowActions={row => [
          ...(mayEdit
            ? [
                {
                  key: 'edit',
                  label: '编辑',
                  disabled: refused('change', row),
                  onClick: () => setOpen({ what: 'edit', row }),
                },
                {
                  key: 'rotate',
                  label: '轮换',
                  disabled: refused('change', row),
                  onClick: () => setOpen({ what: 'rotate', row }),
                },
                ...(row.previousUntil
                  ? [
                      {
                        key: 'previous',
                        label: '停用旧密钥',
                        disabled: refused('change', row),
                        onClick: () => void endPrevious(row),
                      },
                    ]
                  : []),
              ]
            : []),
          ...history.actionsOf({ kind: 'apiKey', id: row.id, name: row.name }),
          ...(mayEdit
            ? [
                {
                  key: 'end',
                  label: '撤销',
                  danger: true,
                  disabled: refused('end', row),
                  onClick: () => void endKey(row),
                },
              ]
            : []),
        ]}
        actionsWidth={176}
      />
      <Suspense>
        {(open?.what === 'add' || open?.what === 'edit') && (
          <KeyDialog
            row={open.what === 'edit' ? open.row : null}
            onClose={close}
            onGiven={given => setOpen({ what: 'token', ...given })}
          />
        )}
        {open?.what === 'rotate' && (
          <RotateDialog
            row={open.row}
            onClose={close}
            onGiven={given => setOpen({ what: 'token', ...given })}
          />
        )}
        {open?.what === 'token' && <TokenDialog given={open} onClose={close} />}
      </Suspense>
      {history.drawer}
    </>
  )
}
