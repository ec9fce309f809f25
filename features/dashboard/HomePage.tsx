import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { WalletFigures } from '#features/ledger/WalletBalance.tsx'
import type { merchants } from '#features/merchants/contract.ts'
import { useOverduePreview } from '#features/merchants/OverdueBell.tsx'
import { formatCount } from '#kit/money.ts'
import { addDays, formatDay, formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { IconOperations, IconShop, IconUser, IconWallet } from '#web/icons.tsx'
import { Permit } from '#web/Permit.tsx'
import { allows, useSession } from '#web/session.ts'
import './HomePage.css'

const merchantsApi = api<typeof merchants>('merchants')

const SOON_DAYS = 30

/** The start page: what one has, what needs attention, and where one goes most. Each part by permission. */
export default function HomePage() {
  const session = useSession()
  return (
    <div className="page home">
      <header>
        <h1 className="page-title">
          {greeting()}，{session.name}
        </h1>
        <p className="quiet-text">
          {session.companyName} · {session.levelName}
        </p>
      </header>
      <dl className="figures">
        <Permit permission="ledger.wallet">
          <WalletFigures />
        </Permit>
        <Permit permission="merchants.list">
          <Expiring />
        </Permit>
        <Permit permission="merchants.overdue">
          <Overdue />
        </Permit>
      </dl>
      <Shortcuts />
    </div>
  )
}

function greeting(): string {
  const hour = Number(formatInstant(new Date()).slice(11, 13))
  if (hour < 5) return '夜深了'
  if (hour < 12) return '早上好'
  return hour < 18 ? '下午好' : '晚上好'
}

function Expiring() {
  const expiresFrom = formatDay(new Date())
  const expiresTo = addDays(expiresFrom, SOON_DAYS - 1)
  const soon = useQuery({
    queryKey: ['merchants', 'list', 'soon', expiresFrom],
    queryFn: () => merchantsApi.list({ expiresFrom, expiresTo }),
  })
  return (
    <Figure
      label={`${SOON_DAYS} 天内到期（家）`}
      total={soon.data}
      tone="attention"
      link={
        <Link to="/admin/merchant/myMerchant" search={{ expiresFrom, expiresTo } as never}>
          查看商户
        </Link>
      }
    />
  )
}

function Overdue() {
  const preview = useOverduePreview(true)
  return (
    <Figure
      label="已过期（家）"
      total={preview.data}
      tone="problem"
      link={<Link to="/admin/merchant/overdueMerchants">查看过期商户</Link>}
    />
  )
}

type FigureProps = {
  label: string
  total: { total: number; totalCapped: boolean } | undefined
  /** Colours a number above zero. */
  tone: 'attention' | 'problem'
  link: ReactNode
}

function Figure({ label, total, tone, link }: FigureProps) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd className="number" data-tone={total && total.total > 0 ? tone : undefined}>
        {total ? `${formatCount(total.total)}${total.totalCapped ? '+' : ''}` : '—'}
      </dd>
      <dd>{link}</dd>
    </div>
  )
}

const SHORTCUTS: { permission: string; path: string; name: string; text: string; icon: ReactNode }[] = [
  {
    permission: 'merchants.add',
    path: '/admin/merchant/addUser',
    name: '新增商户',
    text: '选择版本和时限，用代币开店',
    icon: <IconShop />,
  },
  {
    permission: 'merchants.list',
    path: '/admin/merchant/myMerchant',
    name: '我的商户',
    text: '查找、编辑、启用或禁用商户',
    icon: <IconShop />,
  },
  {
    permission: 'ledger.changes',
    path: '/admin/detail/personalDetails',
    name: '余额变动',
    text: '每一笔收入和支出，可导出',
    icon: <IconWallet />,
  },
  {
    permission: 'agents.list',
    path: '/admin/operations/agents',
    name: '代理商',
    text: '等级、折扣、余额和充值',
    icon: <IconOperations />,
  },
  {
    permission: 'account.profile',
    path: '/admin/account/personalData',
    name: '个人资料',
    text: '账户信息和登录设备',
    icon: <IconUser />,
  },
]

function Shortcuts() {
  const session = useSession()
  const shown = SHORTCUTS.filter(shortcut => allows(session, shortcut.permission))
  if (shown.length === 0) return <p className="home-none">您的角色还没有可用的页面，请联系管理员开通</p>
  return (
    <section aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title" className="section-title">
        常用
      </h2>
      <ul className="shortcuts">
        {shown.map(shortcut => (
          <li key={shortcut.path}>
            <Link to={shortcut.path}>
              {shortcut.icon}
              <b>{shortcut.name}</b>
              <span>{shortcut.text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
