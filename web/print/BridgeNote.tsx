import { useSyncExternalStore } from 'react'
import {
  BRIDGE_STATES,
  type BridgeState,
  PAIRING,
  PRINTERS_PATH,
  type PrintKind,
} from '#kit/print/bridge/bridge.ts'
import { Button } from '../controls/Button.tsx'
import { Link } from '../controls/Link.tsx'
import { look } from '../controls/look.ts'
import { StatusTag, type Tone } from '../controls/StatusTag.tsx'
import { askPairing, connect, linkStore } from './bridge-link.ts'
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
      {state === 'unpaired' && <AskPairing code={link.askCode} />}
      {state === 'unpaired' &&
        (link.asksOnly ? <Problem text={link.problem} /> : <PairForm problem={link.problem} />)}
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

const Problem = ({ text }: { text: string | null }) => (
  <p className={styles.problem} role="alert">
    {text}
  </p>
)

/** Asked here, allowed on the program's own page; the same four digits on both. */
function AskPairing({ code }: { code: string | null }) {
  if (code === null)
    return (
      <p>
        <Button kind="primary" changes={false} onClick={askPairing}>
          请求配对
        </Button>
      </p>
    )
  return (
    <>
      <p className={styles.askCode}>{code}</p>
      <p className={look.quiet}>
        请双击打印程序的图标打开它的页面，核对数字相同后点“允许”；{PAIRING.askMinutes} 分钟内有效。
      </p>
    </>
  )
}
