// What leads to a page is held to it: the compiler refuses a path, or a parameter, that no page has.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { useNavigate, usePageSearch } from '../client/navigation.ts'
import { Link, LinkHere } from './Link.tsx'

const hrefOf = (name: string) => screen.findByRole('link', { name }).then(link => link.getAttribute('href'))

test('a link has the address of its page, with what it asks and the name in the path', async () => {
  show(
    <>
      <Link to="/admin/merchant/merchantDetails" search={{ user_id: 7 }}>
        商户
      </Link>
      <Link to="/admin/operations/agents/$id" params={{ id: '101' }} search={{ tab: 'ledger' }}>
        代理商
      </Link>
    </>,
  )
  expect(await hrefOf('商户')).toBe('/admin/merchant/merchantDetails?user_id=7')
  expect(await hrefOf('代理商')).toBe('/admin/operations/agents/101?tab=ledger')
})

test('a link that stays on the page changes of its address what it asks, and nothing else', async () => {
  show(<LinkHere<'/admin/help/problem'> asked={{ article: 3, search: undefined }}>文章</LinkHere>, {
    at: '/admin/help/problem?activeName=faq&search=x',
  })
  expect(await hrefOf('文章')).toBe('/admin/help/problem?activeName=faq&article=3')
})

function Opener() {
  const navigate = useNavigate()
  const [{ user_id }, ask] = usePageSearch<'/admin/merchant/myMerchant'>()
  return (
    <>
      <p>打开的是{user_id ?? '无'}</p>
      <button type="button" onClick={() => ask({ user_id: 8 })}>
        打开
      </button>
      <button type="button" onClick={() => void navigate({ href: '/admin/help/problem?article=3' })}>
        帮助
      </button>
    </>
  )
}

test('a page reads its address and changes some of it; a whole address is followed as it was written', async () => {
  const user = show(<Opener />, { at: '/admin/merchant/myMerchant?page=2' })
  await user.click(await screen.findByRole('button', { name: '打开' }))
  await screen.findByText('打开的是8')
  expect(location.search).toBe('?page=2&user_id=8')
  await user.click(screen.getByRole('button', { name: '帮助' }))
  await screen.findByText('打开的是无')
  expect(location.pathname + location.search).toBe('/admin/help/problem?article=3')
})

/** Never called: each line that compiles where it must not fails the type check. */
export function refusedByTheCompiler(navigate: ReturnType<typeof useNavigate>) {
  // @ts-expect-error No page has this path.
  void navigate({ to: '/admin/merchant/myMerchants' })
  // @ts-expect-error The page is asked for `status`.
  void navigate({ to: '/admin/merchant/myMerchant', search: { state: 'enabled' } })
  // @ts-expect-error No shop has this status.
  void navigate({ to: '/admin/merchant/myMerchant', search: { status: 'asleep' } })
  // @ts-expect-error The page needs `user_id`.
  void navigate({ to: '/admin/merchant/merchantDetails' })
  // @ts-expect-error The path needs `id`.
  void navigate({ to: '/admin/operations/agents/$id' })
  return (
    <>
      {/* @ts-expect-error No page has this path. */}
      <Link to="/admin/merchant/myMerchants" />
      {/* @ts-expect-error The page is asked for `status`. */}
      <Link to="/admin/merchant/myMerchant" search={{ state: 'enabled' }} />
      {/* @ts-expect-error The page needs `user_id`. */}
      <Link to="/admin/merchant/merchantDetails" />
      {/* @ts-expect-error The path needs `id`. */}
      <Link to="/admin/operations/agents/$id" />
    </>
  )
}
