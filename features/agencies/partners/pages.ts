// The pages of this feature by path; the list of partners and the page of one are features/agencies/partners/desk's.
import type { PublicPage } from '#kit/declare/pages.ts'
import { INVITE_PREFIX } from './rules.ts'

export const PUBLIC_PAGES = [
  { prefix: INVITE_PREFIX, title: '设置登录密码', file: 'features/agencies/partners/InvitePage.tsx' },
] as const satisfies readonly PublicPage[]
