import { lazy, type ReactNode, useEffect, useMemo } from 'react'
import { ApplicationsCount } from '#features/agencies/partner-applications/ApplicationsCount.tsx'
import type { signIn } from '#features/agencies/sign-in/contract.ts'
import { Bells } from '#features/care/renewals/OverdueBell.tsx'
import { PRESENCE_EVENT, THREAD_EVENT } from '#features/care/threads/rules.ts'
import { OwnWallet, WalletBalance } from '#features/money/ledger/WalletBalance.tsx'
import { ACCESS_EVENT } from '#features/office/access/rules.ts'
import { useToldRights } from '#features/office/access/useToldRights.tsx'
import { FactorBanner } from '#features/office/factors/FactorBanner.tsx'
import { NOTICES_PATH, useUnread } from '#features/office/notices/NoticeBell.tsx'
import type { TopicQueries } from '#features/office/notices/NoticeChannel.tsx'
import { ExamplePricesBanner } from '#features/office/prices/ExamplePricesBanner.tsx'
import { endView } from '#features/office/view-as/viewing.tsx'
import { useColumns, useViews } from '#features/office/views/ListSettings.tsx'
import { startExport } from '#features/overview/exports/ExportStart.tsx'
import { useWaiting } from '#features/overview/inbox/inboxApi.tsx'
import { INBOX_PATH } from '#features/overview/inbox/pages.ts'
import { ConsultationClock } from '#features/support/consultations/ConsultationClock.tsx'
import { PageHelp } from '#features/support/help/PageHelp.tsx'
import { WORK_ORDER_EVENT, WORK_ORDER_PRESENCE_EVENT } from '#features/support/work-orders/rules.ts'
import { api, isLeaving, messageOf } from '#web/client/api.ts'
import { rememberPermissions } from '#web/client/early.ts'
import { busyWhile } from '#web/client/ready.ts'
import { allows, PagesContext, SESSION_KEY, useSession } from '#web/client/session.ts'
import { forgetSignedIn, rememberSignedIn, takeWelcome } from '#web/client/welcome.ts'
import { confirm } from '#web/controls/confirm.ts'
import {
  IconClock,
  IconColumns,
  IconDocument,
  IconHome,
  IconInbox,
  IconMessage,
  IconOperations,
  IconRenew,
  IconScan,
  IconShop,
  IconStar,
  IconTag,
  IconTool,
  IconTopUp,
  IconUser,
  IconWallet,
} from '#web/controls/icons.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { type ListServices, ListServicesContext } from '#web/list/list-services.ts'
import type { PhonePlace } from '#web/shell/PhoneBar.tsx'
import { Shell } from '#web/shell/Shell.tsx'
import type { Favourites } from '#web/shell/shell-props.ts'
import { followViews } from '#web/shell/view-changes.ts'
import { groupedFor, menuOf } from './menu.ts'
import { HOME_PATH, LOGIN_PATH, TOP_UP_PATH } from './paths.ts'
import { pageAt, ROUTE_PAGES } from './route-pages.ts'
import { useCalm } from './useCalm.tsx'

const signInApi = api<typeof signIn>('signIn')

const ExportTasks = lazy(() => import('./late.tsx').then(late => ({ default: late.ExportTasks })))
const NoticeChannel = lazy(() => import('./late.tsx').then(late => ({ default: late.NoticeChannel })))

const SERVICES: ListServices = { useColumns, useViews, startExport }

/** What is asked for again when a notice of the topic comes. */
const TOPIC_QUERIES: TopicQueries = {
  FeedBackUserSendMsg: ['feedback', 'threads', 'dashboard'],
  Refresh_Signature_Notify: ['merchants', 'approvals'],
  Approval_Notify: ['merchants', 'approvals'],
  PaymentStatus_Notify: ['ledger', 'payments', 'paymentDesk', 'sms', 'smsDesk', 'dashboard'],
  Balance_Notify: ['ledger'],
  Consultation_Notify: ['consultations'],
  Application_Notify: ['partnerApplications'],
  Campaign_Notify: ['campaigns', 'messageDesk'],
  PaymentTrouble_Notify: ['paymentDesk'],
  SmsTrouble_Notify: ['messageDesk'],
  Credit_Notify: ['ledger', 'dashboard'],
  OrderUndone_Notify: ['settlement', 'orders', 'services', 'smsDesk', 'ledger', 'merchants', 'dashboard'],
  Undo_Notify: ['settlement', 'orders', 'services', 'smsDesk', 'ledger', 'merchants'],
  Hardware_Notify: ['hardware', 'ledger'],
  ShopMoved_Notify: ['merchants', 'renewals'],
  Resend_Notify: ['messageDesk', 'ledger'],
  SignIn_Notify: ['signIn'],
  WorkOrder_Notify: ['workOrders'],
}

/** Whatever a notice tells of may be something that waits. */
const TOLD_QUERIES = ['inbox']

/** Pushed without a notice. */
const EVENT_QUERIES = {
  [ACCESS_EVENT]: [SESSION_KEY],
  [THREAD_EVENT]: ['threads'],
  [PRESENCE_EVENT]: ['threads.presence'],
  [WORK_ORDER_EVENT]: ['workOrders'],
  [WORK_ORDER_PRESENCE_EVENT]: ['workOrders.presence'],
}

const MENU_ICONS = {
  [HOME_PATH]: <IconHome />,
  [INBOX_PATH]: <IconInbox />,
  [TOP_UP_PATH]: <IconTopUp />,
  收藏: <IconStar />,
  商户管理: <IconShop />,
  支付与小程序: <IconScan />,
  订单管理: <IconDocument />,
  短信: <IconMessage />,
  结算中心: <IconWallet />,
  订单与结算: <IconDocument />,
  售后工具: <IconTool />,
  伙伴管理: <IconOperations />,
  价格与资料: <IconTag />,
  '/admin/demand': <IconColumns />,
  帮助与反馈: <IconMessage />,
  账户管理: <IconUser />,
  最近访问: <IconClock />,
}

const ACCOUNT_PAGES = ROUTE_PAGES.filter(({ group }) => group === '账户管理').toSorted(
  (a, b) => (a.order ?? 0) - (b.order ?? 0),
)

/** Everyone's own, one of each entry of the menu. */
const OWN_PAGES = ACCOUNT_PAGES.filter(
  ({ permission, entry }, at) =>
    permission === 'session' &&
    (entry === undefined || ACCOUNT_PAGES.findIndex(other => other.entry === entry) === at),
)

/** At the thumb on a phone. */
const PHONE_PLACES: readonly PhonePlace[] = [
  { path: HOME_PATH, name: '首页', icon: <IconHome size={20} /> },
  { path: INBOX_PATH, name: '待办', icon: <IconInbox size={20} />, counted: '项', showsCount: true },
  { path: '/admin/merchant/myMerchant', name: '商户', icon: <IconShop size={20} /> },
  { path: '/admin/merchant/renewals', name: '续费', icon: <IconRenew size={20} /> },
  { path: NOTICES_PATH, name: '消息', icon: <IconMessage size={20} />, counted: '条未读' },
]

const permissionOf = (path: string) => pageAt(path)?.permission ?? ''

const FAVOURITES_LIST = 'menu.favourites'

/** The shell with what the features put into it. */
export function Frame({ children, onNear }: { children: ReactNode; onNear: (path: string) => void }) {
  const session = useSession()
  const isStaff = session.isOperator || session.isVendorStaff
  const menu = useMemo(() => menuOf(ROUTE_PAGES, { shown: session.menu, isStaff }), [session.menu, isStaff])
  const pages = useMemo(() => groupedFor(ROUTE_PAGES, isStaff), [isStaff])
  useToldRights()
  const favourites = useFavourites()
  const calm = useCalm()
  const unread = useUnread(calm).data?.count ?? 0
  const waiting = useWaiting(calm)
  const counts: Readonly<Record<string, number>> = { [NOTICES_PATH]: unread, [INBOX_PATH]: waiting }
  useEffect(() => {
    rememberSignedIn()
    if (takeWelcome()) toast.success('欢迎回来')
  }, [])
  useEffect(followViews, [])
  useEffect(() => rememberPermissions(session.permissions), [session.permissions])
  return (
    <PagesContext value={ROUTE_PAGES}>
      <Shell
        pages={pages}
        homePath={HOME_PATH}
        menu={menu}
        favourites={favourites}
        menuIcons={MENU_ICONS}
        helpOf={path => <PageHelp path={path} enabled={calm} />}
        tools={
          <>
            {!isStaff && (
              <Permit permission="ledger.wallet">
                <WalletBalance enabled={calm} topUpPath={TOP_UP_PATH} />
              </Permit>
            )}
            <Suspense>{calm && <ExportTasks />}</Suspense>
            <Permit permission="consultations.list">
              <ConsultationClock enabled={calm} />
            </Permit>
            <Permit permission="partnerApplications.list">
              <ApplicationsCount enabled={calm} />
            </Permit>
            <Bells enabled={calm} />
          </>
        }
        loadPalette={async () =>
          (await busyWhile(import('./palette.tsx'))).paletteOf(session, () => void signOut())
        }
        onNear={onNear}
        ownPages={OWN_PAGES}
        accountPages={ACCOUNT_PAGES.filter(({ permission }) => allows(session, permission))}
        waiting={{ [INBOX_PATH]: waiting }}
        places={PHONE_PLACES.filter(({ path }) => allows(session, permissionOf(path))).map(place => ({
          ...place,
          count: counts[place.path] ?? 0,
        }))}
        balance={
          !isStaff && (
            <Permit permission="ledger.wallet">
              <OwnWallet topUpPath={TOP_UP_PATH} />
            </Permit>
          )
        }
        onSignOut={() => void (session.viewedUntil === null ? signOut() : leaveView())}
        onEndView={() => void leaveView()}
        notices={
          <Suspense>
            {calm && <NoticeChannel queriesOf={TOPIC_QUERIES} always={TOLD_QUERIES} events={EVENT_QUERIES} />}
          </Suspense>
        }
      >
        <FactorBanner />
        <ExamplePricesBanner />
        <ListServicesContext value={SERVICES}>{children}</ListServicesContext>
      </Shell>
    </PagesContext>
  )
}

/** Kept as the columns of a list are: by account, on the server. */
function useFavourites(): Favourites {
  const { settings, save } = useColumns(FAVOURITES_LIST)
  return { paths: settings.map(({ key }) => key), set: paths => save(paths.map(key => ({ key }))) }
}

async function leaveView(): Promise<void> {
  await endView().catch((error: unknown) => {
    if (!isLeaving()) toast.error(messageOf(error))
  })
}

export async function signOut(): Promise<void> {
  const sure = await confirm({
    title: '退出登录？',
    text: '退出后需要重新输入账号和密码',
    confirmText: '退出登录',
    changes: false,
  })
  if (!sure) return
  // Before the session ends, since other pages and the socket hear of that at once.
  forgetSignedIn()
  try {
    await signInApi.logout()
  } catch (error) {
    // The answer may be lost though the session has ended, of which the socket hears first.
    const session = await busyWhile(fetch('/api/session')).catch(() => null)
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
