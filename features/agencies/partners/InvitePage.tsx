import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NewPasswordFields } from '#features/agencies/sign-in/NewPasswordFields.tsx'
import { knownWords, PASSWORD_REFUSALS, refuseNewPassword } from '#features/agencies/sign-in/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useForm } from '#web/form/useForm.ts'
import { Brand } from '#web/shell/Brand.tsx'
import { Particles } from '#web/theme/Particles.tsx'
import type { partners } from './contract.ts'
import styles from './invite.module.css'
import { INVITATION_REFUSALS, INVITE_PREFIX } from './rules.ts'

const partnersApi = api<typeof partners>('partners')

type Invited = Out<typeof partners.invitation>

/** What the address in an invitation opens: who one is to be, and a password of one's own. Without shell and router. */
export default function InvitePage() {
  const [token] = useState(() => location.pathname.slice(INVITE_PREFIX.length))
  const [done, setDone] = useState<string | null>(null)
  const invitation = useQuery({ ...partnersApi.invitation.query({ token }), retry: false })
  return (
    <main className={styles.invite}>
      <Particles />
      <div className={styles.card}>
        <p className={styles.brand}>
          <Brand size={32} />
          合作伙伴后台
        </p>
        {done !== null ? (
          <Told title="密码已设置" text={`请用账号 ${done} 和刚才的密码登录。`} signIn />
        ) : invitation.data ? (
          <PasswordForm token={token} invited={invitation.data} onDone={setDone} />
        ) : invitation.isError ? (
          <Unusable error={invitation.error} onRetry={() => void invitation.refetch()} />
        ) : null}
      </div>
    </main>
  )
}

const NONE = Object.keys(INVITATION_REFUSALS)

function Unusable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const code = refusalOf(error)?.code ?? ''
  const isSaid = NONE.includes(code) || code === 'INPUT_INVALID'
  const text = code === 'INPUT_INVALID' ? INVITATION_REFUSALS.INVITATION_UNKNOWN : messageOf(error)
  return (
    <>
      <Told title={isSaid ? '邀请不可用' : '暂时无法打开'} text={text} signIn={code === 'INVITATION_USED'} />
      {!isSaid && <Button onClick={onRetry}>重试</Button>}
    </>
  )
}

function Told({ title, text, signIn }: { title: string; text: string; signIn?: boolean }) {
  return (
    <div role="status">
      <h1>{title}</h1>
      <p className={styles.text}>{text}</p>
      {signIn && (
        <a className={styles.way} href="/login">
          去登录
        </a>
      )}
    </div>
  )
}

type FormProps = { token: string; invited: Invited; onDone: (loginName: string) => void }

function PasswordForm({ token, invited, onDone }: FormProps) {
  // No fields: a door without an account, where the first bytes count.
  const form = useForm({
    initial: { newPassword: '', confirmation: '' },
    judge: draft => {
      const broken = refuseNewPassword(draft)
      return broken && { field: broken.field, message: PASSWORD_REFUSALS[broken.code] }
    },
    send: draft => partnersApi.accept({ token, ...draft }),
    onDone: () => onDone(invited.loginName),
  })
  return (
    <FormElement onSubmit={() => void form.submit()}>
      <h1>设置登录密码</h1>
      <p className={styles.text}>
        {invited.name}，您好。{invited.companyName}的登录账号是 <b>{invited.loginName}</b>
        ，请设置只有您自己知道的密码。
      </p>
      <input type="text" autoComplete="username" value={invited.loginName} readOnly hidden />
      <NewPasswordFields form={form} words={knownWords(invited)} />
      <p role="alert" className={styles.message}>
        {form.message}
      </p>
      <Button kind="primary" type="submit" busy={form.busy}>
        设置密码
      </Button>
    </FormElement>
  )
}
