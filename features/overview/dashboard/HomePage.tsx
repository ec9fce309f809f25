import { lazy, type ReactNode, useEffect, useRef, useState } from 'react'
import { FeedbackButton } from '#features/care/feedback/FeedbackButton.tsx'
import { FirstAnswer } from '#features/care/threads/FirstAnswer.tsx'
import { WalletFigures } from '#features/money/ledger/WalletBalance.tsx'
import { SetupPanel, useSetup } from '#features/overview/setup/SetupPanel.tsx'
import { formatInstant } from '#kit/time.ts'
import { useSession } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Expiring, Overdue } from './HomeAttention.tsx'
import styles from './HomePage.module.css'
import { HomePart } from './HomePart.tsx'
import { HomeShortcuts } from './HomeShortcuts.tsx'
import { MonthBand } from './MonthBand.tsx'
import { OfficeBand } from './OfficeBand.tsx'
import { TodayTiles } from './TodayTiles.tsx'
import { TodoBand, useTodo } from './TodoBand.tsx'

const ProgressFigures = lazy(() => import('#features/acquiring/acquiring-progress/ProgressFigures.tsx'))
const HomeCharts = lazy(() => import('./HomeCharts.tsx'))

const Carousel = lazy(() => import('#features/office/content/Carousel.tsx'))
const NoticeList = lazy(() => import('#features/office/content/NoticeList.tsx'))
const ReleaseNotes = lazy(() => import('#features/support/help/ReleaseNotes.tsx'))
const FeedbackRecent = lazy(() => import('#features/care/feedback/FeedbackRecent.tsx'))
const RechargeWidget = lazy(() => import('#features/sales/payments/desk/RechargeWidget.tsx'))

/** The start page: what is to be done, how the month and the day go, what is new. Each part by permission. */
export default function HomePage() {
  const session = useSession()
  const { data, isError } = useTodo()
  const { isLoading } = useSetup()
  return (
    <div className={`${look.page} ${styles.home}`}>
      <header className={styles.homeHead}>
        <div>
          <h1 className={look.pageTitle}>
            {greeting()}，{session.name}
          </h1>
          <p className={look.quiet}>
            {session.companyName} · {session.levelName}
          </p>
        </div>
        <span className={styles.homeActions}>
          <FeedbackButton />
          <Permit permission="selling.add">
            <Link to="/admin/merchant/addUser" className={buttonLook('primary')}>
              新增商户
            </Link>
          </Permit>
        </span>
      </header>
      <SetupPanel />
      <HomePart
        permission="session"
        title="今天要做"
        className={styles.homeBand}
        more={
          <Link to="/admin/inbox" search={{ open: 'first' }}>
            逐项处理
          </Link>
        }
      >
        <TodoBand />
      </HomePart>
      {(data || isError) && !isLoading && <BelowTodo />}
    </div>
  )
}

/** How high it begins depends on what is to be done, so it comes with it. */
function BelowTodo() {
  const { isOperator, isVendorStaff } = useSession()
  // Whoever sells to partners has no balance to look after, and news of its own.
  const isPartner = !isOperator && !isVendorStaff
  return (
    <>
      <HomePart permission="dashboard.figures" title="本月与上月同期" className={styles.homeBand}>
        <MonthBand />
      </HomePart>
      <HomePart
        permission="acquiringProgress.list"
        title="开通进度"
        className={styles.homeBand}
        more={<Link to="/admin/merchant/progress">全部进度</Link>}
      >
        <ProgressFigures />
      </HomePart>
      <HomePart permission="paymentDesk.manage" title="收款与账目" className={styles.homeBand}>
        <OfficeBand />
      </HomePart>
      <div className={styles.homeTop}>
        <div className={styles.homeToday}>
          <HomePart permission="dashboard.figures" title="今日经营">
            <TodayTiles />
          </HomePart>
          <dl className={`${styles.figures} ${styles.homeBalances}`}>
            {isPartner && (
              <Permit permission="ledger.wallet">
                <WalletFigures />
              </Permit>
            )}
            <Permit permission="merchants.list">
              <Expiring />
            </Permit>
            <Permit permission="merchants.overdue">
              <Overdue />
            </Permit>
            <Permit permission="threads.all">
              <FirstAnswer />
            </Permit>
          </dl>
        </div>
        {isPartner && (
          <HomePart permission="payments.sms" title="短信充值" className={styles.homeRecharge}>
            <RechargeWidget />
          </HomePart>
        )}
      </div>
      {isPartner && (
        <HomePart permission="session" className={styles.homeCarousel}>
          <Carousel />
        </HomePart>
      )}
      <div className={styles.homeColumns}>
        <div className={styles.homeSide}>
          <HomePart permission="session" title="系统公告">
            <NoticeList />
          </HomePart>
          <HomePart
            permission="feedback.recent"
            title="最近反馈"
            more={
              <Permit permission="feedback.list">
                <Link to="/admin/operations/feedback">全部反馈</Link>
              </Permit>
            }
          >
            <FeedbackRecent />
          </HomePart>
          <HomeShortcuts />
          <HomePart permission="session" title="更新日志">
            <ReleaseNotes />
          </HomePart>
        </div>
        <HomePart permission="dashboard.figures" title="经营趋势" className={styles.homeTrends}>
          <WhenNear>
            <HomeCharts />
          </WhenNear>
        </HomePart>
      </div>
    </>
  )
}

function greeting(): string {
  const hour = Number(formatInstant(new Date()).slice(11, 13))
  if (hour < 5) return '夜深了'
  if (hour < 12) return '早上好'
  return hour < 18 ? '下午好' : '晚上好'
}

/** Loads the charts when they are nearly in sight; until then only their room is there. */
function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: '200px' },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  const room = <div ref={place} className={styles.homeCharts} />
  return near ? <Suspense fallback={room}>{children}</Suspense> : room
}
