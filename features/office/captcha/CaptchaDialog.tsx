import { lazy, useEffect, useRef, useState } from 'react'
import type { In, Out } from '#kit/declare/op.ts'
import { api, messageOf, type RefusalOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { IconRefresh } from '#web/controls/icons.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import styles from './captcha.module.css'
import type { captcha } from './contract.ts'
import type { Scene } from './rules.ts'
import { type Answer, SlidePuzzle } from './SlidePuzzle.tsx'

const captchaApi = api<typeof captcha>('captcha')
const VendorPuzzle = lazy(() => import('./VendorPuzzle.tsx'))

type Challenge = Out<typeof captcha.challenge>
type Proof = In<typeof captcha.prove>['proof']
type Props = {
  scene: Scene
  /** A phone number, or a shop and what the code is for. */
  subject: string
  /** The token that the guarded operation takes, once. */
  onPass: (token: string) => void
  onClose: () => void
  /** It may not be asked for now, whatever is solved: too soon, too often. */
  onRefused: (refusal: RefusalOf) => void
}

/** Asks for a solved puzzle before something is sent. Works without the component library. */
export default function CaptchaDialog({ onClose, ...props }: Props) {
  const puzzle = useChallenge(props)
  const { challenge } = puzzle
  return (
    // Esc closes this dialog alone, and not the form it stands over.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps a key to itself.
    <div
      className={styles.captcha}
      onKeyDown={event => {
        if (event.key === 'Escape') event.stopPropagation()
      }}
    >
      <Dialog title="安全验证" width={368} onClose={onClose}>
        <div className={styles.captchaBox}>
          {challenge === null ? (
            <div className={styles.captchaWait} aria-busy={!puzzle.failed} />
          ) : challenge.kind === 'slide' ? (
            <SlidePuzzle key={challenge.id} puzzle={challenge} busy={puzzle.busy} onAnswer={puzzle.answer} />
          ) : (
            <Suspense fallback={<div className={styles.captchaWait} />}>
              <VendorPuzzle
                key={challenge.id}
                kind={challenge.kind}
                site={challenge.site}
                onProof={puzzle.prove}
                onClose={onClose}
                onUnreachable={() => puzzle.load(true)}
              />
            </Suspense>
          )}
          <div className={styles.captchaFoot}>
            <p role="alert">{puzzle.message}</p>
            <Button kind="quiet" icon={<IconRefresh />} busy={puzzle.busy} onClick={() => puzzle.load()}>
              换一张
            </Button>
          </div>
        </div>
      </Dialog>
    </div>
  )
}

/** Nothing to solve: the refusal concerns what is guarded, not the puzzle. */
const FINAL = ['CAPTCHA_TOO_SOON', 'CAPTCHA_TOO_MANY', 'THROTTLED']

function useChallenge({ scene, subject, onPass, onRefused }: Omit<Props, 'onClose'>) {
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [busy, setBusy] = useState(true)
  const [failed, setFailed] = useState(false)
  const [message, setMessage] = useState('')
  const live = useRef(true)
  const load = async (unreachable = false, said = '') => {
    setBusy(true)
    setFailed(false)
    setMessage(said)
    try {
      const next = await captchaApi.challenge({ scene, subject, unreachable })
      if (live.current) setChallenge(next)
    } catch (error) {
      if (!live.current) return
      const refusal = refusalOf(error)
      if (refusal && FINAL.includes(refusal.code)) onRefused(refusal)
      setFailed(true)
      setMessage(messageOf(error))
    } finally {
      if (live.current) setBusy(false)
    }
  }
  const send = async (call: () => Promise<{ token: string }>) => {
    setBusy(true)
    setMessage('')
    try {
      const { token } = await call()
      if (live.current) onPass(token)
    } catch (error) {
      // Any answer uses a puzzle up, also one that was lost on its way.
      if (live.current) await load(false, messageOf(error))
    }
  }
  const start = useRef(load)
  useEffect(() => {
    live.current = true
    void start.current()
    return () => {
      live.current = false
    }
  }, [])
  return {
    challenge,
    busy,
    failed,
    message,
    load: (unreachable = false) => void load(unreachable),
    answer: (answer: Answer) => {
      if (challenge) void send(() => captchaApi.solve({ ...answer, id: challenge.id }))
    },
    prove: (proof: Proof) => {
      if (challenge) void send(() => captchaApi.prove({ id: challenge.id, proof }))
    },
  }
}
