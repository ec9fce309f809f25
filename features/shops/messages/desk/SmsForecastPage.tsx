import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { refuseShop } from '#features/sales/services/rules.ts'
import { SMS_REFUSALS } from '#features/sales/sms/rules.ts'
import type { merchants } from '#features/shops/merchants/contract.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { useListParams } from '#web/list/useListParams.ts'
import type { messageDesk } from './contract.ts'
import { AGENT_FORECAST, SHOP_FORECAST } from './fields.ts'
import styles from './message-desk.module.css'
import { FORECAST } from './rules.ts'

const messageDeskApi = api<typeof messageDesk>('messageDesk')
const merchantsApi = api<typeof merchants>('merchants')
const SmsPackageDialog = lazy(() => import('#features/sales/sms/SmsPackageDialog.tsx'))
const SmsGiftDialog = lazy(() => import('#features/sales/sms/SmsGiftDialog.tsx'))

type Answer = Out<typeof messageDesk.forecast>
type Row = Answer['rows'][number]
type Asked = { what: 'package' | 'gift'; id: number }

/** Whose SMS credit runs out first, and the ways to do something about it (issue of the forecast: days left). */
export default function SmsForecastPage() {
  const session = useSession()
  const [params] = useListParams(SHOP_FORECAST)
  const [asked, setAsked] = useState<Asked | null>(null)
  const ofAgents = params.of === 'agent'
  const may = (permission: string) => session.permissions.includes(permission)
  const hasActions = !ofAgents && may('merchants.details') && (may('sms.buy') || may('sms.gift'))
  return (
    <>
      <List
        of={ofAgents ? AGENT_FORECAST : SHOP_FORECAST}
        from={messageDeskApi.forecast}
        cells={CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        summary={answer => <Summary answer={answer} />}
        rowActions={
          hasActions ? row => actionsOf(row, { may, ownAgentId: session.agentId, setAsked }) : undefined
        }
        actionsWidth={128}
      />
      {asked && <ForShop asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

type ActionsContext = {
  may: (permission: string) => boolean
  ownAgentId: number
  setAsked: (asked: Asked) => void
}

function actionsOf(row: Row, { may, ownAgentId, setAsked }: ActionsContext): RowAction[] {
  // Whether the shop is in use, the dialog says.
  const code = refuseShop({ status: 'normal', agentId: row.agentId }, ownAgentId)
  const disabled = code && SMS_REFUSALS[code]
  return [
    ...(may('sms.buy')
      ? [
          {
            key: 'package',
            label: '购买',
            disabled,
            onClick: () => setAsked({ what: 'package', id: row.id }),
          },
        ]
      : []),
    ...(may('sms.gift')
      ? [{ key: 'gift', label: '赠送', disabled, onClick: () => setAsked({ what: 'gift', id: row.id }) }]
      : []),
  ]
}

/** The shop as it is now: a list of days left tells neither its state nor what it holds this minute. */
function ForShop({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const shop = useQuery({
    ...merchantsApi.details.query({ id: asked.id }),
    staleTime: 0,
  })
  if (!shop.data) return null
  return (
    <Suspense>
      {asked.what === 'package' ? (
        <SmsPackageDialog merchant={shop.data} onClose={onClose} />
      ) : (
        <SmsGiftDialog merchant={shop.data} onClose={onClose} />
      )}
    </Suspense>
  )
}

function daysText(daysLeft: number): string {
  return daysLeft > 365 ? '一年以上' : `${formatCount(daysLeft)} 天`
}

const CELLS = {
  agentName: AGENT_CELL,
  daysLeft: (row: Row) => (
    <span className={styles.sentState}>
      <span className={look.number}>{daysText(row.daysLeft)}</span>
      {row.driesUp && (
        <StatusTag tone={row.balance === 0 ? 'problem' : 'attention'}>
          {row.balance === 0 ? '已用尽' : '本周将用尽'}
        </StatusTag>
      )}
    </span>
  ),
  lastDay: (row: Row) => <span className={look.number}>{row.daysLeft > 365 ? '—' : row.lastDay}</span>,
  perDayTenths: {
    copy: (row: Row) => String(row.perDayTenths / 10),
    render: (row: Row) => <span className={look.number}>{(row.perDayTenths / 10).toFixed(1)}</span>,
  },
}

/** One's own credit as a figure with the way to top it up, and how many shops run out this week. */
function Summary({ answer }: { answer: Answer }) {
  const [params, setParams] = useListParams(SHOP_FORECAST)
  const mayRecharge = usePermission('payments.sms')
  const { own, dryingUp } = answer
  return (
    <div className={styles.forecast}>
      <dl className={styles.forecastOwn}>
        <div>
          <dt>我的短信余额</dt>
          <dd>
            <b data-tone={own.driesUp ? 'attention' : undefined}>{formatCount(own.balance)}</b> 条
          </dd>
        </div>
        <div>
          <dt>预计可用</dt>
          <dd>
            {own.daysLeft === null ? (
              <span className={look.quiet}>近{FORECAST.days}天未使用</span>
            ) : (
              <>
                <b data-tone={own.driesUp ? 'attention' : undefined}>{daysText(own.daysLeft)}</b>
                {own.daysLeft <= 365 && ` 至 ${own.lastDay}`}
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>近{FORECAST.days}天用量</dt>
          <dd>
            <b>{formatCount(own.used)}</b> 条
          </dd>
        </div>
      </dl>
      {mayRecharge && (
        <Link className={buttonLook()} to="/admin/account/msgRecharge">
          扫码充值
        </Link>
      )}
      <button
        type="button"
        className={styles.forecastDry}
        aria-pressed={params.driesUp === true}
        onClick={() => setParams({ driesUp: params.driesUp ? undefined : true })}
      >
        本周将用尽 <b data-tone={dryingUp > 0 ? 'attention' : undefined}>{formatCount(dryingUp)}</b>{' '}
        {params.of === 'agent' ? '家代理商' : '家商户'}
      </button>
    </div>
  )
}
