import { lazy, useState } from 'react'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { amountText, parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormSection } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { partners } from './contract.ts'
import { NEW_PARTNER } from './fields.ts'
import { CompanyFields, FurtherTerms, type MoreTerms, NO_MORE_TERMS, ParentField } from './PartnerFields.tsx'
import styles from './partners.module.css'
import { brokenOwner, brokenTerms, PARTNER_REFUSALS, refuseTokens } from './rules.ts'

const partnersApi = api<typeof partners>('partners')
const InvitationDialog = lazy(() => import('./InvitationDialog.tsx'))

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

/** A new partner with all that it begins with; then the link that its owner comes in by. */
export default function TakeOnDialog({ given, send, onClose }: Props) {
  const [taken, setTaken] = useState<Taken | null>(null)
  // What is shown is not folded again: nothing that is wrong in it is out of sight.
  const [further, setFurther] = useState(false)
  const mayCredit = usePermission('ledger.credit')
  if (taken)
    return (
      <Suspense>
        <InvitationDialog title="新增成功" agentId={taken.id} onClose={onClose} />
      </Suspense>
    )
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
          <CompanyFields form={form} />
          <FormSection title="负责人账号">
            <FormFields form={form} only={['ownerLoginName', 'ownerName', 'ownerMobile']} />
          </FormSection>
          {further ? (
            <>
              <FormSection title="开户">
                <ParentField form={form} />
                <FormFields form={form} only={['tokens']} told={{ tokens: { unit: '代币' } }} />
              </FormSection>
              <FurtherTerms form={form} />
            </>
          ) : (
            <div className={styles.further}>
              <Button aria-expanded={false} onClick={() => setFurther(true)}>
                更多约定
              </Button>
              <p className={look.quiet}>
                上级、开户代币、合同、权限、充值渠道和支付方式：现在可以不填，之后随时能改。
              </p>
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}

function questionOf({ ownerMobile, tokens }: Values): string {
  const cents = centsOf(tokens)
  const opening = cents > 0 ? `，并充值 ${amountText(cents, '代币')}` : ''
  return `将为 ${ownerMobile} 生成邀请链接，72 小时内有效，您可以复制或让对方扫码；已接入短信时同时发送短信${opening}。`
}
