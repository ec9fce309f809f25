import { useQuery } from '@tanstack/react-query'
import { PRICE_KINDS, partName } from '#features/office/prices/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Drawer } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { PriceRow, priceDesk } from './contract.ts'
import styles from './price-desk.module.css'
import { DATED_STATES, STATE_TONES } from './rules.ts'
import { useWithdraw } from './useWithdraw.tsx'

const priceDeskApi = api<typeof priceDesk>('priceDesk')

type Event = Out<typeof priceDesk.history>['rows'][number]

/** Every price of an item that was ever set, by whom, and what of it is to come. */
export default function HistoryDrawer({ row, onClose }: { row: PriceRow; onClose: () => void }) {
  const { book, item } = row
  const history = useQuery(priceDeskApi.history.query({ book, item }))
  const maySet = usePermission('priceDesk.setPrice')
  const withdraw = useWithdraw(priceDeskApi.withdrawPrice)
  const ask = (event: Event) => {
    const text = event.isUnsold
      ? `${amountOf(event)} 从现在起不再生效，此前的价格恢复；还没有订单按它成交，已出的报价仍按报价成交，直到过期。`
      : `${formatInstant(event.startsAt)} 起的 ${amountOf(event)} 将不再生效。`
    void withdraw(event, { title: '撤回这个价格？', text })
  }
  return (
    <Drawer title={`价格历史：${row.itemName}`} onClose={onClose}>
      {history.isError ? (
        <LoadFailure error={history.error} onRetry={() => void history.refetch()} />
      ) : !history.data ? (
        <LoadingLines />
      ) : (
        <ol className={styles.history} aria-label="价格历史">
          {history.data.rows.map(event => (
            <li key={event.id} data-state={event.state}>
              <div>
                <b className={look.number}>{amountOf(event)}</b>{' '}
                <span className={look.quiet}>
                  {event.cents === null ? '' : event.unit} {partName(book, event.part)}
                  {event.kind === 'minimum' && ` ${PRICE_KINDS.minimum}`}
                </span>{' '}
                <StatusTag tone={STATE_TONES[event.state]}>{DATED_STATES[event.state]}</StatusTag>
              </div>
              <div className={`${look.quiet} ${styles.deeds}`}>
                <span>
                  <span className={look.number}>{formatInstant(event.startsAt)}</span> 起
                </span>
                <span>
                  {event.createdByName} 于{' '}
                  <span className={look.number}>{formatInstant(event.createdAt)}</span> 设置
                </span>
              </div>
              {event.withdrawnAt && (
                <div className={look.quiet}>
                  {event.withdrawnByName} 于{' '}
                  <span className={look.number}>{formatInstant(event.withdrawnAt)}</span> 撤回
                </div>
              )}
              {(event.state === 'coming' || event.isUnsold) && maySet && (
                <Button kind="link" onClick={() => ask(event)}>
                  撤回
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </Drawer>
  )
}

function amountOf({ cents, kind }: Event): string {
  if (cents !== null) return formatCents(cents)
  return kind === 'minimum' ? '取消最低价' : '停止销售'
}
