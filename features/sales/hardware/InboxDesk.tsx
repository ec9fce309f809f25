import { useQuery } from '@tanstack/react-query'
import { formatCents } from '#kit/money.ts'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Copyable, Instant, PhoneNumber } from '#web/controls/format.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { hardware, OrderRow } from './contract.ts'
import { HARDWARE_ORDER_FIELDS } from './fields.ts'
import { useOrderSteps } from './OrderSteps.tsx'

const hardwareApi = api<typeof hardware>('hardware')

/** An order over the inbox: what goes where, and its next step. */
export default function InboxDesk({ item: { title, about }, onClose }: InboxDeskProps) {
  const found = useQuery(hardwareApi.orders.query({ search: about }))
  const steps = useOrderSteps()
  const row = found.data?.rows.find(({ orderNo }) => orderNo === about)
  return (
    <>
      <Dialog
        title={title}
        width={560}
        onClose={onClose}
        footer={
          <>
            <CloseButton>关闭</CloseButton>
            {row &&
              steps
                .actionsOf(row)
                .filter(({ disabled }) => !disabled)
                .map(({ key, label, danger, onClick }, at) => (
                  <Button
                    key={key}
                    changes
                    kind={at === 0 && !danger ? 'primary' : 'plain'}
                    onClick={onClick}
                  >
                    {label}
                  </Button>
                ))}
          </>
        }
      >
        {found.isError ? (
          <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
        ) : row ? (
          <Order row={row} />
        ) : found.data ? (
          <DialogText>没有这笔订单，可能已被取消</DialogText>
        ) : (
          <LoadingLines lines={6} />
        )}
      </Dialog>
      {steps.dialogs}
    </>
  )
}

function Order({ row }: { row: OrderRow }) {
  const { agentName, lines, totalCents, contactName, contactPhone, fullAddress, createdAt } = row
  return (
    <DialogText>
      <Facts>
        <Fact label={HARDWARE_ORDER_FIELDS.agentName.label}>{agentName}</Fact>
        <Fact label={HARDWARE_ORDER_FIELDS.lines.label}>
          {lines.map(({ productName, quantity }) => `${productName}×${quantity}`).join('；')}
        </Fact>
        <Fact label={HARDWARE_ORDER_FIELDS.totalCents.label}>{formatCents(totalCents)} 代币</Fact>
        <Fact label={HARDWARE_ORDER_FIELDS.contactName.label}>
          {contactName} <PhoneNumber number={contactPhone} />
        </Fact>
        <Fact label={HARDWARE_ORDER_FIELDS.fullAddress.label}>
          <Copyable text={fullAddress} />
        </Fact>
        <Fact label={HARDWARE_ORDER_FIELDS.createdAt.label}>
          <Instant at={createdAt} />
        </Fact>
        {row.trackingNo && (
          <Fact label={HARDWARE_ORDER_FIELDS.trackingNo.label}>
            {row.carrier} {row.trackingNo}
          </Fact>
        )}
      </Facts>
    </DialogText>
  )
}
