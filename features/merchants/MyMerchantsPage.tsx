import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useReminders } from '#features/messages/Reminders.tsx'
import { useTrade } from '#features/purchases/MerchantTrade.tsx'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { ListPage, type RowAction } from '#web/ListPage.tsx'
import { type Session, useSession } from '#web/session.ts'
import { useListParams } from '#web/useListParams.ts'
import type { merchants } from './contract.ts'
import { useDrawer } from './MerchantDrawerAddress.tsx'
import { type ListParams, useFilterChips } from './MerchantFilterChips.tsx'
import { REMARK, SIGNATURE } from './MerchantInPlace.tsx'
import { STEP_WORDS, stepOf, useStatusStep } from './MerchantStatusStep.tsx'
import { COLUMNS, type Column, exportAddress, type Row } from './merchantColumns.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantFilters = lazy(() => import('./MerchantFilters.tsx'))
const MerchantDrawer = lazy(() => import('./MerchantDrawer.tsx'))

/** The merchant list (D1 §2, §9). `?user_id=` in its address opens the details over it. */
export default function MyMerchantsPage() {
  const session = useSession()
  const navigate = useNavigate()
  const [params, setParams] = useListParams<ListParams>()
  const step = useStatusStep()
  const trade = useTrade()
  const reminders = useReminders('批量发送续费提醒')
  const chips = useFilterChips(params)
  const drawer = useDrawer()
  const columns = useMemo(() => columnsFor(session), [session])
  useRefreshRequest()
  const mayAdd = session.permissions.includes('merchants.add')
  const add = (
    <Button kind="primary" onClick={() => void navigate({ to: '/admin/merchant/addUser' })}>
      新增商户
    </Button>
  )
  return (
    <>
      <ListPage<Row, ListParams>
        title="我的商户"
        listKey="merchants.list"
        main={mayAdd ? add : undefined}
        queryKey={['merchants', 'list']}
        fetchPage={wanted => merchantsApi.list(wanted)}
        rowKey={row => row.id}
        columns={columns}
        searchPlaceholder="商户ID / 姓名 / 店铺 / 账号 / 推荐人"
        filters={
          <MerchantFilters
            params={params}
            onChange={setParams}
            agents={session.isVendorStaff ? 'all' : 'none'}
          />
        }
        activeFilters={chips}
        ownParams={['user_id', 'x']}
        openKey={drawer.id}
        exportHref={(wanted, shown) => exportAddress('/api/merchants/export.xlsx', wanted, shown)}
        exportPermission="merchants.export"
        emptyText="还没有商户"
        emptyAction={mayAdd ? add : undefined}
        onOpen={session.permissions.includes('merchants.details') ? row => drawer.open(row.id) : undefined}
        rowActions={row => actionsFor(row, session, drawer.open, step.ask, trade.actionsOf(row))}
        actionsWidth={152}
        bulk={reminders.bulk}
      />
      {trade.dialog}
      {reminders.dialog}
      <Suspense>{drawer.id !== null && <MerchantDrawer id={drawer.id} onClose={drawer.close} />}</Suspense>
    </>
  )
}

function columnsFor(session: Session): Column[] {
  const { id, shopName, personName, account, versionName, industryName, registeredAt, expiresAt } = COLUMNS
  const { lastLoginAt, referrer, managerName, verificationStatus, status, agentName } = COLUMNS
  return [
    id,
    shopName,
    personName,
    account,
    versionName,
    industryName,
    registeredAt,
    expiresAt,
    lastLoginAt,
    referrer,
    managerName,
    REMARK,
    SIGNATURE,
    verificationStatus,
    status,
    ...(session.isVendorStaff ? [agentName] : []),
  ]
}

function actionsFor(
  row: Row,
  session: Session,
  open: (id: number) => void,
  ask: (row: Row) => void,
  trade: RowAction[],
): RowAction[] {
  const action = stepOf(row.status)
  const allowed = (permission: string) => session.permissions.includes(permission)
  return [
    ...(allowed('merchants.details') ? [{ key: 'details', label: '详情', onClick: () => open(row.id) }] : []),
    ...trade,
    ...(allowed('merchants.status')
      ? [
          {
            key: action,
            label: STEP_WORDS[action],
            onClick: () => ask(row),
          },
        ]
      : []),
  ]
}

/** D1 §2: x=1 asks for fresh rows, x=2 for the first page of them. The request is taken out of the address again. */
function useRefreshRequest() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { x } = useSearch({ strict: false }) as { x?: number | string }
  useEffect(() => {
    if (x === undefined) return
    const page = String(x) === '2' ? { page: undefined } : {}
    void queries.invalidateQueries({ queryKey: ['merchants', 'list'] })
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, ...page, x: undefined }),
      replace: true,
    })
  }, [x, queries, navigate])
}
