import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { DeliveryRow, webhooks } from './contract.ts'
import { DELIVERY_FIELDS } from './fields.ts'
import styles from './webhooks.module.css'

const webhooksApi = api<typeof webhooks>('webhooks')

/** What was sent, word for word, and what was answered. */
export default function DeliveryDialog({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { data, isError, error, refetch } = useQuery(webhooksApi.delivery.query({ id: row.id }))
  return (
    <Dialog
      title={DELIVERY_FIELDS.topic.words[row.topic]}
      width={640}
      onClose={onClose}
      footer={<CloseButton>关闭</CloseButton>}
    >
      <div className={styles.parts}>
        {isError ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <>
            <Facts>
              <Fact label={DELIVERY_FIELDS.url.label}>{row.url}</Fact>
              <Fact label="消息编号">{data.messageId}</Fact>
              <Fact label={DELIVERY_FIELDS.state.label}>{DELIVERY_FIELDS.state.words[row.state]}</Fact>
              <Fact label={DELIVERY_FIELDS.attempts.label}>{row.attempts}</Fact>
              <Fact label={DELIVERY_FIELDS.triedAt.label}>
                {row.triedAt ? formatInstant(row.triedAt) : '尚未投递'}
              </Fact>
              {row.tookMs !== null && <Fact label={DELIVERY_FIELDS.tookMs.label}>{row.tookMs} 毫秒</Fact>}
              {row.state === 'pending' && (
                <Fact label={DELIVERY_FIELDS.dueAt.label}>{formatInstant(row.dueAt)}</Fact>
              )}
            </Facts>
            <Text label="发送内容" text={data.body} />
            <Text label="对方应答" text={data.answer || '（无）'} />
          </>
        ) : (
          <LoadingLines lines={8} />
        )}
      </div>
    </Dialog>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label}>
      <h3>{label}</h3>
      <pre className={styles.text}>{text}</pre>
    </section>
  )
}
