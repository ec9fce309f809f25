import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { api } from '#web/client/api.ts'
import { useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Tabs } from '#web/form/Tabs.tsx'
import type { shopPages } from './contract.ts'
import styles from './customization.module.css'
import { PageEditor } from './PageEditor.tsx'

const shopPagesApi = api<typeof shopPages>('shopPages')
const OfferEditor = lazy(() => import('./OfferEditor.tsx'))

/** What the agent's shops see at their pages (D3 customization); `?view=offer` shows what they may renew there. */
export default function CustomizationPage() {
  const [{ view }] = usePageSearch<'/admin/account/customization'>()
  const navigate = useNavigate()
  const maySell = usePermission('shopPages.offer')
  const tabs = [
    { key: 'page', label: '首页内容', content: <Editor /> },
    ...(maySell
      ? [
          {
            key: 'offer',
            label: '在线续费',
            content: (
              <Suspense fallback={<LoadingLines lines={8} />}>
                <OfferEditor />
              </Suspense>
            ),
          },
        ]
      : []),
  ]
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>首页自定义</h1>
      <p className={styles.intro}>
        商户在自己的门店页面看到这里的内容。每家商户的页面链接在商户详情的“门店页面”中生成。
      </p>
      {maySell ? (
        <Tabs
          tabs={tabs}
          shown={view}
          onChange={key =>
            void navigate({
              to: '/admin/account/customization',
              search: key === 'offer' ? { view: key } : {},
              replace: true,
            })
          }
        />
      ) : (
        <Editor />
      )}
      <p className={styles.more}>
        <Renewals />
      </p>
    </div>
  )
}

function Renewals() {
  return usePermission('shopPages.renewals') ? (
    <Link to="/admin/order/onlineRenewals" className={look.inText}>
      查看在线续费订单
    </Link>
  ) : null
}

function Editor() {
  const settings = useQuery(shopPagesApi.settings.query())
  if (settings.isError) return <LoadFailure error={settings.error} onRetry={() => void settings.refetch()} />
  return settings.data ? <PageEditor settings={settings.data} /> : <LoadingLines lines={12} />
}
