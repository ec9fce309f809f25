import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { FormElement, SENDS } from '#web/form/FormElement.tsx'
import styles from './find-shop.module.css'

type Props = {
  /** Rejects with what is said where no shop has the account. */
  find: (asked: { account: string }) => Promise<{ merchantId: number }>
  /** What is said where nothing is typed. */
  missing: string
  onFound: (merchantId: number) => void
}

/** A shop by the account that it signs in with, before a form about it. */
export function FindShop({ find, missing, onFound }: Props) {
  const id = useId()
  const [account, setAccount] = useState('')
  const [message, setMessage] = useState('')
  const asking = useMutation({
    mutationFn: (typed: string) => find({ account: typed }),
    onSuccess: shop => onFound(shop.merchantId),
    onError: error => setMessage(messageOf(error)),
  })
  const submit = () => {
    const typed = account.trim()
    setMessage(typed === '' ? missing : '')
    if (typed === '') document.getElementById(id)?.focus()
    else asking.mutate(typed)
  }
  // No fields: it looks a shop up by what is typed, and sends nothing.
  return (
    <FormElement className={styles.find} onSubmit={submit}>
      <label htmlFor={id}>软件账号</label>
      <div>
        <input
          {...SENDS}
          id={id}
          className={look.input}
          autoComplete="off"
          inputMode="tel"
          maxLength={50}
          placeholder={missing}
          aria-invalid={message !== ''}
          aria-describedby={`${id}-note`}
          value={account}
          onChange={event => {
            setAccount(event.target.value)
            setMessage('')
          }}
        />
        <Button type="submit" kind="primary" changes={false} busy={asking.isPending}>
          查找店铺
        </Button>
      </div>
      <p id={`${id}-note`} role="alert" className={styles.message}>
        {message}
      </p>
    </FormElement>
  )
}
