import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import styles from './work-orders.module.css'
import type { WorkOrderDetails } from './workOrdersApi.tsx'

/** What was done with it, before and after, the latest first. */
export function Changes({ events }: Pick<WorkOrderDetails, 'events'>) {
  return (
    <details className={styles.changes}>
      <summary>处理记录（{events.length}）</summary>
      <ol aria-label="处理记录">
        {events.map(({ id, title, createdByName, createdAt, changes }) => (
          <li key={id}>
            <p>
              <b>{createdByName}</b> {title}{' '}
              <span className={look.quiet}>
                <Instant at={createdAt} />
              </span>
            </p>
            <ul>
              {changes.map(({ name, before, after }) => (
                <li key={name}>
                  <span className={look.quiet}>{name}：</span>
                  {before !== null && (
                    <>
                      <del>{before || '无'}</del> <span aria-hidden="true">→</span>{' '}
                    </>
                  )}
                  <ins>{after || '无'}</ins>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </details>
  )
}
