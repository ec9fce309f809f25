import { Count } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { useMore } from '#web/facts/useMore.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './print-templates.module.css'
import { type TemplateDialogProps, templatesApi } from './templatesApi.tsx'

/** Which shops get it now, each with its version. */
export default function UsageDialog({ kind, id, name, onClose }: TemplateDialogProps) {
  const { usage } = templatesApi(kind)
  const { query, rows, more } = useMore(
    usage.key({ id, after: 0 }),
    last => usage({ id, after: last ?? 0 }),
    '更多店铺',
  )
  const first = query.data?.pages[0]
  return (
    <Dialog title={`使用的店铺：${name}`} width={560} onClose={onClose}>
      <DialogText>
        {query.isError && !rows ? (
          <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
        ) : !rows || !first ? (
          <LoadingLines lines={6} />
        ) : rows.length === 0 ? (
          <EmptyState title="没有店铺在使用">发布后，范围内的店铺显示在这里。</EmptyState>
        ) : (
          <>
            <p className={styles.total}>
              共{' '}
              <b>
                <Count value={first.total} />
                {first.totalCapped && '+'}
              </b>{' '}
              家店铺
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
            <section className={styles.usage} tabIndex={0} aria-label="使用的店铺">
              <ul>
                {rows.map(shop => (
                  <li key={shop.id}>
                    <span>
                      <Link
                        className={look.inText}
                        to="/admin/merchant/merchantDetails"
                        search={{ user_id: shop.id }}
                      >
                        {shop.name}
                      </Link>
                      <small>
                        {shop.id} · {shop.agentName} · {shop.industryName}
                      </small>
                    </span>
                    <span className={look.quiet}>版本 {shop.number}</span>
                  </li>
                ))}
              </ul>
              {more}
            </section>
          </>
        )}
      </DialogText>
    </Dialog>
  )
}
