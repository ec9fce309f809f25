// What pages share that anybody may open, without an account: under whose name they stand, their form, and what is said once it was sent.
import { type ReactNode, useEffect, useRef } from 'react'
import { brandOfDomain } from '../client/demo.ts'
import { Button } from '../controls/Button.tsx'
import { FormElement } from '../form/FormElement.tsx'
import { AgentBrand } from './AgentBrand.tsx'
import { Brand } from './Brand.tsx'
import styles from './PublicPage.module.css'

/** The agency whose domain it is, otherwise the program with what it is called here. */
export function PublicBrand({ name }: { name: string }) {
  const brand = brandOfDomain()
  if (brand) return <AgentBrand brand={brand} className={styles.agent} />
  return (
    <p className={styles.brand}>
      <Brand size={32} />
      {name}
    </p>
  )
}

type FormProps = {
  /** Unlike any other on the page. */
  id: string
  title: string
  submitText: string
  busy: boolean
  message: string | null
  /** With room around what is said. */
  spaced?: boolean
  onSubmit: () => void
  below?: ReactNode
  children: ReactNode
}

export function PublicForm(props: FormProps) {
  const { id, title, submitText, busy, message, spaced, onSubmit, below, children } = props
  return (
    <FormElement className={styles.form} aria-labelledby={id} onSubmit={onSubmit}>
      <h2 id={id}>{title}</h2>
      {children}
      <p className={styles.message} data-spaced={spaced} role="alert">
        {message}
      </p>
      <Button kind="primary" type="submit" busy={busy}>
        {submitText}
      </Button>
      {below}
    </FormElement>
  )
}

type ReceivedProps = { id: string; title: string; spaced?: boolean; children: ReactNode }

/** In place of the form once it was sent; its title is read out. */
export function PublicReceived({ id, title, spaced, children }: ReceivedProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={`${styles.form} ${styles.received}`} data-spaced={spaced} aria-labelledby={id}>
      <svg viewBox="0 0 48 48" width={48} height={48} aria-hidden="true">
        <path d="M14 25l7 7 13-15" />
        <circle cx="24" cy="24" r="20" />
      </svg>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
