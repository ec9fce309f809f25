import { IconMore } from './icons.tsx'
import type { RowAction } from './ListPage.tsx'
import { Menu } from './Menu.tsx'

/** What else can be done with a row. */
export function RowMenu({ actions }: { actions: RowAction[] }) {
  return (
    <Menu
      label="更多操作"
      className="btn btn-quiet row-more"
      button={<IconMore />}
      items={actions}
      align="end"
    />
  )
}
