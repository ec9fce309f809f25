import { Button } from '../controls/Button.tsx'
import { Dialog } from '../form/Dialog.tsx'
import styles from './KeysDialog.module.css'
import { keyNames, keysNow } from './keys.ts'

/** The keys that can be pressed on this page. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="快捷键"
      width={520}
      onClose={onClose}
      footer={
        <Button kind="primary" changes={false} data-autofocus onClick={onClose}>
          知道了
        </Button>
      }
    >
      <div className={styles.keys}>
        {[...Map.groupBy(keysNow(), ({ title }) => title)].map(([title, groups]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {groups
                .flatMap(({ keys }) => keys)
                .map(({ press, does }) => (
                  <div key={press}>
                    <dt>
                      {keyNames(press).map(name => (
                        <kbd key={name}>{name}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
