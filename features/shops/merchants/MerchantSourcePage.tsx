import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { merchants } from './contract.ts'
import { MERCHANT_SOURCES } from './fields.ts'
import { PLAIN_CELLS } from './merchantCells.tsx'
import { useDrawer } from './ShopAddress.tsx'

const merchantsApi = api<typeof merchants>('merchants')
const MerchantDrawer = lazy(() => import('./MerchantDrawer.tsx'))

/** Where the shops of all agents came from (D2 §2 screen 3). */
export default function MerchantSourcePage() {
  const drawer = useDrawer()
  const mayOpen = usePermission('merchants.details')
  return (
    <>
      <List
        of={MERCHANT_SOURCES}
        from={merchantsApi.bySource}
        cells={PLAIN_CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        openKey={drawer.id}
        onOpen={mayOpen ? row => drawer.open(row.id) : undefined}
      />
      <Suspense>{drawer.id !== null && <MerchantDrawer id={drawer.id} onClose={drawer.close} />}</Suspense>
    </>
  )
}
