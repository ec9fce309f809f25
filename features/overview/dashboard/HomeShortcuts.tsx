import type { ReactNode } from 'react'
import type { Path } from '#kit/declare/pages.ts'
import { allows, useSession } from '#web/client/session.ts'
import { IconOperations, IconShop, IconUser, IconWallet } from '#web/controls/icons.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import styles from './HomePage.module.css'

const SHORTCUTS: { permission: string; path: Path; name: string; text: string; icon: ReactNode }[] = [
  {
    permission: 'merchants.list',
    path: '/admin/merchant/myMerchant',
    name: '我的商户',
    text: '查找、编辑、启用或禁用商户',
    icon: <IconShop />,
  },
  {
    permission: 'renewals.desk',
    path: '/admin/merchant/renewals',
    name: '续费工作台',
    text: '按紧急程度联系要续费的商户',
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
    permission: 'agentDesk.list',
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

/** Where one goes most. Says so where the account may go nowhere. */
export function HomeShortcuts() {
  const session = useSession()
  const shown = SHORTCUTS.filter(shortcut => allows(session, shortcut.permission))
  if (shown.length === 0) return <p className={styles.homeNone}>您的角色还没有可用的页面，请联系管理员开通</p>
  return (
    <section className={styles.homePart} aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title" className={look.sectionTitle}>
        常用
      </h2>
      <ul className={styles.shortcuts}>
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
