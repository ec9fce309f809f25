import { useState } from 'react'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { ArticleView } from './ArticleView.tsx'
import styles from './help.module.css'
import { HELP_PATH } from './rules.ts'

/** An article over the page that it tells of. */
export default function HelpDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const [shown, setShown] = useState(id)
  return (
    <Drawer title="本页帮助" onClose={onClose}>
      <DrawerBody>
        <div className={styles.drawer}>
          <ArticleView id={shown} onOpen={setShown}>
            <p>
              <Link className={look.inText} to={HELP_PATH} search={{ article: shown }} onClick={onClose}>
                在帮助中心打开
              </Link>
            </p>
          </ArticleView>
        </div>
      </DrawerBody>
    </Drawer>
  )
}
