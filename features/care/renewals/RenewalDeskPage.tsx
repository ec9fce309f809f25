import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { useOrigin } from '#features/sales/purchases/PurchaseOrigin.tsx'
import { NOT_OWN_SHOP } from '#features/sales/purchases/rules.ts'
import { useDrawer } from '#features/shops/merchants/ShopAddress.tsx'
import { useCall, useReminders, useTrade } from '#features/shops/merchants/slots.tsx'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { type Session, useSession } from '#web/client/session.ts'
import { IconMessage, IconRenew } from '#web/controls/icons.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { keyNames } from '#web/keys/keys.ts'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import type { renewals } from './contract.ts'
import { DeskSummary } from './DeskSummary.tsx'
import { DESK_CELLS, type Row } from './deskCells.tsx'
import { RENEWAL_DESK } from './fields.ts'
import { DESK_ORDERS, type DeskOrder, WINDOWS, type Window } from './rules.ts'
import { managerOptions } from './useDeskCounts.tsx'

const renewalsApi = api<typeof renewals>('renewals')
const MerchantDrawer = lazy(() => import('#features/shops/merchants/MerchantDrawer.tsx'))
const MarkDialog = lazy(() => import('./MarkDialog.tsx'))
const MarkHistoryDialog = lazy(() => import('./MarkHistoryDialog.tsx'))

const DEFAULT_WINDOW: Window = '30'

/** A number in the address reads as one. */
function windowOf(text: Window | number | undefined): Window {
  return WINDOWS.find(window => window === String(text)) ?? DEFAULT_WINDOW
}

type Opened = { kind: 'mark' | 'history'; row: Row }

/** What to renew next: shops near their end, ranked with the reason, and everything that is done about it. */
export default function RenewalDeskPage() {
  const session = useSession()
  const [params, setParams] = useListParams(RENEWAL_DESK)
  const [{ window: asked, orderBy: askedOrder }, setAsked] = useListParams<
    ListParams & { window?: Window | number; orderBy?: DeskOrder }
  >()
  const drawer = useDrawer()
  const reminders = useReminders('批量提醒')
  const trade = useTrade()
  const [opened, setOpened] = useState<Opened | null>(null)
  const steps = useSteps({ session, setOpened, remindersOf: row => reminders.actionsOf(remindable(row)) })
  const shown = windowOf(asked)
  const orderBy = DESK_ORDERS.find(order => order === askedOrder)
  const close = () => setOpened(null)
  const may = (permission: string) => session.permissions.includes(permission)
  return (
    <>
      <List
        of={RENEWAL_DESK}
        from={renewalsApi.desk}
        asking={{ window: shown, ...(orderBy && { orderBy }) }}
        cells={DESK_CELLS}
        options={{ managerId: managerOptions(params.agentId, shown), agentId: AGENT_OPTIONS }}
        openKey={drawer.id}
        summary={() => (
          <DeskSummary
            agentId={params.agentId}
            window={shown}
            orderBy={orderBy ?? 'date'}
            managerId={params.managerId}
            onChange={setParams}
            onWindow={window => setAsked({ window })}
            onOrder={order => setAsked({ orderBy: order === 'date' ? undefined : order })}
            keys={steps.keys.map(({ press, does }) => `${keyNames(press).join(' ')} ${does}`).join(' · ')}
          />
        )}
        onOpen={may('merchants.details') ? row => drawer.open(row.id) : undefined}
        rowActions={row => [
          ...steps.actionsOf(row),
          ...(may('merchants.details')
            ? [{ key: 'details', label: '商户详情', reads: true, onClick: () => drawer.open(row.id) }]
            : []),
        ]}
        actionsWidth={136}
        rowKeys={steps.keys}
        bulk={
          trade.bulk || reminders.bulk
            ? (rows, clear) => (
                <>
                  {reminders.bulk?.(rows.map(remindable), clear)}
                  {trade.bulk?.(rows, clear)}
                </>
              )
            : undefined
        }
      />
      <Suspense>
        {drawer.id !== null && <MerchantDrawer id={drawer.id} onClose={drawer.close} />}
        {opened?.kind === 'mark' && <MarkDialog shop={opened.row} onClose={close} />}
        {opened?.kind === 'history' && <MarkHistoryDialog shop={opened.row} onClose={close} />}
      </Suspense>
      {trade.dialog}
      {reminders.dialog}
    </>
  )
}

/** The desk holds no disabled shops. */
function remindable(row: Row) {
  return { ...row, status: 'normal' as const }
}

type StepsInput = {
  session: Session
  setOpened: (opened: Opened) => void
  remindersOf: (row: Row) => RowAction[]
}

/** What can be done with a row, as actions and as keys on the focused row: C call, R remind, N renew, M mark. */
function useSteps({ session, setOpened, remindersOf }: StepsInput) {
  const navigate = useNavigate()
  const origin = useOrigin()
  const call = useCall()
  const may = (permission: string) => session.permissions.includes(permission)
  const stepsOf = (row: Row): (RowAction & { shortcut?: string })[] => [
    ...(may('purchases.buy') && !(session.isVendorStaff && row.agentId !== session.agentId)
      ? [
          {
            key: 'renew',
            label: '续费',
            shortcut: 'n',
            icon: <IconRenew size={20} />,
            disabled: row.agentId === session.agentId ? null : NOT_OWN_SHOP,
            onClick: () =>
              void navigate({
                to: '/admin/merchant/versionUp1',
                search: { user_id: row.id, sv_versionid: row.versionId, from: origin },
              }),
          },
        ]
      : []),
    ...(may('renewals.mark')
      ? [
          {
            key: 'mark',
            label: '跟进',
            shortcut: 'm',
            onClick: () => setOpened({ kind: 'mark', row }),
          },
        ]
      : []),
    ...remindersOf(row).map(action => ({ ...action, shortcut: 'r', icon: <IconMessage size={20} /> })),
    { ...call(row), shortcut: 'c' },
    { key: 'history', label: '跟进记录', reads: true, onClick: () => setOpened({ kind: 'history', row }) },
  ]
  const press = (key: string) => (row: Row) => {
    const step = stepsOf(row).find(({ shortcut }) => shortcut === key)
    if (step?.disabled) toast.warning(step.disabled)
    else step?.onClick?.()
  }
  const keys: [permission: string, press: string, does: string][] = [
    ['session', 'c', '复制电话'],
    ['messageDesk.remind', 'r', '提醒'],
    ['purchases.buy', 'n', '续费'],
    ['renewals.mark', 'm', '跟进'],
  ]
  return {
    actionsOf: (row: Row): RowAction[] => stepsOf(row).map(({ shortcut: _shortcut, ...action }) => action),
    keys: keys
      .filter(([permission]) => permission === 'session' || may(permission))
      .map(([, key, does]) => ({ press: key, does, act: press(key) })),
  }
}
