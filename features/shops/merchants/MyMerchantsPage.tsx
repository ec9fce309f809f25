import { lazy, useEffect } from 'react'
import { api } from '#web/client/api.ts'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { readAgain } from '#web/client/reread.ts'
import { type Session, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { merchants } from './contract.ts'
import { MY_MERCHANTS } from './fields.ts'
import { SHOP_OPTIONS } from './MerchantOptions.tsx'
import { STEP_WORDS, stepOf, useStatusStep } from './MerchantStatusStep.tsx'
import { type Row, SHOP_CELLS } from './merchantCells.tsx'
import { useDrawer } from './ShopAddress.tsx'
import { useShopActions, useShopTools, useVerificationData } from './slots.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantDrawer = lazy(() => import('./MerchantDrawer.tsx'))

/** The merchant list (D1 §2, §9). `?user_id=` in its address opens the details over it. */
export default function MyMerchantsPage() {
  const session = useSession()
  const navigate = useNavigate()
  const step = useStatusStep()
  const shops = useShopActions('批量发送续费提醒')
  const verification = useVerificationData()
  const tools = useShopTools()
  const drawer = useDrawer()
  useRefreshRequest()
  const mayAdd = session.permissions.includes('selling.add')
  const add = (
    <Button kind="primary" onClick={() => void navigate({ to: '/admin/merchant/addUser' })}>
      新增商户
    </Button>
  )
  return (
    <>
      <List
        of={MY_MERCHANTS}
        from={merchantsApi.list}
        cells={SHOP_CELLS}
        options={SHOP_OPTIONS}
        main={mayAdd ? add : undefined}
        openKey={drawer.id}
        emptyAction={mayAdd ? add : undefined}
        onOpen={session.permissions.includes('merchants.details') ? row => drawer.open(row.id) : undefined}
        rowActions={row =>
          actionsFor(row, session, drawer.open, step.ask, [
            ...shops.actionsOf(row),
            ...verification.actionsOf(row),
            ...tools.actionsOf(row),
          ])
        }
        actionsWidth={168}
        bulk={shops.bulk}
      />
      {shops.dialogs}
      {verification.dialog}
      {tools.dialog}
      <Suspense>{drawer.id !== null && <MerchantDrawer id={drawer.id} onClose={drawer.close} />}</Suspense>
    </>
  )
}

function actionsFor(
  row: Row,
  session: Session,
  open: (id: number) => void,
  ask: (row: Row) => void,
  acts: RowAction[],
): RowAction[] {
  const action = stepOf(row.status)
  const allowed = (permission: string) => session.permissions.includes(permission)
  return [
    ...(allowed('merchants.details')
      ? [{ key: 'details', label: '详情', reads: true, onClick: () => open(row.id) }]
      : []),
    ...acts,
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
  const [{ x }, ask] = usePageSearch<'/admin/merchant/myMerchant'>()
  useEffect(() => {
    if (x === undefined) return
    readAgain('merchants.list')
    ask({ ...(x === '2' && { page: undefined }), x: undefined }, { replace: true, resetScroll: true })
  }, [x, ask])
}
