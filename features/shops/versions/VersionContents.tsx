import { useState } from 'react'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import styles from './versions.module.css'

type Containing = { id: number; name: string; functions: readonly string[] }
type Props = { versions: readonly Containing[]; chosen: number | null }

/** What the chosen version contains, and all that are offered beside each other. */
export function VersionContents({ versions, chosen }: Props) {
  const [comparing, setComparing] = useState(false)
  const version = versions.find(({ id }) => id === chosen)
  if (versions.every(({ functions }) => functions.length === 0)) return null
  return (
    <p className={styles.contents}>
      {version && version.functions.length > 0 && <>包含：{version.functions.join('、')} </>}
      <Button kind="link" onClick={() => setComparing(true)}>
        对比各版本的功能
      </Button>
      {comparing && <Comparison versions={versions} chosen={chosen} onClose={() => setComparing(false)} />}
    </p>
  )
}

function Comparison({ versions, chosen, onClose }: Props & { onClose: () => void }) {
  const functions = [...new Set(versions.flatMap(version => version.functions))]
  return (
    <Dialog title="对比版本功能" width={760} onClose={onClose} footer={<CloseButton>关闭</CloseButton>}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className={styles.comparison} aria-label="各版本的功能" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">功能</th>
              {versions.map(({ id, name }) => (
                <th key={id} scope="col" data-chosen={id === chosen || undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {functions.map(name => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {versions.map(version => (
                  <td key={version.id} data-chosen={version.id === chosen || undefined}>
                    {version.functions.includes(name) ? (
                      <>
                        <span aria-hidden="true">✓</span>
                        <span className={look.visuallyHidden}>包含</span>
                      </>
                    ) : (
                      <span className={look.quiet}>—</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Dialog>
  )
}
