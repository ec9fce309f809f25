import { useIsFetching } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import type { access } from '#features/access/contract.ts'
import { ConsultationClock } from '#features/consultations/ConsultationClock.tsx'
import { startExport } from '#features/exports/ExportStart.tsx'
import { WalletBalance } from '#features/ledger/WalletBalance.tsx'
import type { merchants } from '#features/merchants/contract.ts'
import { NoticeBell } from '#features/notices/NoticeBell.tsx'
import type { TopicQueries } from '#features/notices/NoticeChannel.tsx'
import { OverdueBell } from '#features/renewals/OverdueBell.tsx'
import { useColumns, useViews } from '#features/views/ListSettings.tsx'
import { api, isLeaving, messageOf } from '#web/api.ts'
import { confirm } from '#web/confirm.ts'
import { rememberPermissions } from '#web/early.ts'
import { IconHome, IconOperations, IconShop, IconUser, IconWallet } from '#web/icons.tsx'
import { type ListServices, ListServicesContext } from '#web/list/list-services.ts'
import { Permit } from '#web/Permit.tsx'
import { allows, PagesContext, useSession } from '#web/session.ts'
import { Shell } from '#web/shell/Shell.tsx'
import { toast } from '#web/toast.ts'
import { forgetSignedIn, rememberSignedIn, takeWelcome } from '#web/welcome.ts'
import { HOME_PATH, LOGIN_PATH, ROUTE_PAGES } from './route-pages.ts'

const accessApi = api<typeof access>('access')
const merchantsApi = api<typeof merchants>('merchants')

const ExportTasks = lazy(() => import('#features/exports/ExportTasks.tsx'))
const NoticeChannel = lazy(() => import('#features/notices/NoticeChannel.tsx'))

const SERVICES: ListServices = { useColumns, useViews, startExport }

/** What is asked for again when a notice of the topic comes. */
const TOPIC_QUERIES: TopicQueries = {
  FeedBackUserSendMsg: ['feedback'],
  Refresh_Signature_Notify: ['merchants'],
  PaymentStatus_Notify: ['ledger', 'payments', 'paymentDesk', 'sms', 'smsDesk', 'dashboard'],
  Balance_Notify: ['ledger'],
  Consultation_Notify: ['consultations'],
  Campaign_Notify: ['campaigns', 'messageDesk'],
  PaymentTrouble_Notify: ['paymentDesk'],
  SmsTrouble_Notify: ['messageDesk'],
}

const MENU_ICONS = {
  home: <IconHome />,
  merchants: <IconShop />,
  settlement: <IconWallet />,
  operations: <IconOperations />,
  account: <IconUser />,
}

/** Pages of everyone's own that no node of the side menu leads to. */
const ACCOUNT_PAGES = ROUTE_PAGES.filter(({ path }) =>
  ['/admin/account/notices', '/admin/account/exports'].includes(path),
)

const CALM_MS = 150

/** The shell with what the features put into it. */
export function Frame({ children, onNear }: { children: ReactNode; onNear: (path: string) => void }) {
  const session = useSession()
  const mayFind = allows(session, 'merchants.list') && allows(session, 'merchants.details')
  const calm = useCalm()
  useEffect(() => {
    rememberSignedIn()
    if (takeWelcome()) toast.success('欢迎回来')
  }, [])
  useEffect(() => rememberPermissions(session.permissions), [session.permissions])
  return (
    <Shell
      pages={ROUTE_PAGES}
      homePath={HOME_PATH}
      menuIcons={MENU_ICONS}
      tools={
        <>
          <Permit permission="ledger.wallet">
            <WalletBalance enabled={calm} />
          </Permit>
          <Suspense>{calm && <ExportTasks />}</Suspense>
          <Permit permission="merchants.overdue">
            <OverdueBell enabled={calm} />
          </Permit>
          <Permit permission="consultations.list">
            <ConsultationClock enabled={calm} />
          </Permit>
          <NoticeBell enabled={calm} />
        </>
      }
      find={mayFind ? { name: '商户', hint: '商户ID、店铺或账号', ask: findMerchants } : null}
      onNear={onNear}
      accountPages={ACCOUNT_PAGES}
      onSignOut={() => void signOut()}
      notices={<Suspense>{calm && <NoticeChannel queriesOf={TOPIC_QUERIES} />}</Suspense>}
    >
      <PagesContext value={ROUTE_PAGES}>
        <ListServicesContext value={SERVICES}>{children}</ListServicesContext>
      </PagesContext>
    </Shell>
  )
}

/** True once the page's own first requests have been answered; what stands in the header waits for them. */
function useCalm(): boolean {
  const fetching = useIsFetching()
  const [calm, setCalm] = useState(false)
  useEffect(() => {
    if (calm || fetching > 0) return
    const timer = setTimeout(() => setCalm(true), CALM_MS)
    return () => clearTimeout(timer)
  }, [calm, fetching])
  return calm
}

async function findMerchants(search: string) {
  const { rows } = await merchantsApi.find({ search })
  return rows.map(row => ({
    key: `merchant-${row.id}`,
    label: row.shopName,
    hint: `${row.id} · ${row.account}`,
    href: `/admin/merchant/merchantDetails?user_id=${row.id}`,
  }))
}

async function signOut(): Promise<void> {
  const sure = await confirm({
    title: '退出登录？',
    text: '退出后需要重新输入账号和密码',
    confirmText: '退出登录',
  })
  if (!sure) return
  // Before the session ends, since other pages and the socket hear of that at once.
  forgetSignedIn()
  try {
    await accessApi.logout()
  } catch (error) {
    // The answer may be lost though the session has ended, of which the socket hears first.
    const session = await fetch('/api/session').catch(() => null)
    if (isLeaving()) return
    if (session?.status !== 401) {
      rememberSignedIn()
      toast.error(messageOf(error))
      return
    }
  }
  sessionStorage.clear()
  // A fresh load, so that nothing of this account stays in memory.
  location.replace(LOGIN_PATH)
}
