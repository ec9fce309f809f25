import { lazy } from 'react'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { AdjustVersion } from './AdjustVersion.tsx'
import { RecentActions } from './RecentActions.tsx'
import { ToolPage } from './ToolPage.tsx'
import styles from './tools.module.css'

const MoveShop = lazy(() => import('./MoveShop.tsx'))

/** Service-provider and version adjustment (D2 screen 9); the first is the operator's alone. */
export default function AdjustPage() {
  const mayMove = usePermission('aftersales.provider')
  return (
    <ToolPage
      title="商户调整"
      intro={mayMove ? '更换商户的服务商，或调整商户的软件版本。' : '调整商户的软件版本。'}
    >
      {mayMove && (
        <Suspense fallback={<div className={styles.toolWait} />}>
          <MoveShop />
        </Suspense>
      )}
      <AdjustVersion />
      <RecentActions of="adjustActions" />
    </ToolPage>
  )
}
