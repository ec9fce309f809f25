import { Link } from '@tanstack/react-router'
import { messageOf } from '#web/api.ts'
import { Button, buttonLook } from '#web/Button.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { Instant } from '#web/format.tsx'
import { look } from '#web/look.ts'
import styles from './OverdueBell.module.css'
import { useOverduePreview } from './OverdueBell.tsx'

/** The five merchants that expired last, and the way to all of them. */
export default function OverdueDialog({ onClose }: { onClose: () => void }) {
  const preview = useOverduePreview(true)
  const rows = preview.data?.rows ?? []
  return (
    <Dialog
      title="过期商户"
      width={640}
      onClose={onClose}
      footer={
        <Link className={buttonLook()} to="/admin/merchant/overdueMerchants" onClick={onClose}>
          查看更多
        </Link>
      }
    >
      {preview.isError ? (
        <div className={styles.overdueNone} role="alert">
          <p>{messageOf(preview.error)}</p>
          <Button onClick={() => void preview.refetch()}>重试</Button>
        </div>
      ) : rows.length === 0 ? (
        <p className={styles.overdueNone}>{preview.isPending ? '加载中' : '没有过期的商户'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        <section className={styles.overdueScroll} tabIndex={0} aria-label="最近过期的商户">
          <table className={styles.overdueTable}>
            <thead>
              <tr>
                <th scope="col" className={styles.overdueMore}>
                  商户ID
                </th>
                <th scope="col" className={styles.overdueName}>
                  店铺名称
                </th>
                <th scope="col" className={styles.overdueMore}>
                  账号
                </th>
                <th scope="col">到期时间</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.id}>
                  <td className={`${styles.overdueMore} ${look.number}`}>{row.id}</td>
                  <td className={styles.overdueName} data-tip-cut>
                    {row.shopName}
                  </td>
                  <td className={`${styles.overdueMore} ${look.number}`}>{row.account}</td>
                  <td>
                    <Instant at={row.expiresAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Dialog>
  )
}
