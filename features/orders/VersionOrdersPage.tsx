import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { CappedNotes, RowCount, Sum } from '#features/services/OrderTotals.tsx'
import { exportAddress } from '#features/services/orderActions.tsx'
import { formatCents } from '#kit/money.ts'
import { api } from '#web/api.ts'
import { buttonLook } from '#web/Button.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { Permit } from '#web/Permit.tsx'
import { useSession } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { orders } from './contract.ts'
import { type OrderParams, useActiveFilters } from './OrderChips.tsx'
import { useDiscard } from './OrderDiscard.tsx'
import { type Answer, COLUMNS, type Row, STAFF_COLUMNS } from './orderColumns.tsx'

const ordersApi = api<typeof orders>('orders')
const VersionOrderFilters = lazy(() => import('./VersionOrderFilters.tsx'))
const OrderRemarkDialog = lazy(() => import('./OrderRemarkDialog.tsx'))

/** Version orders (D2 screen 12): what was sold to whom, for how much, by whom. */
export default function VersionOrdersPage() {
  const session = useSession()
  const navigate = useNavigate()
  const [edited, setEdited] = useState<Row | null>(null)
  const mayOpen = session.permissions.includes('merchants.details')
  const open = (row: Row) => {
    if (row.merchantId === null) return toast.info('订单支付后才有商户')
    if (row.shopName === null) return toast.info('商户已转至其他服务商')
    void navigate({ to: '/admin/merchant/merchantDetails', search: { user_id: row.merchantId } as never })
  }
  const mayRemark = session.permissions.includes('orders.remark')
  const discard = useDiscard()
  const [{ status }] = useListParams<OrderParams>()
  return (
    <>
      <ListPage<Row, OrderParams, Answer>
        title="版本订单"
        listKey="orders.list"
        main={<PrintLink />}
        queryKey={['orders', 'list']}
        fetchPage={params => ordersApi.list(params)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? STAFF_COLUMNS : COLUMNS}
        searchPlaceholder="订单号 / 商户ID / 账号 / 店铺名称"
        filters={<VersionOrderFilters />}
        activeFilters={useActiveFilters()}
        summary={totals => <Totals totals={totals} />}
        exportHref={params => exportAddress('/api/orders/export.xlsx', params)}
        exportPermission="orders.export"
        emptyText="还没有版本订单，新增商户或购买版本后会显示在这里"
        onOpen={mayOpen ? open : undefined}
        rowActions={
          mayRemark
            ? row => [
                ...discard.actionsOf(row),
                { key: 'remark', label: '修改备注', onClick: () => setEdited(row) },
              ]
            : undefined
        }
        actionsWidth={status === 'quoted' ? 144 : 88}
      />
      {edited && (
        <Suspense>
          <OrderRemarkDialog order={edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </>
  )
}

/** The same list for paper. */
function PrintLink() {
  const [{ page: _page, size: _size, ...filters }] = useListParams<OrderParams>()
  return (
    <Permit permission="orders.export">
      <Link className={buttonLook()} to="/admin/order/versionsOrderPrint" search={filters as never}>
        打印列表
      </Link>
    </Permit>
  )
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <RowCount totals={totals} label="订单" />
      <Sum label="已支付结算" value={formatCents(totals.settledCents)} unit="代币" />
      <CappedNotes totals={totals} summed="结算" />
    </>
  )
}
