import { messageOf } from '#web/client/api.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button, buttonLook } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { panelLook, TopPanelNone, TopPanelPart, TopPanelRow } from '#web/form/TopPanel.tsx'
import styles from './OverdueBell.module.css'
import { useOverduePreview } from './useOverduePreview.tsx'

/** The five shops that expired last, each with the way to renew it, and the way to all of them. */
export function OverdueInbox({ onClose }: { onClose: () => void }) {
  const preview = useOverduePreview(true)
  return (
    <TopPanelPart
      foot={
        <Link className={buttonLook('link')} to="/admin/merchant/overdueMerchants" onClick={onClose}>
          查看更多
        </Link>
      }
    >
      <Rows preview={preview} onClose={onClose} />
    </TopPanelPart>
  )
}

type RowsProps = { preview: ReturnType<typeof useOverduePreview>; onClose: () => void }

function Rows({ preview, onClose }: RowsProps) {
  const { agentId: own } = useSession()
  const mayRenew = usePermission('purchases.buy')
  const mayOpen = usePermission('merchants.details')
  if (preview.isError)
    return (
      <TopPanelNone>
        <p role="alert">{messageOf(preview.error)}</p>
        <Button onClick={() => void preview.refetch()}>重试</Button>
      </TopPanelNone>
    )
  const rows = preview.data?.rows ?? []
  if (rows.length === 0) return <TopPanelNone>{preview.isPending ? '加载中' : '没有过期的商户'}</TopPanelNone>
  return (
    <ul aria-label="最近过期的商户">
      {rows.map(({ id, agentId, versionId, shopName, account, expiresAt }) => {
        const facts = (
          <>
            <b className={panelLook.line}>{shopName}</b>
            <small className={`${panelLook.line} ${look.number}`}>
              {id} · {account}
            </small>
          </>
        )
        return (
          <TopPanelRow
            key={id}
            action={
              <>
                <span className={styles.overdueAt}>
                  <Instant at={expiresAt} />
                </span>
                {mayRenew && agentId === own && (
                  <Link
                    className={buttonLook()}
                    to="/admin/merchant/versionUp1"
                    search={{ user_id: id, sv_versionid: versionId }}
                    aria-label={`续费 ${shopName}`}
                    onClick={onClose}
                  >
                    续费
                  </Link>
                )}
              </>
            }
          >
            {mayOpen ? (
              <Link
                className={panelLook.opener}
                to="/admin/merchant/merchantDetails"
                search={{ user_id: id }}
                onClick={onClose}
              >
                {facts}
              </Link>
            ) : (
              <span className={panelLook.opener}>{facts}</span>
            )}
          </TopPanelRow>
        )
      })}
    </ul>
  )
}
