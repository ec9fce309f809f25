import { useState } from 'react'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { amountText, parseCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormSection } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { partners } from './contract.ts'
import { NEW_PARTNER } from './fields.ts'
import { type MoreTerms, NO_MORE_TERMS, PartnerFields } from './PartnerFields.tsx'
import { brokenOwner, brokenTerms, PARTNER_REFUSALS, refuseTokens } from './rules.ts'

const partnersApi = api<typeof partners>('partners')

type Values = Meant<typeof NEW_PARTNER> & MoreTerms
type Taken = Out<typeof partners.takeOn>

/** 1/100; NaN when it is no amount. */
const centsOf = (tokens: string) => (tokens === '' ? 0 : (parseCents(tokens) ?? Number.NaN))

type NewPartner = Omit<Values, 'tokens'> & { tokenCents: number }
type Props = {
  /** What is known of it already. */
  given?: Partial<Meant<typeof NEW_PARTNER>>
  /** Saves it in another way than by itself alone. */
  send?: (partner: NewPartner, idempotencyKey: string) => Promise<Taken>
  onClose: () => void
}

/** A new partner with all that it begins with; then what became of its invitation. */
export default function TakeOnDialog({ given, send, onClose }: Props) {
  const [taken, setTaken] = useState<Taken | null>(null)
  const mayCredit = usePermission('ledger.credit')
  if (taken) return <Told taken={taken} onClose={onClose} />
  return (
    <FormDialog<typeof NEW_PARTNER, MoreTerms>
      title="新增合作伙伴"
      submitText="新增并邀请"
      width={720}
      of={NEW_PARTNER}
      known={given}
      without={mayCredit ? [] : ['tokens']}
      more={NO_MORE_TERMS}
      refuse={values => {
        const broken = [...brokenTerms(values), ...brokenOwner(values)]
        const tokens = refuseTokens(centsOf(values.tokens))
        return [
          ...broken.map(({ field, code }) => ({ field, message: PARTNER_REFUSALS[code] })),
          ...(tokens ? [{ field: 'tokens', message: PARTNER_REFUSALS[tokens] }] : []),
        ]
      }}
      question={values => ({
        title: `新增「${values.companyName}」？`,
        text: questionOf(values),
        confirmText: '新增并邀请',
      })}
      send={async ({ tokens, ...values }, idempotencyKey) => {
        const partner = { ...values, tokenCents: centsOf(tokens) }
        setTaken(await (send?.(partner, idempotencyKey) ?? partnersApi.takeOn(partner, { idempotencyKey })))
        toast.success('新增成功')
        await reread()
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      {form => (
        <>
          <PartnerFields form={form} isNew />
          <FormSection title="负责人账号">
            <FormFields
              form={form}
              only={['ownerLoginName', 'ownerName', 'ownerMobile', 'tokens']}
              told={{ tokens: { unit: '代币' } }}
            />
          </FormSection>
        </>
      )}
    </FormDialog>
  )
}

function questionOf({ ownerMobile, tokens }: Values): string {
  const cents = centsOf(tokens)
  const opening = cents > 0 ? `，并充值 ${amountText(cents, '代币')}` : ''
  return `邀请短信将发送到 ${ownerMobile}，72 小时内有效${opening}。`
}

function Told({ taken: { id, invitation }, onClose }: { taken: Taken; onClose: () => void }) {
  return (
    <Dialog title="新增成功" onClose={onClose}>
      <DialogText>
        编号 {id}。邀请短信已发送到 {invitation.phone}，{formatInstant(invitation.expiresAt)}{' '}
        前打开其中的链接设置密码即可登录；没有收到时可以在详情中重发。
      </DialogText>
      <ActionBar>
        {invitation.inboxUrl && (
          <a href={invitation.inboxUrl} target="_blank" rel="noreferrer">
            演示：查看短信
          </a>
        )}
        <Button kind="primary" changes={false} onClick={onClose}>
          完成
        </Button>
      </ActionBar>
    </Dialog>
  )
}
