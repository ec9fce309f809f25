import { useRef, useState } from 'react'
import type { In, Out } from '#kit/declare/op.ts'
import { cleanCode } from '#kit/words/cleaned.ts'
import { messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { FormElement, SENDS } from '#web/form/FormElement.tsx'
import type { factors } from './contract.ts'
import styles from './factors.module.css'
import { keyFailure, knowsPasskeys, signWithPasskey } from './passkeys.tsx'
import { FACTOR_REFUSALS } from './rules.ts'

export type Asked = Omit<Out<typeof factors.challenge>, 'password'>
export type Proof = Exclude<In<typeof factors.prove>, { password: string }>

type Props = {
  asked: Asked
  submitText: string
  onProof: (proof: Proof) => Promise<void>
  /** A passkey's challenge is good for one try: where the next one comes from. */
  askAgain?: () => Promise<Asked>
}

// No fields: a code or a passkey of the sign-in, of which nothing is kept.
/** Asks for a second factor: a code of the app, a recovery code, or a passkey. */
export function FactorForm({ asked, submitText, onProof, askAgain }: Props) {
  const [recovery, setRecovery] = useState(!asked.hasTotp && asked.passkey === null)
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState<'code' | 'key' | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const key = useRef(asked.passkey)
  const withCodes = asked.hasTotp || recovery
  const run = async (kind: 'code' | 'key', work: () => Promise<void>) => {
    if (busy) return
    setBusy(kind)
    setMessage('')
    try {
      await work()
    } catch (error) {
      setMessage(keyFailure(error) ?? messageOf(error))
      field.current?.select()
    } finally {
      setBusy(null)
    }
  }
  const submit = () => {
    const code = cleanCode(field.current?.value ?? '')
    if (code !== '') return void run('code', () => onProof({ code }))
    setMessage(FACTOR_REFUSALS.CODE_REQUIRED)
    field.current?.focus()
  }
  const sign = () =>
    run('key', async () => {
      const passkey = key.current ?? (await askAgain?.())?.passkey
      if (!passkey) throw new Error('no passkey is asked for')
      const response = await signWithPasskey(passkey.options)
      key.current = null
      await onProof({ passkey: { token: passkey.token, response } })
    })
  return (
    <FormElement className={styles.factorForm} onSubmit={submit}>
      {withCodes && (
        <>
          <label htmlFor="factor-code">{recovery ? '恢复码' : '验证器中的 6 位验证码'}</label>
          <input
            key={recovery ? 'recovery' : 'code'}
            {...SENDS}
            id="factor-code"
            ref={field}
            className={`${look.input} ${look.number}`}
            autoComplete={recovery ? 'off' : 'one-time-code'}
            inputMode={recovery ? 'text' : 'numeric'}
            maxLength={recovery ? 20 : 7}
            placeholder={recovery ? '如 7K2MP-QX4RT' : '如 123456'}
            // biome-ignore lint/a11y/noAutofocus: it has nothing else to begin with.
            autoFocus
            data-autofocus
            aria-describedby="factor-message"
          />
        </>
      )}
      <p id="factor-message" className={styles.factorMessage} role="alert">
        {message}
      </p>
      {withCodes && (
        <Button kind="primary" type="submit" busy={busy === 'code'}>
          {submitText}
        </Button>
      )}
      {asked.passkey && knowsPasskeys() && (
        <Button kind={withCodes ? undefined : 'primary'} busy={busy === 'key'} onClick={() => void sign()}>
          使用通行密钥
        </Button>
      )}
      {(asked.hasTotp || asked.passkey) && asked.recoveryLeft > 0 && (
        <button
          type="button"
          className={styles.factorOther}
          onClick={() => {
            setMessage('')
            setRecovery(!recovery)
          }}
        >
          {recovery ? '返回' : '使用恢复码'}
        </button>
      )}
    </FormElement>
  )
}
