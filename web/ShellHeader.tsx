import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { Button } from './Button.tsx'
import {
  IconBack,
  IconDown,
  IconFold,
  IconMenu,
  IconMoon,
  IconSearch,
  IconSun,
  IconSystem,
  IconUser,
} from './icons.tsx'
import { Menu } from './Menu.tsx'
import type { ShellPage, ShellProps } from './Shell.tsx'
import { useSession } from './session.ts'
import { chooseTheme, type ThemeChoice, useThemeChoice, useThemeMode } from './theme-mode.ts'

type Props = ShellProps & {
  current: ShellPage | undefined
  folded: boolean
  onToggle: () => void
  onPalette: () => void
}

export function ShellHeader({ current, pages, tools, find, folded, onToggle, onPalette, onSignOut }: Props) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const searchName = find ? `搜索页面和${find.name}` : '搜索页面'
  const toggleName = folded ? '展开菜单' : '收起菜单'
  return (
    <header className="top">
      <Button
        kind="quiet"
        icon={
          <>
            <IconFold className="not-phone" />
            <IconMenu className="only-phone" size={20} />
          </>
        }
        aria-label={toggleName}
        aria-expanded={!folded}
        tip={toggleName}
        onClick={onToggle}
      />
      <Button
        kind="quiet"
        icon={<IconBack />}
        aria-label="返回"
        tip="返回"
        disabled={!canGoBack}
        className="top-back"
        onClick={() => router.history.back()}
      />
      <Breadcrumb current={current} pages={pages} />
      <div className="top-tools">
        <Button
          kind="quiet"
          icon={<IconSearch />}
          aria-label={searchName}
          aria-keyshortcuts="Control+K Meta+K"
          tip={`${searchName}  Ctrl K`}
          onClick={onPalette}
        />
        {tools}
        <ThemeMenu />
        <AccountMenu onSignOut={onSignOut} />
      </div>
    </header>
  )
}

function Breadcrumb({ current, pages }: { current: ShellPage | undefined; pages: readonly ShellPage[] }) {
  const parent = pages.find(page => page.path === current?.under)
  return (
    <nav className="crumbs" aria-label="当前位置">
      <ol>
        {current?.group && <li className="not-phone">{current.group}</li>}
        {parent && (
          <li className="not-phone">
            <Link to={parent.path}>{parent.title}</Link>
          </li>
        )}
        <li aria-current="page">{current?.title ?? '页面不存在'}</li>
      </ol>
    </nav>
  )
}

const THEMES: { choice: ThemeChoice; name: string; icon: React.ReactNode }[] = [
  { choice: 'light', name: '浅色', icon: <IconSun /> },
  { choice: 'dark', name: '深色', icon: <IconMoon /> },
  { choice: 'system', name: '跟随系统', icon: <IconSystem /> },
]

function ThemeMenu() {
  const chosen = useThemeChoice()
  const mode = useThemeMode()
  return (
    <Menu
      label="外观"
      className="btn btn-quiet top-icon"
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

function AccountMenu({ onSignOut }: { onSignOut: () => void }) {
  const session = useSession()
  return (
    <Menu
      label={`账户 ${session.name}`}
      className="btn btn-quiet top-account"
      button={
        <>
          <IconUser />
          <span className="not-phone">{session.name}</span>
          <IconDown className="not-phone" />
        </>
      }
      align="end"
      head={
        <div className="account-head">
          <b>{session.companyName}</b>
          <span>
            {session.name} · {session.loginName}
          </span>
        </div>
      }
      items={[{ key: 'sign-out', label: '退出登录', onClick: onSignOut }]}
    />
  )
}
