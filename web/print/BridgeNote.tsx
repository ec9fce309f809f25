import { useSyncExternalStore } from 'react'
import { BRIDGE_STATES, type BridgeState, PRINTERS_PATH, type PrintKind } from '#kit/print/bridge/bridge.ts'
import { Button } from '../controls/Button.tsx'
import { Link } from '../controls/Link.tsx'
import { look } from '../controls/look.ts'
import { StatusTag, type Tone } from '../controls/StatusTag.tsx'
import { connect, linkStore } from './bridge-link.ts'
import { PairForm } from './PairForm.tsx'
import styles from './print.module.css'

export const useLink = () => useSyncExternalStore(linkStore.subscribe, linkStore.read)

const TONES: Record<BridgeState, Tone> = {
  ...{ connecting: 'neutral', ready: 'done', unpaired: 'attention' },
  ...{ missing: 'problem', blocked: 'problem', insecure: 'problem' },
  ...{ asking: 'attention', old: 'attention' },
}

/** How the desk's print program stands, in words, with what can be done; `kind` it must be able to print. */
export function BridgeNote({ kind, settings }: { kind?: PrintKind; settings?: boolean }) {
  const link = useLink()
  const state = link.state === 'ready' && kind && !link.caps.includes(kind) ? 'old' : link.state
  const { word, help } = BRIDGE_STATES[state]
  return (
    <div className={styles.state} data-part="bridge-state" data-state={state} aria-live="polite">
      <p>
        打印程序 <StatusTag tone={TONES[state]}>{word}</StatusTag>{' '}
        {state === 'ready' && link.program && <span className={look.quiet}>版本 {link.program}</span>}
      </p>
      {help !== '' && <p className={look.quiet}>{help}</p>}
      {state === 'unpaired' && <PairForm problem={link.problem} />}
      {state !== 'ready' && state !== 'connecting' && (
        <p className={styles.deeds}>
          {state !== 'unpaired' && (
            <Button kind="link" onClick={connect}>
              重新连接
            </Button>
          )}
          {settings && <Link to={PRINTERS_PATH}>下载和配对说明</Link>}
        </p>
      )}
    </div>
  )
}
