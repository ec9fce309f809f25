import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, useEffect, useRef } from 'react'
import { api } from '#web/client/api.ts'
import { usePageSearch } from '#web/client/navigation.ts'
import { allows, useSession } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Tabs } from '#web/form/Tabs.tsx'
import { useTabName } from '#web/shell/tab-name.ts'
import type { partnerDesk } from './contract.ts'
import { Overview } from './Overview.tsx'
import { type Partner, PartnerHead } from './PartnerHead.tsx'
import styles from './partner-desk.module.css'

const deskApi = api<typeof partnerDesk>('partnerDesk')
const lists = () => import('./PartnerLists.tsx')
const ShopsTab = lazy(() => lists().then(file => ({ default: file.ShopsTab })))
const OrdersTab = lazy(() => lists().then(file => ({ default: file.OrdersTab })))
const LedgerTab = lazy(() => lists().then(file => ({ default: file.LedgerTab })))
const PeopleTab = lazy(() => import('./PeopleTab.tsx'))
const SignInsTab = lazy(() => import('./SignInsTab.tsx'))
const NotesTab = lazy(() => import('./NotesTab.tsx'))
const LogTab = lazy(() => import('./LogTab.tsx'))
const PapersTab = lazy(() => import('./PapersTab.tsx'))

type TabOf = { key: string; label: string; permission?: string; of: (partner: Partner) => ReactNode }

const TABS: readonly TabOf[] = [
  { key: 'overview', label: '概况', of: partner => <Overview partner={partner} /> },
  { key: 'shops', label: '商户', permission: 'merchants.list', of: ({ id }) => <ShopsTab id={id} /> },
  { key: 'orders', label: '订单', permission: 'orders.list', of: ({ id }) => <OrdersTab id={id} /> },
  { key: 'ledger', label: '账目', permission: 'ledger.changes', of: ({ id }) => <LedgerTab id={id} /> },
  { key: 'people', label: '人员', of: ({ id }) => <PeopleTab id={id} /> },
  { key: 'sign-ins', label: '登录记录', of: ({ id }) => <SignInsTab id={id} /> },
  { key: 'notes', label: '备注', of: ({ id }) => <NotesTab id={id} /> },
  { key: 'log', label: '操作日志', permission: 'operationLog.list', of: ({ id }) => <LogTab id={id} /> },
  { key: 'papers', label: '资料', of: partner => <PapersTab partner={partner} /> },
]

/** One partner: what it is, what it has, who works there, and what was said and signed. */
export default function PartnerPage() {
  const { id: text = '' } = useParams({ strict: false }) as { id?: string }
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id <= 0)
    return (
      <div className={look.page}>
        <h1 className={look.pageTitle}>代理商详情</h1>
        <EmptyState title="没有指定代理商" role="alert">
          <p>地址中没有代理商编号，请从代理商列表打开</p>
        </EmptyState>
      </div>
    )
  return <PartnerOf key={id} id={id} />
}

function PartnerOf({ id }: { id: number }) {
  const partner = useQuery(deskApi.details.query({ id }))
  const [{ tab }, ask] = usePageSearch<'/admin/operations/agents/$id'>()
  const session = useSession()
  const { data } = partner
  useTabName(data?.companyName)
  const bar = useRef<HTMLDivElement>(null)
  const isThere = data !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the bar is wider than a phone, the tab that is chosen comes into view.
  useEffect(() => {
    const chosen = bar.current?.querySelector('[role="tab"][aria-selected="true"]')
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab, isThere])
  if (!data)
    return (
      <div className={look.page}>
        <h1 className={look.pageTitle}>代理商详情</h1>
        {partner.isError ? (
          <LoadFailure error={partner.error} onRetry={() => void partner.refetch()} />
        ) : (
          <LoadingLines lines={12} />
        )}
      </div>
    )
  const tabs = TABS.filter(({ permission = 'session' }) => allows(session, permission)).map(
    ({ key, label, of }) => ({
      key,
      label,
      content: <Suspense fallback={<LoadingLines lines={8} />}>{of(data)}</Suspense>,
    }),
  )
  return (
    <div className={`${look.page} ${styles.page}`}>
      <PartnerHead partner={data} />
      <div ref={bar} className={styles.tabs}>
        <Tabs
          tabs={tabs}
          shown={tab}
          onChange={key => ask({ tab: key === 'overview' ? undefined : key }, { replace: true })}
        />
      </div>
    </div>
  )
}
