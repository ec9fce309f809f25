import type { ReactNode } from 'react'
import type { Asked } from '#kit/declare/form.ts'
import { Button } from '../controls/Button.tsx'
import { ActionBar } from './ActionBar.tsx'
import styles from './FormDialog.module.css'
import { FormElement } from './FormElement.tsx'
import { DrawnFields, type DrawnProps, type SlotProps, type Told } from './FormFields.tsx'
import { useLeaveGuard } from './leave.ts'
import type { Form as AnyForm } from './useForm.ts'
import { type FormOf, type NoMore, type OptionsOf, useFormOf } from './useFormOf.ts'

type BodyProps = {
  form: Pick<AnyForm<never>, 'submit' | 'message'>
  /** Why it cannot be sent now. */
  isLocked?: boolean
  className?: string
  children: ReactNode
  actions: ReactNode
}

/** The element of a form, what was refused of it, and its buttons. */
export function FormBody({ form, isLocked = false, className, children, actions }: BodyProps) {
  return (
    <FormElement
      className={className}
      onSubmit={() => {
        if (!isLocked) void form.submit()
      }}
    >
      {children}
      <p className={styles.message} role="alert">
        {form.message}
      </p>
      <ActionBar>{actions}</ActionBar>
    </FormElement>
  )
}

/** What stands between the head and the buttons of a form: its fields, or these among what else it shows. */
export type Drawing<F extends Asked, More extends object> =
  | ({ told?: { readonly [K in keyof F]?: Told } } & SlotProps<F>)
  | { children: (form: FormOf<F, More>) => ReactNode; told?: undefined }

export function drawn<F extends Asked, More extends object>(
  form: FormOf<F, More>,
  { told, children }: Drawing<F, More>,
): ReactNode {
  if (typeof children === 'function') return children(form)
  return <DrawnFields {...({ form, told, slots: children } as unknown as DrawnProps)} />
}

type Props<F extends Asked, More extends object> = OptionsOf<F, More> & {
  /** A verb: 保存. */
  submitText: string
} & Drawing<F, More>

/** A form on a page, made of its fields; whoever leaves it with something typed is asked. */
export function Form<F extends Asked, More extends object = NoMore>(props: Props<F, More>) {
  const form = useFormOf<F, More>(props)
  useLeaveGuard(form.isUnsaved)
  return (
    <FormBody
      form={form}
      actions={
        <Button kind="primary" type="submit" busy={form.busy}>
          {props.submitText}
        </Button>
      }
    >
      {drawn(form, props as Drawing<F, More>)}
    </FormBody>
  )
}
