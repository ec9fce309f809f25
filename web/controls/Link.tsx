import { type LinkProps, Link as RouterLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Path, To } from '#kit/declare/pages.ts'
import type { Changed } from '../client/navigation.ts'

type Looks = Omit<ComponentProps<'a'>, 'href'> & Pick<LinkProps, 'activeOptions' | 'resetScroll' | 'replace'>

/** A link to a page of ours. Its path and parameters are those that the page declares. */
export function Link<const P extends Path>(props: To<P> & Looks) {
  const plain: LinkProps & Looks = props
  return <RouterLink {...plain} />
}

/** A link that stays on the page and changes some of what its address asks. */
export function LinkHere<P extends Path>({ asked, ...looks }: { asked: Changed<P> } & Looks) {
  return <RouterLink to="." resetScroll={false} search={(now: object) => ({ ...now, ...asked })} {...looks} />
}
