import { useId, useState } from 'react'
import { PAIRING } from '#kit/print/bridge/bridge.ts'
import { Button } from '../controls/Button.tsx'
import { TextInput } from '../form/TextField.tsx'
import { pair } from './bridge-link.ts'
import styles from './print.module.css'

/** The code of the program's console, typed here once. No form: it may stand in one. */
export function PairForm({ problem }: { problem: string | null }) {
  const id = useId()
  const [code, setCode] = useState('')
  const isWhole = code.length === PAIRING.digits
  const send = () => {
    if (!isWhole) return
    pair(code)
    setCode('')
  }
  return (
    <div className={styles.pair}>
      <label htmlFor={id}>配对码</label>
      <div className={styles.pairRow}>
        <TextInput
          id={id}
          digits
          inputMode="numeric"
          placeholder="8 位数字"
          maxLength={9}
          value={code}
          aria-describedby={problem ? `${id}-problem` : undefined}
          aria-invalid={problem !== null}
          onChange={setCode}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            send()
          }}
        />
        <Button
          kind="primary"
          changes={false}
          disabled={!isWhole && `请输入 ${PAIRING.digits} 位配对码`}
          onClick={send}
        >
          配对
        </Button>
      </div>
      {problem && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
