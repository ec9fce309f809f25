import { FactorForm, type Proof } from '#features/office/factors/FactorForm.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { signIn } from './contract.ts'
import styles from './LoginPage.module.css'

const signInApi = api<typeof signIn>('signIn')

export type Step = NonNullable<Out<typeof signIn.login>['step']>

type Props = { step: Step; onIn: () => void; onBack: () => void; onAgain: () => Promise<Step | null> }

/** After the right password: the second factor. */
export default function SecondStep({ step, onIn, onBack, onAgain }: Props) {
  const prove = async (proof: Proof) => {
    await signInApi.prove({ token: step.token, proof })
    onIn()
  }
  const again = async () => {
    const next = await onAgain()
    if (!next) throw new Error('the second step is not asked for any more')
    return next
  }
  return (
    <section className={styles.loginForm} aria-labelledby="second-step">
      <h1 id="second-step">二次验证</h1>
      <FactorForm key={step.token} asked={step} submitText="登录" askAgain={again} onProof={prove} />
      <button type="button" className={styles.loginForgotten} onClick={onBack}>
        返回登录
      </button>
    </section>
  )
}
