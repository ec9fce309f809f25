import { useMutation } from '@tanstack/react-query'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { PhoneNumber } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import styles from './clock.module.css'
import type { consultations } from './contract.ts'
import { CONSULTATION_FIELDS } from './fields.ts'

const consultationsApi = api<typeof consultations>('consultations')

/** Who is to be called, over the inbox: the number at hand, and the mark that it was done. */
export default function InboxDesk({ item: { id, title, detail, about }, onClose }: InboxDeskProps) {
  const contact = useMutation({
    mutationFn: () => consultationsApi.contact({ id }),
    onSuccess: () => {
      toast.success('已标记联系')
      onClose()
    },
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('consultations') : reread()),
  })
  return (
    <Dialog
      title="联系官网咨询"
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button kind="primary" busy={contact.isPending} onClick={() => contact.mutate()}>
            标记已联系
          </Button>
        </>
      }
    >
      <div className={styles.clockFacts}>
        <Facts>
          <Fact label={CONSULTATION_FIELDS.name.label}>{title.slice(0, -about.length).trim()}</Fact>
          <Fact label={CONSULTATION_FIELDS.mobile.label}>
            <PhoneNumber number={about} />
          </Fact>
          <Fact label={CONSULTATION_FIELDS.content.label}>{detail}</Fact>
        </Facts>
      </div>
    </Dialog>
  )
}
