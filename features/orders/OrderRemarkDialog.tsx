import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { CloseButton, Dialog } from '#web/Dialog.tsx'
import { look } from '#web/look.ts'
import { toast } from '#web/toast.ts'
import type { orders } from './contract.ts'
import type { Row } from './orderColumns.tsx'
import styles from './orders.module.css'
import { REMARK_LOCK_MS, REMARK_MAX, REMARK_REFUSALS, refuseOrderRemark, SHOWN_ORDER_CHARS } from './rules.ts'

const ordersApi = api<typeof orders>('orders')
const FORM = 'order-remark'

/** The remark of an order (D2 §5): required, and its button stays locked for three seconds once it was pressed. */
export default function OrderRemarkDialog({ order, onClose }: { order: Row; onClose: () => void }) {
  const queries = useQueryClient()
  const [text, setText] = useState(order.remark)
  const [broken, setBroken] = useState<string | null>(null)
  const [locked, lock] = useLock(REMARK_LOCK_MS)
  const field = useRef<HTMLTextAreaElement>(null)
  const saving = useMutation({
    mutationFn: () => ordersApi.setRemark({ orderNo: order.orderNo, remark: text.trim() }),
    onSuccess: async () => {
      toast.success('修改成功')
      onClose()
      await queries.invalidateQueries({ queryKey: ['orders'] })
    },
    onError: error => setBroken(messageOf(error)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (locked || saving.isPending) return
    const code = refuseOrderRemark(text)
    setBroken(code && REMARK_REFUSALS[code])
    if (code) return field.current?.focus()
    lock()
    saving.mutate()
  }
  return (
    <Dialog
      title="修改备注"
      width={480}
      busy={saving.isPending}
      dirty={text !== order.remark}
      onClose={onClose}
      footer={
        <>
          <CloseButton />
          <Button
            kind="primary"
            type="submit"
            form={FORM}
            busy={saving.isPending}
            disabled={locked ? '请稍候再提交' : null}
          >
            保存备注
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.orderRemark} onSubmit={submit}>
        <p className={look.quiet}>
          订单 {order.orderNo.slice(-SHOWN_ORDER_CHARS)} · {order.content}
        </p>
        <label htmlFor="order-remark-text">备注</label>
        <textarea
          id="order-remark-text"
          ref={field}
          className={look.input}
          rows={3}
          maxLength={REMARK_MAX}
          aria-required="true"
          aria-invalid={broken !== null}
          aria-describedby="order-remark-note"
          value={text}
          onChange={event => {
            setText(event.target.value)
            setBroken(null)
          }}
        />
        <p id="order-remark-note" className={styles.orderRemarkNote}>
          <span role="alert">{broken}</span>
          <span className={look.number}>
            {[...text.trim()].length} / {REMARK_MAX}
          </span>
        </p>
      </form>
    </Dialog>
  )
}

/** Locked for so long from each time that it is asked for. */
function useLock(lastsMs: number): [boolean, () => void] {
  const [locked, setLocked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const lock = () => {
    setLocked(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setLocked(false), lastsMs)
  }
  return [locked, lock]
}
