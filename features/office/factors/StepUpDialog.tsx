import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { In } from '#kit/declare/op.ts'
import { api, askFactorWith, messageOf } from '#web/client/api.ts'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { OwnAffairs } from '#web/shell/OwnAffairs.tsx'
import type { factors } from './contract.ts'
import { FactorForm } from './FactorForm.tsx'
import styles from './factors.module.css'
import { PasswordProof } from './PasswordProof.tsx'
import { FRESH_MINUTES } from './rules.ts'

const factorsApi = api<typeof factors>('factors')

const SUBMIT = '验证并继续'

/** Asks for the factor, or the password where there is none, wherever a call needs a fresh proof. */
export default function StepUpHost() {
  const [answer, setAnswer] = useState<((proven: boolean) => void) | null>(null)
  useEffect(() => {
    askFactorWith(() => new Promise(resolve => setAnswer(() => resolve)))
    return () => askFactorWith(async () => false)
  }, [])
  if (!answer) return null
  return (
    <StepUpDialog
      onAnswer={proven => {
        setAnswer(null)
        answer(proven)
      }}
    />
  )
}

function StepUpDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  const asked = useQuery({
    queryKey: ['factor-proof'],
    queryFn: () => factorsApi.challenge(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const prove = async (proof: In<typeof factors.prove>) => {
    await factorsApi.prove(proof)
    onAnswer(true)
  }
  return (
    <OwnAffairs>
      <Dialog title="身份验证" width={400} dirty={false} onClose={() => onAnswer(false)}>
        <DialogText>此操作需要确认是您本人。验证后 {FRESH_MINUTES} 分钟内不再询问。</DialogText>
        {asked.isError && <DialogText>{messageOf(asked.error)}</DialogText>}
        {asked.data && (
          <div className={styles.asked}>
            {asked.data.password ? (
              <PasswordProof submitText={SUBMIT} onPassword={password => prove({ password })} />
            ) : (
              <FactorForm
                asked={asked.data}
                submitText={SUBMIT}
                askAgain={() => factorsApi.challenge()}
                onProof={prove}
              />
            )}
          </div>
        )}
      </Dialog>
    </OwnAffairs>
  )
}
