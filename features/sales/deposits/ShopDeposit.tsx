import { useQuery } from '@tanstack/react-query'
import { formatCents } from '#kit/money.ts'
import { usePermission } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { depositsApi } from './depositsApi.tsx'

/** What is held of a shop and what it has yet to pay, leading to its deposits. */
export function ShopDeposit({ merchantId }: { merchantId: number }) {
  const may = usePermission('deposits.list')
  const { data } = useQuery({ ...depositsApi.ofShop.query({ merchantId }), enabled: may })
  if (!may || !data) return '—'
  const { heldFen, waiting } = data
  return (
    <Link to="/admin/tool/importDeposit" search={{ search: String(merchantId) }}>
      {heldFen > 0 ? `${formatCents(heldFen)} 元` : '无'}
      {waiting > 0 && `（${waiting} 笔待支付）`}
    </Link>
  )
}
