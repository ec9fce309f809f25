import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PAY_METHODS } from '#features/ledger/rules.ts'
import { shopText } from '#features/orders/orderCells.tsx'
import { formatCents } from '#kit/money.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { Copyable, Instant } from '#web/format.tsx'
import type { RowAction } from '#web/list/ListPage.tsx'
import type { hardware } from './contract.ts'
import styles from './hardware.module.css'
import { OrderStatus } from './OrderStatus.tsx'
import type { OrderRow } from './OrderSteps.tsx'
import { RETURN_CONDITIONS } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')

type Props = { orderNo: string; actionsOf: (row: OrderRow) => RowAction[]; onClose: () => void }

/** One order over its list: how far it is, what is in it, where it goes, what can be done now. */
export default function OrderDialog({ orderNo, actionsOf, onClose }: Props) {
  const asked = useQuery({
    ...hardwareApi.orders.query({ search: orderNo }),
  })
  const row = asked.data?.rows.find(found => found.orderNo === orderNo)
  const possible = row ? actionsOf(row).filter(action => !action.disabled) : []
  return (
    <Dialog
      title="硬件订单"
      width={680}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          {possible.map(action => (
            <Button key={action.key} kind={action.danger ? 'plain' : 'primary'} onClick={action.onClick}>
              {action.label}
            </Button>
          ))}
        </>
      }
    >
      <div className={styles.orderBody} aria-busy={asked.isFetching}>
        {row && <Order row={row} />}
        {asked.isError && !row && <p role="alert">{messageOf(asked.error)}</p>}
        {asked.isSuccess && !row && <p role="alert">订单不存在或已被删除</p>}
      </div>
    </Dialog>
  )
}

function Order({ row }: { row: OrderRow }) {
  return (
    <>
      <div className={styles.orderTop}>
        <Copyable text={row.orderNo} />
        <OrderStatus status={row.deliveryStatus} />
      </div>
      <Progress row={row} />
      <table className={styles.orderLines}>
        <thead>
          <tr>
            <th scope="col">商品</th>
            <th scope="col" data-align="right">
              单价
            </th>
            <th scope="col" data-align="right">
              数量
            </th>
            <th scope="col" data-align="right">
              小计
            </th>
          </tr>
        </thead>
        <tbody>
          {row.lines.map(line => (
            <tr key={line.productName + line.unitCents}>
              <td>{line.productName}</td>
              <td data-align="right">{formatCents(line.unitCents)}</td>
              <td data-align="right">{line.quantity}</td>
              <td data-align="right">{formatCents(line.totalCents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              合计（代币）
            </th>
            <td data-align="right">
              <b>{formatCents(row.totalCents)}</b>
            </td>
          </tr>
        </tfoot>
      </table>
      <dl className={styles.orderFacts}>
        <Fact label="代理商">
          {row.agentName}（{row.agentId}）
        </Fact>
        {row.merchantId !== null && (
          <Fact label="商户">
            {shopText(row)}（{row.merchantId}）
          </Fact>
        )}
        <Fact label="下单人">{row.createdByName}</Fact>
        <Fact label="支付方式">{PAY_METHODS[row.payMethod]}</Fact>
        <Fact label="联系人">
          {row.contactName} <Copyable text={row.contactPhone} />
        </Fact>
        <Fact label="收货地址" wide>
          <Copyable text={row.fullAddress} />
        </Fact>
        {row.trackingNo !== '' && (
          <Fact label="物流" wide>
            {row.carrier} <Copyable text={row.trackingNo} />
          </Fact>
        )}
        {row.remark !== '' && (
          <Fact label="备注" wide>
            {row.remark}
          </Fact>
        )}
        {row.returnCondition !== null && (
          <Fact label="退回商品" wide>
            {RETURN_CONDITIONS[row.returnCondition]}，{row.returnCondition === 'sound' ? '已' : '未'}回到库存
          </Fact>
        )}
        {row.returnReason !== '' && (
          <Fact label={row.deliveryStatus === 'cancelled' ? '取消原因' : '退货原因'} wide>
            {row.returnReason}
          </Fact>
        )}
      </dl>
    </>
  )
}

const ENDED = { returned: '退货', cancelled: '取消' } as const

/** The way of an order; a return or a cancellation ends it wherever it stood. */
function Progress({ row }: { row: OrderRow }) {
  const way: [label: string, at: string | null][] = [
    ['付款', row.paidAt],
    ['发货', row.shippedAt],
    ['收货', row.receivedAt],
    ['交易完成', row.finishedAt],
  ]
  const steps =
    row.deliveryStatus === 'returned' || row.deliveryStatus === 'cancelled'
      ? [...way.filter(([, at]) => at !== null), [ENDED[row.deliveryStatus], row.returnedAt] as const]
      : way
  return (
    <ol className={styles.orderProgress} aria-label="进度">
      {steps.map(([label, at]) => (
        <li key={label} data-done={at !== null || undefined}>
          <span>{label}</span>
          <small>
            <Instant at={at} none="未到" />
          </small>
        </li>
      ))}
    </ol>
  )
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
