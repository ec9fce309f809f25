// What sending to many asks before and tells after: reminders, and messages that are sent again.
import type { ReactNode } from 'react'
import { messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import styles from './message-desk.module.css'

const WIDTH = 520

type QuestionProps = {
  title: string
  /** A verb with the number: 提醒 3 家. */
  sendText: string
  /** Why nothing can be sent; null when something can. */
  disabled: string | null
  /** The call that sends. */
  sending: { isPending: boolean; error: unknown }
  onSend: () => void
  onClose: () => void
  /** What it will do, above what went wrong. */
  children: ReactNode
  /** A way out of what went wrong. */
  help?: ReactNode
}

/** Asks before it is sent; stays open while it is. */
export function SendingQuestion(props: QuestionProps) {
  const { isPending, error } = props.sending
  return (
    <Dialog
      title={props.title}
      width={WIDTH}
      onClose={isPending ? () => undefined : props.onClose}
      footer={
        <>
          <Button disabled={isPending} onClick={props.onClose}>
            取消
          </Button>
          <Button
            kind="primary"
            data-autofocus
            busy={isPending}
            disabled={props.disabled}
            onClick={props.onSend}
          >
            {props.sendText}
          </Button>
        </>
      }
    >
      <div className={styles.reminderBody}>
        {props.children}
        {error !== null && (
          <p className={styles.reminderFailed} role="alert">
            {messageOf(error)}
          </p>
        )}
        {props.help}
      </div>
    </Dialog>
  )
}

type ResultsProps<Row> = {
  title: string
  summary: ReactNode
  /** What the table is for screen readers, and the head of its first column. */
  label: string
  head: string
  rows: readonly Row[]
  /** A row's key, what it is of, and why it was not sent. */
  shown: (row: Row) => { key: number; of: ReactNode; refusal: string | null }
  onClose: () => void
}

/** Tells the result of each after it was sent. */
export function SendingResults<Row>({
  title,
  summary,
  label,
  head,
  rows,
  shown,
  onClose,
}: ResultsProps<Row>) {
  return (
    <Dialog
      title={title}
      width={WIDTH}
      onClose={onClose}
      footer={
        <Button kind="primary" changes={false} data-autofocus onClick={onClose}>
          完成
        </Button>
      }
    >
      <div className={styles.reminderBody}>
        <p role="status">{summary}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
        <section className={styles.reminderResults} tabIndex={0} aria-label={label}>
          <table>
            <thead>
              <tr>
                <th scope="col">{head}</th>
                <th scope="col">结果</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(shown).map(({ key, of, refusal }) => (
                <tr key={key}>
                  <td>{of}</td>
                  <td>
                    {refusal === null ? (
                      <StatusTag tone="neutral">待发送</StatusTag>
                    ) : (
                      <StatusTag tone="problem">{refusal}</StatusTag>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </Dialog>
  )
}

/** Each reason in the rule's own words, with how many it holds back: 商户已禁用（2 家）. */
export function reasonsText(refusals: readonly (string | null)[], unit: string): string {
  const counts = new Map<string, number>()
  for (const refusal of refusals) if (refusal) counts.set(refusal, (counts.get(refusal) ?? 0) + 1)
  return [...counts].map(([refusal, count]) => `${refusal}（${count} ${unit}）`).join('、')
}
