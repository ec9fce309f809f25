import type { ReactNode } from 'react'
import { formatCents } from '#kit/money.ts'
import { Button } from '#web/controls/Button.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import styles from './SaleConfirm.module.css'

type Props = {
  title: string
  width: number
  /** The price moved since the form was sent. */
  stale: boolean
  /** The answer to an earlier confirm never came. */
  lost: boolean
  busy: boolean
  /** Why it cannot be paid now. */
  refusal: string | false
  onConfirm: () => void
  onCancel: () => void
  children: ReactNode
}

/** What a confirm will do and what it takes from the balance, before any token moves. */
export function SaleConfirm(props: Props) {
  return (
    <Dialog
      title={props.title}
      width={props.width}
      busy={props.busy}
      onClose={props.onCancel}
      footer={
        <>
          <CloseButton />
          <Button kind="primary" busy={props.busy} disabled={props.refusal} onClick={props.onConfirm}>
            {props.lost ? '重试' : '确认购买'}
          </Button>
        </>
      }
    >
      <div className={styles.confirmBody}>
        <div aria-live="polite">
          {props.stale && <ConfirmNote>价格已变动，请重新确认</ConfirmNote>}
          {props.lost && <ConfirmNote>没有收到服务器的答复。请重试，同一订单不会重复扣款。</ConfirmNote>}
        </div>
        {props.children}
      </div>
    </Dialog>
  )
}

/** What changed, or what is not known, before the person confirms. */
export function ConfirmNote({ children }: { children: ReactNode }) {
  return <p className={styles.confirmNote}>{children}</p>
}

/** Labels with their texts; `sum` stands below a rule. */
export function ConfirmLines({ sum, children }: { sum?: boolean; children: ReactNode }) {
  return (
    <dl className={styles.confirmLines} data-sum={sum || undefined}>
      {children}
    </dl>
  )
}

type LineProps = { label: string; text: string; strong?: boolean; problem?: boolean }

export function ConfirmLine({ label, text, strong, problem }: LineProps) {
  return (
    <div data-strong={strong || undefined} data-problem={problem || undefined}>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  )
}

type BalanceProps = { beforeCents: number /** Below 0: so much is left. */; missingCents: number }

/** The balance before, and what is left of it or missing. */
export function BalanceLines({ beforeCents, missingCents }: BalanceProps) {
  return (
    <>
      <ConfirmLine label="购买前余额" text={formatCents(beforeCents)} />
      {missingCents > 0 ? (
        <ConfirmLine label="账户余额不足，还差" text={formatCents(missingCents)} problem />
      ) : (
        <ConfirmLine label="购买后余额" text={formatCents(-missingCents)} />
      )}
    </>
  )
}
