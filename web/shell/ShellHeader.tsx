import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useSession } from '../client/session.ts'
import { Button, buttonLook } from '../controls/Button.tsx'
import {
  IconBack,
  IconDown,
  IconFold,
  IconMenu,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from '../controls/icons.tsx'
import { look } from '../controls/look.ts'
import { Menu } from '../controls/Menu.tsx'
import { roving } from '../keys/roving.ts'
import { chooseTheme, useThemeChoice, useThemeMode } from '../theme/theme-mode.ts'
import styles from './ShellHeader.module.css'
import type { ShellPage, ShellProps } from './shell-props.ts'
import { THEMES } from './themes.tsx'

type Props = ShellProps & {
  current: ShellPage | undefined
  folded: boolean
  onToggle: () => void
  onPalette: () => void
}

export function ShellHeader({ current, pages, tools, folded, ...steps }: Props) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const toggleName = folded ? '展开菜单' : '收起菜单'
  return (
    <header className={styles.top}>
      <div {...roving} className={styles.topStop} role="toolbar" aria-label="顶栏">
        <Button
          kind="quiet"
          icon={
            <>
              <IconFold className={look.notPhone} />
              <IconMenu className={look.onlyPhone} size={20} />
            </>
          }
          aria-label={toggleName}
          aria-expanded={!folded}
          tip={toggleName}
          onClick={steps.onToggle}
        />
        <Button
          kind="quiet"
          icon={<IconBack />}
          aria-label="返回"
          tip="返回"
          disabled={!canGoBack}
          className={styles.topBack}
          onClick={() => router.history.back()}
        />
        <Breadcrumb current={current} pages={pages} />
        {current && steps.helpOf(current.path)}
        <div className={styles.topTools}>
          <Button
            kind="quiet"
            icon={<IconSearch />}
            aria-label="全局搜索"
            aria-keyshortcuts="Control+K Meta+K"
            tip="全局搜索  Ctrl K"
            onClick={steps.onPalette}
          />
          {tools}
          <span className={`${styles.topOwn} ${look.notPhone}`}>
            <ThemeMenu />
            <AccountMenu pages={steps.ownPages} onSignOut={steps.onSignOut} />
          </span>
        </div>
      </div>
    </header>
  )
}

function Breadcrumb({ current, pages }: { current: ShellPage | undefined; pages: readonly ShellPage[] }) {
  const parent = pages.find(page => page.path === current?.under)
  return (
    <nav className={styles.crumbs} aria-label="当前位置">
      <ol>
        {current?.group && <li className={look.notPhone}>{current.group}</li>}
        {parent && (
          <li className={look.notPhone}>
            <Link to={parent.path}>{parent.title}</Link>
          </li>
        )}
        <li aria-current="page">{current?.title ?? '页面不存在'}</li>
      </ol>
    </nav>
  )
}

function ThemeMenu() {
  const chosen = useThemeChoice()
  const mode = useThemeMode()
  return (
    <Menu
      label="外观"
      className={`${buttonLook('quiet')} ${styles.topIcon}`}
      button={mode === 'dark' ? <IconMoon /> : <IconSun />}
      align="end"
      items={THEMES.map(theme => ({
        key: theme.choice,
        checked: theme.choice === chosen,
        onClick: () => chooseTheme(theme.choice),
        label: (
          <>
            {theme.icon}
            {theme.name}
          </>
        ),
      }))}
    />
  )
}

type AccountProps = { pages: readonly ShellPage[]; onSignOut: () => void }

function AccountMenu({ pages, onSignOut }: AccountProps) {
  const session = useSession()
  const navigate = useNavigate()
  return (
    <Menu
      label={`账户 ${session.name}`}
      className={`${buttonLook('quiet')} ${styles.topAccount}`}
      button={
        <>
          <IconUser />
          <span className={look.notPhone}>{session.name}</span>
          <IconDown className={look.notPhone} />
        </>
      }
      align="end"
      head={
        <div className={styles.accountHead}>
          <b>{session.companyName}</b>
          <span>
            {session.name} · {session.loginName}
          </span>
        </div>
      }
      items={[
        ...pages.map(({ path, title }) => ({
          key: path,
          label: title,
          onClick: () => void navigate({ to: path }),
        })),
        { key: 'sign-out', label: '退出登录', onClick: onSignOut },
      ]}
    />
  )
}
