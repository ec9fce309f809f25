import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { useMore } from '#web/facts/useMore.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useFormOf } from '#web/form/useFormOf.ts'
import type { demands } from './contract.ts'
import styles from './demands.module.css'
import { demandsApi } from './demandsApi.tsx'
import { COMMENT } from './fields.ts'

type Event = Out<typeof demands.events>['rows'][number]
type Props = { id: number; title: string; onClose: () => void }

/** What happened to a demand, before and after, and what is said of it. */
export default function LogDrawer({ id, title, onClose }: Props) {
  const { query, rows, more } = useMore(
    ['demands', 'events', id],
    before => demandsApi.events({ id, before }),
    '加载更多',
  )
  return (
    <Drawer title="需求日志" onClose={onClose}>
      <DrawerBody>
        <p className={styles.logAbout}>
          <b>{title}</b> <span className={look.quiet}>#{id}</span>
        </p>
        <Comment id={id} />
        {query.isError && !rows ? (
          <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
        ) : !rows ? (
          <LoadingLines />
        ) : rows.length === 0 ? (
          <p className={look.quiet}>还没有记录</p>
        ) : (
          <ol aria-label="日志">
            {rows.map(row => (
              <li key={row.id} className={styles.logEntry}>
                <Entry event={row} />
              </li>
            ))}
          </ol>
        )}
        {more}
      </DrawerBody>
    </Drawer>
  )
}

function Entry({ event }: { event: Event }) {
  return (
    <article>
      <header className={styles.logHead}>
        <b>{event.createdByName}</b> <span>{event.title || '评论'}</span>{' '}
        <span className={look.quiet}>
          <Instant at={event.createdAt} toMinute />
        </span>
      </header>
      {event.text !== '' && <p className={styles.logText}>{event.text}</p>}
      {event.changes.length > 0 && (
        <ul className={styles.changes}>
          {event.changes.map(({ name, before, after }) => (
            <li key={`${name} ${before} ${after}`}>
              <span className={look.quiet}>{name}：</span>
              {before !== null && (
                <>
                  <del>{before || '空'}</del> <span aria-hidden="true">→</span>{' '}
                </>
              )}
              {before === null ? <span>{after || '空'}</span> : <ins>{after || '空'}</ins>}
            </li>
          ))}
        </ul>
      )}
    </article>
  )
}

/** Something to say; after an @ the vendor's people are offered. */
function Comment({ id }: { id: number }) {
  const people = useQuery(demandsApi.options.query()).data?.owners ?? []
  const form = useFormOf({
    of: COMMENT,
    send: async ({ text }, idempotencyKey) => {
      await demandsApi.comment({ id, text }, { idempotencyKey })
      form.rebase({ text: '' }, { text: '' })
      toast.success('已评论')
      await reread()
    },
  })
  const { text } = form.draft
  const typed = /@([^\s@]*)$/.exec(text)?.[1]
  const offered =
    typed === undefined ? [] : people.filter(({ name }) => name.startsWith(typed) && name !== typed)
  return (
    <FormElement className={styles.comment} onSubmit={() => void form.submit()}>
      <FormFields form={form} told={{ text: { hint: form.message ?? undefined } }} />
      <div className={styles.people} aria-live="polite">
        {offered.map(({ id: personId, name }) => (
          <Button
            key={personId}
            onClick={() => {
              form.change({ text: `${text.slice(0, text.length - (typed?.length ?? 0))}${name} ` })
              form.focus('text')
            }}
          >
            @{name}
          </Button>
        ))}
      </div>
      <div className={styles.commentSend}>
        <Button
          kind="primary"
          type="submit"
          busy={form.busy}
          disabled={text.trim() === '' && COMMENT.text.control.missing}
        >
          发表评论
        </Button>
      </div>
    </FormElement>
  )
}
