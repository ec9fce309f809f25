import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { merchants } from '#features/merchants/contract.ts'
import { refuseShop } from '#features/services/rules.ts'
import { SMS_REFUSALS } from '#features/sms/rules.ts'
import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { buttonLook } from '#web/Button.tsx'
import { Count } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage, type RowAction } from '#web/list/ListPage.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import { StatusTag } from '#web/StatusTag.tsx'
import { usePermission, useSession } from '#web/session.ts'
import type { messages } from './contract.ts'
import styles from './messages.module.css'
import { FORECAST } from './rules.ts'

const messagesApi = api<typeof messages>('messages')
const merchantsApi = api<typeof merchants>('merchants')
const ForecastFilters = lazy(() => import('./ForecastFilters.tsx'))
const SmsPackageDialog = lazy(() => import('#features/sms/SmsPackageDialog.tsx'))
const SmsGiftDialog = lazy(() => import('#features/sms/SmsGiftDialog.tsx'))

type Answer = Out<typeof messages.forecast>
type Row = Answer['rows'][number]
export type ForecastParams = ListParams & {
  of?: 'merchant' | 'agent'
  agentId?: number
  driesUp?: 'true'
}
type Asked = { what: 'package' | 'gift'; id: number }

/** Whose SMS credit runs out first, and the ways to do something about it (issue of the forecast: days left). */
export default function SmsForecastPage() {
  const session = useSession()
  const [params] = useListParams<ForecastParams>()
  const [asked, setAsked] = useState<Asked | null>(null)
  const ofAgents = params.of === 'agent'
  const may = (permission: string) => session.permissions.includes(permission)
  const hasActions = !ofAgents && may('merchants.details') && (may('sms.buy') || may('sms.gift'))
  return (
    <>
      <ListPage<Row, ForecastParams, Answer>
        title="短信余量预测"
        listKey="messages.forecast"
        queryKey={['messages', 'forecast']}
        fetchPage={({ sort: _sort, order: _order, ...wanted }) => messagesApi.forecast(wanted)}
        rowKey={row => row.id}
        columns={columnsFor(ofAgents, session.isVendorStaff)}
        searchPlaceholder={ofAgents ? '代理商ID / 名称' : '商户ID / 店铺名称'}
        filters={<ForecastFilters />}
        activeFilters={useChips()}
        summary={answer => <Summary answer={answer} />}
        emptyText="近30天没有使用短信，暂时无法预测"
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
    queryKey: ['merchants', 'details', asked.id],
    queryFn: () => merchantsApi.details({ id: asked.id }),
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

function columnsFor(ofAgents: boolean, isStaff: boolean): ListColumn<Row>[] {
  return [
    {
      key: 'id',
      title: ofAgents ? '代理商ID' : '商户ID',
      width: 96,
      fixed: 'start',
      copy: row => String(row.id),
      render: row => <span className={look.number}>{row.id}</span>,
    },
    {
      key: 'name',
      title: ofAgents ? '代理商' : '店铺名称',
      width: 200,
      copy: row => row.name,
      render: row => row.name,
      card: 'title',
    },
    {
      key: 'daysLeft',
      title: '预计可用',
      width: 160,
      copy: row => String(row.daysLeft),
      render: row => (
        <span className={styles.sentState}>
          <span className={look.number}>{daysText(row.daysLeft)}</span>
          {row.driesUp && (
            <StatusTag tone={row.balance === 0 ? 'problem' : 'attention'}>
              {row.balance === 0 ? '已用尽' : '本周将用尽'}
            </StatusTag>
          )}
        </span>
      ),
      card: 'fact',
    },
    {
      key: 'lastDay',
      title: '用尽日期',
      width: 112,
      copy: row => row.lastDay,
      render: row => <span className={look.number}>{row.daysLeft > 365 ? '—' : row.lastDay}</span>,
    },
    {
      key: 'balance',
      title: '短信余额（条）',
      width: 112,
      align: 'right',
      copy: row => String(row.balance),
      render: row => <Count value={row.balance} />,
      card: 'fact',
    },
    {
      key: 'used',
      title: `近${FORECAST.days}天用量（条）`,
      width: 128,
      align: 'right',
      copy: row => String(row.used),
      render: row => <Count value={row.used} />,
      card: 'fact',
    },
    {
      key: 'perDayTenths',
      title: '日均（条）',
      width: 88,
      align: 'right',
      copy: row => String(row.perDayTenths / 10),
      render: row => <span className={look.number}>{(row.perDayTenths / 10).toFixed(1)}</span>,
    },
    ...(isStaff && !ofAgents
      ? [
          {
            key: 'agentName',
            title: '代理商',
            width: 200,
            copy: (row: Row) => `${row.agentName}（${row.agentId}）`,
            render: (row: Row) => `${row.agentName}（${row.agentId}）`,
          },
        ]
      : []),
  ]
}

/** One's own credit as a figure with the way to top it up, and how many shops run out this week. */
function Summary({ answer }: { answer: Answer }) {
  const [params, setParams] = useListParams<ForecastParams>()
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
        <Link className={buttonLook()} to={'/admin/account/msgRecharge' as never}>
          扫码充值
        </Link>
      )}
      <button
        type="button"
        className={styles.forecastDry}
        aria-pressed={String(params.driesUp) === 'true'}
        onClick={() => setParams({ driesUp: String(params.driesUp) === 'true' ? undefined : 'true' })}
      >
        本周将用尽 <b data-tone={dryingUp > 0 ? 'attention' : undefined}>{formatCount(dryingUp)}</b>{' '}
        {params.of === 'agent' ? '家代理商' : '家商户'}
      </button>
    </div>
  )
}

function useChips(): ActiveFilter[] {
  const [{ of, agentId, driesUp }] = useListParams<ForecastParams>()
  return [
    ...(of === 'agent' ? [{ key: 'of', label: '对象', text: '代理商' }] : []),
    ...(driesUp === undefined ? [] : [{ key: 'driesUp', label: '余量', text: '本周将用尽' }]),
    ...(agentId === undefined ? [] : [{ key: 'agentId', label: '代理商', text: String(agentId) }]),
  ]
}
