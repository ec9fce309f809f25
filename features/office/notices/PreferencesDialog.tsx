import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Meant } from '#kit/declare/form.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, parseCents } from '#kit/money.ts'
import { parseCount } from '#kit/words/count.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { allows, useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { Check } from '#web/form/Check.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { OwnAffairs } from '#web/shell/OwnAffairs.tsx'
import type { notices } from './contract.ts'
import { THRESHOLDS } from './fields.ts'
import styles from './notices.module.css'
import {
  isAlwaysTold,
  REFUSALS,
  refuseThresholds,
  type Thresholds,
  TOPIC_KEYS,
  TOPICS,
  type Topic,
} from './rules.ts'

const noticesApi = api<typeof notices>('notices')

type Preferences = Out<typeof notices.preferences>
type Typed = Meant<typeof THRESHOLDS>
type Told = { topics: Topic[] }

/** Topics that only those who hold a permission are told of. */
const TOLD_ONLY: Partial<Record<Topic, string>> = {
  Balance_Notify: 'ledger.wallet',
  Expiring_Notify: 'renewals.desk',
  Consultation_Notify: 'consultations.list',
  Application_Notify: 'partnerApplications.list',
  Approval_Notify: 'merchants.list',
  PaymentTrouble_Notify: 'paymentDesk.manage',
  SmsTrouble_Notify: 'messageDesk.outbox',
  Credit_Notify: 'ledger.changes',
  OrderUndone_Notify: 'settlement.bills',
  Undo_Notify: 'settlement.bills',
  Hardware_Notify: 'hardware.orders',
  ShopMoved_Notify: 'merchants.list',
  Resend_Notify: 'messageDesk.log',
}

/** Which topics the account is shown as they come, and when it is warned. */
export default function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const preferences = useQuery({ ...noticesApi.preferences.query(), staleTime: 0, gcTime: 0 })
  useEffect(() => {
    if (!preferences.isError) return
    toast.error(messageOf(preferences.error))
    onClose()
  }, [preferences.isError, preferences.error, onClose])
  if (!preferences.data) return null
  return (
    <OwnAffairs>
      <Preferences kept={preferences.data} onClose={onClose} />
    </OwnAffairs>
  )
}

function Preferences({ kept, onClose }: { kept: Preferences; onClose: () => void }) {
  const session = useSession()
  const topics = TOPIC_KEYS.filter(topic => allows(session, TOLD_ONLY[topic] ?? 'session'))
  return (
    <FormDialog<typeof THRESHOLDS, Told>
      title="消息设置"
      submitText="保存"
      of={THRESHOLDS}
      known={typedOf(kept)}
      more={{ topics: kept.topics.filter(({ enabled }) => enabled).map(({ topic }) => topic) }}
      refuse={values => {
        const broken = refuseThresholds(thresholdsOf(values))
        return broken && { field: broken.field, message: REFUSALS[broken.refusal] }
      }}
      send={async values => {
        await noticesApi.setPreferences({
          topics: topics.map(topic => ({ topic, enabled: values.topics.includes(topic) })),
          thresholds: thresholdsOf(values),
        })
        toast.success('修改成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Field
            form={form}
            name="topics"
            label="弹出提醒的消息"
            hint="未勾选的消息不弹出，在消息中心里直接记为已读"
            group
          >
            {({ id }) => (
              <fieldset id={id} aria-label="弹出提醒的消息" className={styles.noticeTopics}>
                {topics.map(topic => (
                  <Check
                    key={topic}
                    checked={form.draft.topics.includes(topic)}
                    disabled={isAlwaysTold(topic) ? REFUSALS.TOPIC_ALWAYS_TOLD : null}
                    onChange={checked => {
                      const others = form.draft.topics.filter(one => one !== topic)
                      form.change({ topics: checked ? [...others, topic] : others })
                    }}
                  >
                    {TOPICS[topic]}
                    {isAlwaysTold(topic) && '（始终提醒）'}
                  </Check>
                ))}
              </fieldset>
            )}
          </Field>
          {topics.includes('Balance_Notify') && (
            <FormFields
              form={form}
              only={['tokenCents', 'sms']}
              told={{ tokenCents: { unit: '代币' }, sms: { unit: '条' } }}
            />
          )}
          {topics.includes('Expiring_Notify') && (
            <FormFields form={form} only={['expiringDays']} told={{ expiringDays: { unit: '天' } }} />
          )}
        </>
      )}
    </FormDialog>
  )
}

function typedOf({ thresholds }: Preferences): Typed {
  const typed = (value: number | null) => (value === null ? '' : String(value))
  return {
    tokenCents: thresholds.tokenCents === null ? '' : formatCents(thresholds.tokenCents),
    sms: typed(thresholds.sms),
    expiringDays: typed(thresholds.expiringDays),
  }
}

/** NaN where it is no number. */
function thresholdsOf({ tokenCents, sms, expiringDays }: Typed): Thresholds {
  const numberOf = (text: string) => (text.trim() === '' ? null : (parseCount(text) ?? Number.NaN))
  return {
    tokenCents: tokenCents.trim() === '' ? null : (parseCents(tokenCents) ?? Number.NaN),
    sms: numberOf(sms),
    expiringDays: numberOf(expiringDays),
  }
}
