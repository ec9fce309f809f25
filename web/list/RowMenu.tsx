import { buttonLook } from '../controls/Button.tsx'
import { IconMore } from '../controls/icons.tsx'
import { Menu } from '../controls/Menu.tsx'
import type { RowAction } from './list-props.ts'
import styles from './RowMenu.module.css'

/** What else can be done with a row. */
export function RowMenu({ actions }: { actions: RowAction[] }) {
  return (
    <Menu
      label="更多操作"
      className={`${buttonLook('quiet')} ${styles.rowMore}`}
      button={<IconMore />}
      items={actions}
      align="end"
    />
  )
}
