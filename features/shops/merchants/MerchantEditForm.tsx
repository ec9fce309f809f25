import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { type Session, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormElement } from '#web/form/FormElement.tsx'
import { askToLeave, useLeaveGuard } from '#web/form/leave.ts'
import { TouchControls } from '#web/form/TouchControls.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import type { Merchant, merchants } from './contract.ts'
import {
  brokenEdits,
  draftOf,
  type EditDraft,
  FIELD_LABELS,
  inputOf,
  mergeEdits,
} from './EditMerchantDraft.tsx'
import { MerchantEditFields } from './MerchantEditFields.tsx'
import type { Options } from './MerchantFields.tsx'
import styles from './merchants.module.css'
import { type LockedField, lockOf, REFUSALS } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')

type Props = {
  merchant: Merchant
  options: Options
  onClose: () => void
}

/** Editing a shop (D2 §5, §6). It keeps the shop as it was when editing began, whatever is loaded meanwhile. */
export function MerchantEditForm({ merchant: opened, options, onClose }: Props) {
  const session = useSession()
  const [merchant, setMerchant] = useState(opened)
  const [note, setNote] = useState<string | null>(null)
  const offered = withCurrent(options, merchant)
  const [stale, setStale] = useState(false)
  // No fields: made of MERCHANT_FIELDS by draftOf, brokenEdits and GroupFields, with what each account may change.
  const form = useForm({
    initial: draftOf(merchant),
    judge: draft =>
      brokenEdits(
        draft,
        merchant,
        offered.paymentMethods.find(method => method.id === draft.paymentMethodId),
      ),
    send: draft => merchantsApi.edit(inputOf(draft, merchant)),
    onDone: () => {
      toast.success('修改成功')
      onClose()
    },
    onRefused: error => {
      const refusal = refusalOf(error)
      if (refusal?.code === 'STALE') setStale(true)
      else if (refusal?.field) return false
      else toast.error(messageOf(error))
      return true
    },
  })
  useLeaveGuard(form.isUnsaved)
  const giveUp = async () => {
    if (!form.dirty || (await askToLeave())) onClose()
  }
  return (
    <FormElement className={styles.merchantEdit} onSubmit={() => void form.submit()}>
      {stale && (
        <StaleNote
          merchant={merchant}
          form={form}
          onReloaded={(fresh, told) => {
            setMerchant(fresh)
            setNote(told)
            setStale(false)
          }}
        />
      )}
      {!stale && note && (
        <div className={styles.merchantNote} data-tone="info" role="status" ref={bringIntoView}>
          {note}
        </div>
      )}
      <TouchControls>
        <MerchantEditFields
          form={form}
          merchant={merchant}
          options={offered}
          lockOf={field => lockMessage(field, merchant, session)}
        />
      </TouchControls>
      <div className={styles.merchantEditBar}>
        <Button disabled={form.busy} onClick={() => void giveUp()}>
          取消
        </Button>
        <Button kind="primary" type="submit" busy={form.busy} disabled={!form.dirty}>
          保存
        </Button>
      </div>
    </FormElement>
  )
}

/** Why this person may not change this field of the shop (D2 §6), or null. */
function lockMessage(field: LockedField, merchant: Merchant, session: Session): string | null {
  const editor = { isOwner: session.userType === 0, isOperator: session.isOperator }
  const value = merchant[field]
  const code = lockOf(field, editor, { hasValue: value !== null && value !== '', source: merchant.source })
  return code && REFUSALS[code]
}

type StaleProps = {
  merchant: Merchant
  form: Form<EditDraft>
  onReloaded: (fresh: Merchant, told: string) => void
}

function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' })
}

/** Someone else saved first: loads what is saved now and keeps what was typed over it. */
function StaleNote({ merchant, form, onReloaded }: StaleProps) {
  const queries = useQueryClient()
  const reload = useMutation({
    mutationFn: () => merchantsApi.details({ id: merchant.id }),
    onSuccess: fresh => {
      const saved = draftOf(fresh)
      const merged = mergeEdits(form.draft, draftOf(merchant), saved)
      queries.setQueryData(merchantsApi.details.key({ id: merchant.id }), fresh)
      form.rebase(saved, merged.draft)
      const names = merged.conflicts.map(key => FIELD_LABELS[key]).join('、')
      onReloaded(
        fresh,
        names === ''
          ? '已刷新，您填写的内容已保留。'
          : `已刷新，您填写的内容已保留。${names}也被他人修改，保存后以您填写的为准。`,
      )
    },
    onError: error => {
      const refusal = refusalOf(error)
      if (refusal) toast.error(refusal.message)
    },
  })
  return (
    <div className={styles.merchantNote} data-tone="attention" role="alert" ref={bringIntoView}>
      <span>数据已被他人修改，请刷新后重试</span>
      <Button busy={reload.isPending} onClick={() => reload.mutate()}>
        刷新，保留已填写的内容
      </Button>
    </div>
  )
}

/** The shop's own manager and payment method stay choosable where the viewer's lists do not hold them. */
function withCurrent(options: Options, merchant: Merchant): Options {
  const { managerId, managerName } = merchant
  if (managerId === null || options.managers.some(row => row.id === managerId)) return options
  const current = { id: managerId, name: managerName ?? String(managerId) }
  return { ...options, managers: [current, ...options.managers] }
}
